import type { TestChanges } from "../../core/evidence/settings.ts";
import type { AgentProfile } from "../../core/agent-profile.ts";
import type { PromptName } from "../../text/prompt-template.ts";
import type { Lang, OnStuck } from "../../core/settings.ts";

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

/** Durations in milliseconds. Zero: no limit; for `maxWaitMs`: do not wait. */
export interface ConfiguredLimits {
  /** Only for `supervise`. */
  readonly maxLoops: Sourced<number>;
  /** Only for `orchestrate`. */
  readonly maxIterations: Sourced<number>;
  readonly maxCostUsd: Sourced<number>;
  readonly maxTokens: Sourced<number>;
  readonly maxTimeMs: Sourced<number>;
  readonly maxWaitMs: Sourced<number>;
  readonly stallMs: Sourced<number>;
  readonly agentTimeoutMs: Sourced<number>;
  readonly testTimeoutMs: Sourced<number>;
}

/** For `chat`. */
export interface ConfiguredChat {
  /** The agent the person works with. */
  readonly agent: Sourced<string>;
  /** Null: the same agent in a separate session. */
  readonly reviewer: Sourced<string | null>;
  readonly marker: Sourced<string>;
  readonly waitingMarker: Sourced<string>;
  /** Per task. */
  readonly maxReviews: Sourced<number>;
  readonly checks: Sourced<readonly string[]>;
}

export interface ConfiguredTests {
  readonly fast: Sourced<readonly string[]>;
  readonly full: Sourced<readonly string[]>;
  readonly changes: Sourced<TestChanges>;
  readonly allowNoChange: Sourced<boolean>;
  /** Patterns of files that are always protected. */
  readonly protect: Sourced<readonly string[]>;
  /** Patterns of files that are never protected. */
  readonly product: Sourced<readonly string[]>;
}

/** How checks are isolated from files that the agent left. */
export interface ConfiguredRoom {
  readonly enabled: Sourced<boolean>;
  readonly setup: Sourced<string | null>;
  readonly allow: Sourced<readonly string[]>;
  readonly proveTests: Sourced<boolean>;
  readonly passEnv: Sourced<readonly string[]>;
}

/** The configuration in effect. Precedence: environment, project file, user file, defaults. */
export interface Config {
  readonly files: readonly ConfigFile[];
  readonly agents: Sourced<readonly string[]>;
  /** Verifiers for `run`. Empty: any agent, preferably not the one that did the work. */
  readonly verifiers: Sourced<readonly string[]>;
  /** Agents for the roles of `orchestrate`. Empty: any agent. */
  readonly roles: Readonly<Record<RoleName, Sourced<readonly string[]>>>;
  readonly profiles: ReadonlyMap<string, Sourced<DefinedProfile>>;
  readonly limits: ConfiguredLimits;
  readonly tests: ConfiguredTests;
  readonly chat: ConfiguredChat;
  /** Absolute path; null: the built-in prompt. */
  readonly prompts: Readonly<Record<PromptName, Sourced<string | null>>>;
  readonly cleanRoom: ConfiguredRoom;
  readonly sandbox: Sourced<boolean>;
  /** Null: `DEFAULT_ON_STUCK`. */
  readonly onStuck: Sourced<OnStuck | null>;
  /** Null: chosen by locale. */
  readonly lang: Sourced<Lang | null>;
  /** Variable names of all files together: a project file cannot make a secret of the user public. */
  readonly secrets: readonly Sourced<string>[];
}

export interface ConfigFile {
  readonly scope: "user" | "project";
  readonly path: string;
  readonly sha256: string;
}
