import type { AgentProfile } from "../../core/agent-profile.ts";
import { CONFIGURED } from "../settings/configured.ts";
import type { ConfiguredName, ValueOf } from "../settings/table.ts";

/** The source of a value. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "user" | "project"; readonly path: string; readonly line: number }
  | { readonly kind: "environment"; readonly variable: string };

export interface Sourced<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** A profile as written; `extends` is not resolved yet. */
export interface DefinedProfile extends Omit<AgentProfile, "name" | "adapter"> {
  readonly extends: string;
}

/** Roles of `orchestrate`. */
export const ROLE_NAMES = ["main", "test", "dev", "review"] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

/** The configuration in effect. Precedence: environment, project file, user file, defaults. */
export type Config = { readonly [N in ConfiguredName]: Sourced<ValueOf<N>> } & {
  readonly files: readonly ConfigFile[];
  readonly profiles: ReadonlyMap<string, Sourced<DefinedProfile>>;
  /** Variable names of all files together: a project file cannot make a secret of the user public. */
  readonly secrets: readonly Sourced<string>[];
};

export interface ConfigFile {
  readonly scope: "user" | "project";
  readonly path: string;
  readonly sha256: string;
}

export const DEFAULTS = {
  ...Object.fromEntries(
    CONFIGURED.map((setting) => [setting.name, { value: setting.default, origin: { kind: "default" } }]),
  ),
  files: [],
  profiles: new Map(),
  secrets: [],
} as unknown as Config;
