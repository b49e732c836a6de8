import type { CallFlag } from "../../core/settings.ts";
import { agentSettings } from "./agents.ts";
import { chatSettings } from "./chat.ts";
import { limitSettings } from "./limits.ts";
import { promptSettings } from "./prompts.ts";
import { roomSettings } from "./room.ts";
import { runSettings } from "./run.ts";
import type { Setting } from "./setting.ts";
import { testSettings } from "./tests.ts";

/** All settings, each defined once. The keys of the configuration are in this order. */
export const SETTINGS = {
  ...agentSettings,
  ...limitSettings,
  ...testSettings,
  ...chatSettings,
  ...promptSettings,
  ...roomSettings,
  ...runSettings,
};

export type SettingName = keyof typeof SETTINGS;

const VIEW = ["json", "quiet", "verbose"] as const;
const LIMITS = ["maxCostUsd", "maxTokens", "maxTimeMs", "maxWaitMs"] as const;
const START = [
  ...(["model", "cwd", "report", "force", "agentTimeoutMs", "stallMs", "maxOutputBytes"] as const),
  ...LIMITS,
  ...VIEW,
] as const;
const CHECKS = [
  ...(["testTimeoutMs", "cleanRoom", "setup", "allowOracleChange", "proveTests", "passEnv"] as const),
  "sandbox",
] as const;
const PROTECTED_TESTS = [...CHECKS, "testChanges", "acceptTree"] as const;
const WORK = [...PROTECTED_TESTS, "allowNoChange"] as const;

/** The flags of each command, in the order of its help. */
export const FLAGS = {
  supervise: [
    ...(["task", "planFile", "agentCmd", "agents", "testFast", "testFull", "maxLoops"] as const),
    ...(["session", "onStuck", "nonce"] as const),
    ...WORK,
    ...START,
  ],
  analyze: ["out", "agents", "dryRun", ...START],
  run: [
    ...(["agents", "verifiers", "fullVerify", "reverify", "only", "from", "onStuck", "dryRun"] as const),
    ...WORK,
    ...START,
  ],
  orchestrate: ["board", "maxIterations", "roles", ...PROTECTED_TESTS, ...START],
  chat: [
    ...(["supervisor", "print", "agent", "reviewer", "checks", "marker", "waitingMarker"] as const),
    ...(["maxReviews", "global"] as const),
    ...CHECKS,
    ...START,
  ],
  board: ["board", "cwd"],
  resume: ["now", "maxIterations", "verifiers", ...LIMITS, ...VIEW],
  demo: VIEW,
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

export type Verb = keyof typeof FLAGS;
export type FlagName = (typeof FLAGS)[Verb][number];

type Definitions = typeof SETTINGS;
type FlagValue<S> = S extends Setting<infer T> ? T : never;
/** The type of a value that is given or the default. */
export type ValueOf<N extends SettingName> = Definitions[N] extends Setting<infer T, infer D> ? T | D : never;

/** Names of the settings that the configuration has. */
export type ConfiguredName = {
  [N in SettingName]: Definitions[N] extends { readonly key: string } ? N : never;
}[SettingName];

/** Flags as parsed. Absent ones come from the configuration. */
export type AnyFlags = { readonly [N in FlagName | "lang"]?: FlagValue<Definitions[N]> } & {
  /** All flags as typed. */
  readonly callFlags?: readonly CallFlag[];
};
export type FlagsOf<V extends Verb> = Pick<AnyFlags, (typeof FLAGS)[V][number] | "lang" | "callFlags">;
/** How a run is shown. */
export type ViewFlags = FlagsOf<"demo">;
