import type { TestChanges } from "../domain/room/settings.ts";
import type { AgentProfile } from "../domain/agent-profile.ts";
import type { PromptName } from "../domain/prompt-template.ts";
import type { Lang, OnStuck } from "../domain/settings.ts";

/** Where a value comes from. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "user" | "project"; readonly path: string; readonly line: number }
  | { readonly kind: "environment"; readonly variable: string };

export interface Sourced<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** A profile as it is written; `extends` is not followed yet. */
export interface DefinedProfile extends Omit<AgentProfile, "name" | "adapter"> {
  readonly extends: string;
}

/** The roles of `orchestrate`. */
export const ROLE_NAMES = ["main", "test", "dev", "review"] as const;
export type RoleName = (typeof ROLE_NAMES)[number];

/** Durations in milliseconds. Zero: no limit, but for `maxWaitMs`, where it means not to wait. */
export interface ConfiguredLimits {
  /** Of `supervise` alone. */
  readonly maxLoops: Sourced<number>;
  /** Of `orchestrate` alone. */
  readonly maxIterations: Sourced<number>;
  readonly maxCostUsd: Sourced<number>;
  readonly maxTokens: Sourced<number>;
  readonly maxTimeMs: Sourced<number>;
  readonly maxWaitMs: Sourced<number>;
  readonly stallMs: Sourced<number>;
  readonly agentTimeoutMs: Sourced<number>;
  readonly testTimeoutMs: Sourced<number>;
}

/** Of `chat`. */
export interface ConfiguredChat {
  /** Whom the person works with. */
  readonly agent: Sourced<string>;
  /** Null: the agent itself, in a session of its own. */
  readonly reviewer: Sourced<string | null>;
  readonly marker: Sourced<string>;
  readonly waitingMarker: Sourced<string>;
  /** Of one task. */
  readonly maxReviews: Sourced<number>;
  readonly checks: Sourced<readonly string[]>;
}

export interface ConfiguredTests {
  readonly fast: Sourced<readonly string[]>;
  readonly full: Sourced<readonly string[]>;
  readonly changes: Sourced<TestChanges>;
  readonly allowNoChange: Sourced<boolean>;
}

/** How checks are kept apart from what the agent left. */
export interface ConfiguredRoom {
  readonly enabled: Sourced<boolean>;
  readonly setup: Sourced<string | null>;
  readonly allow: Sourced<readonly string[]>;
  readonly proveTests: Sourced<boolean>;
  readonly passEnv: Sourced<readonly string[]>;
}

/** The configuration in effect: environment over project over user over defaults. */
export interface Config {
  readonly files: readonly ConfigFile[];
  readonly agents: Sourced<readonly string[]>;
  /** Who verifies the steps of `run`; empty: any agent, rather another one than did the work. */
  readonly verifiers: Sourced<readonly string[]>;
  /** Who takes the roles of `orchestrate`; empty: any agent. */
  readonly roles: Readonly<Record<RoleName, Sourced<readonly string[]>>>;
  readonly profiles: ReadonlyMap<string, Sourced<DefinedProfile>>;
  readonly limits: ConfiguredLimits;
  readonly tests: ConfiguredTests;
  readonly chat: ConfiguredChat;
  /** Absolute; null: the prompt that comes with the program. */
  readonly prompts: Readonly<Record<PromptName, Sourced<string | null>>>;
  readonly cleanRoom: ConfiguredRoom;
  readonly sandbox: Sourced<boolean>;
  /** Null: `DEFAULT_ON_STUCK`. */
  readonly onStuck: Sourced<OnStuck | null>;
  /** Null: by locale. */
  readonly lang: Sourced<Lang | null>;
  /** Names of variables, of all files together: a project cannot take back what the user keeps secret. */
  readonly secrets: readonly Sourced<string>[];
}

export interface ConfigFile {
  readonly scope: "user" | "project";
  readonly path: string;
  readonly sha256: string;
}
