import { agentProfiles } from "./agent-profile.ts";
import { boardDecision } from "./board/decisions.ts";
import { projectEnv } from "./board/project-env.ts";
import { roomSettings } from "./evidence/settings.ts";
import {
  about,
  amount,
  codes,
  count,
  flag,
  list,
  nullable,
  object,
  oneOf,
  optional,
  ordinal,
  ours,
  path,
  sha256,
  type TypeOf,
} from "../text/shape.ts";
import { step } from "./step.ts";
import { lang, type Lang } from "../text/lang.ts";

// The texts of settings are ours, because a run with a secret in its settings does not start.

/** A flag as typed, with its values. */
export const callFlags = list(object({ flag: ours(), values: list(ours()) }));
export type CallFlag = TypeOf<typeof callFlags>[number];

export type { Lang };

/** Whether an attempt starts its own session or continues the last one of its agent. */
const sessionUse = codes(["fresh", "continue"]);
export type SessionUse = TypeOf<typeof sessionUse>;

/** The reaction when the last attempts made no progress. */
export const ON_STUCK = ["stop", "continue", "next-agent"] as const;
export const onStuck = codes(ON_STUCK);
export type OnStuck = TypeOf<typeof onStuck>;
/** The document of a step promises five rounds. In `supervise` no document promises to pay for equal attempts. */
export const DEFAULT_ON_STUCK = { supervise: "next-agent", run: "continue" } as const;

/** A prompt from the start of the run. */
export const promptText = object({
  text: ours(),
  sha256,
  /** Its file; null: the built-in prompt. */
  path: nullable(path),
});
export type PromptTemplate = TypeOf<typeof promptText>;

/** A run's budget; null: no limit. */
export const limits = object({
  costUsd: nullable(amount),
  tokens: nullable(amount),
  timeMs: nullable(amount),
  /** For one stretch of waiting for agents to become available again. */
  waitMs: amount,
});
export type Limits = TypeOf<typeof limits>;

const common = {
  task: ours(),
  /** In the order they are tried; empty where there is a command. */
  agents: agentProfiles,
  session: sessionUse,
  /** Names of environment variables to keep secret, besides those with a secret's name. */
  secrets: list(ours()),
  /** The number of attempts: at the task, or at each step. */
  maxLoops: ordinal,
  cwd: path,
  /** The directory where the command was started; the report is written there. */
  calledFrom: path,
  /** For commands that start a run again; the run itself does not read them. */
  callFlags: optional(about(callFlags, "flags of the command line as they were typed")),
  reportPath: path,
  force: flag,
  agentTimeoutMs: count,
  /** A turn stalls when its output, CPU time and work tree are all still for this long; 0: never. */
  stallMs: count,
  limits,
  testTimeoutMs: count,
  maxOutputBytes: count,
  room: about(nullable(roomSettings), "null: checks run in the work tree itself"),
  /** Whether agents can write only the work tree. */
  sandbox: flag,
  lang,
};

const planSetting = oneOf(null, [
  object({ sha256 }),
  object({ problem: codes(["plan_file_missing", "plan_file_unreadable"]) }),
]);
/** Its digest, or why it cannot be used. */
export type Plan = TypeOf<typeof planSetting>;

const superviseSettings = object({
  ...common,
  mode: codes(["supervise"]),
  planFile: path,
  plan: planSetting,
  /** The person's own command; null where agents are named. */
  agentCmd: nullable(ours()),
  /** Null: the person's command brings its own prompt. */
  prompt: nullable(promptText),
  testFast: list(ours()),
  testFull: list(ours()),
  onStuck,
  nonce: flag,
});
export type SuperviseSettings = TypeOf<typeof superviseSettings>;

const stepsSettings = object({
  ...common,
  mode: codes(["run"]),
  stepsDir: path,
  /** As their files were when the run started, in order. */
  steps: list(step),
  /** The steps that the person chose, from 1; null: all. */
  chosen: nullable(list(ordinal)),
  /** The steps that a person marked as done in an earlier run, from 1. */
  markedBefore: list(ordinal),
  unjudgedBefore: optional(about(list(ordinal), "steps whose work by an earlier run has no verdict")),
  /** Names of agents that do the work, in the order they are tried. */
  workers: list(ours()),
  /** Agents that verify, in the order they are tried; empty: any worker, preferably another one than did the work. */
  verifiers: list(ours()),
  prompts: object({ implement: promptText, verify: promptText }),
  fullVerify: flag,
  /** Whether a re-opened step is tested and verified again. */
  reverify: flag,
  onStuck,
});
export type StepsSettings = TypeOf<typeof stepsSettings>;

const analyzeSettings = object({
  ...common,
  mode: codes(["analyze"]),
  requirements: object({ path, sha256 }),
  /** The directory for the steps; null: named after the agent's title of the requirements. */
  outDir: nullable(path),
  /** The steps are shown and not written. */
  dryRun: flag,
  prompts: object({ analyze: promptText }),
});
export type AnalyzeSettings = TypeOf<typeof analyzeSettings>;

/** Tasks whose tests were seen to fail. Valid while the tests are the same. */
const redBefore = object({
  /** A digest. */
  tests: ours(),
  tasks: list(object({ id: ours(), commands: list(ours()) })),
});
export type RedBefore = TypeOf<typeof redBefore>;

/** Names of agents of each role, in the order they are tried. */
export const roles = about(
  object({ main: list(ours()), test: list(ours()), dev: list(ours()), review: list(ours()) }),
  "Names of agents in order of preference",
);
export type RoleAgents = TypeOf<typeof roles>;

const orchestrateSettings = object({
  ...common,
  mode: codes(["orchestrate"]),
  boardDir: path,
  /** The number of earlier iterations on the board: numbers continue from run to run. */
  iterationsBefore: count,
  /** The files of the board from the start of the run. */
  plan: ours(),
  context: ours(),
  projectEnv: ours(),
  /** Of `project_history.md`, which is kept next to the journal; null: there was none. */
  historySha256: nullable(sha256),
  /** People's decisions in earlier runs. */
  decided: list(boardDecision),
  redBefore: about(
    nullable(redBefore),
    "commands that failed in the last run on the board, and the digest of the tests at that time",
  ),
  env: projectEnv,
  roles,
  prompts: object({ main: promptText, test: promptText, dev: promptText, review: promptText }),
});
export type OrchestrateSettings = TypeOf<typeof orchestrateSettings>;

const chatSettings = object({
  ...common,
  mode: codes(["chat"]),
  /** A script's prompt; null: a person works with the agent in the terminal. */
  prompt: nullable(ours()),
  /** Names of agents: the one that the person works with, and the reviewers. */
  worker: ours(),
  reviewer: ours(),
  /** Whether the reviewer starts from the conversation, in a fork of its session. */
  forks: flag,
  /** The person's arguments for the agent's program in the terminal. */
  agentArgs: list(ours()),
  /** `SUPERVISOR.md`: the reviewer's role. */
  supervisor: promptText,
  /** The line by which the reviewer calls the task completed. */
  marker: ours(),
  /** The line by which the reviewer reports that the agent waits for the user's answer. */
  waitingMarker: ours(),
  /** Commands that must pass before any task is accepted. */
  checks: list(ours()),
});
export type ChatSettings = TypeOf<typeof chatSettings>;

/** The person's settings at the start of the run. Only the verifiers may change later. */
export const settings = oneOf("mode", [
  superviseSettings,
  stepsSettings,
  analyzeSettings,
  orchestrateSettings,
  chatSettings,
]);
export type Settings = TypeOf<typeof settings>;
/** Names of the settings that each mode records. */
export const SETTING_NAMES: Readonly<Record<Settings["mode"], readonly string[]>> = {
  supervise: Object.keys(superviseSettings.fields),
  run: Object.keys(stepsSettings.fields),
  analyze: Object.keys(analyzeSettings.fields),
  orchestrate: Object.keys(orchestrateSettings.fields),
  chat: Object.keys(chatSettings.fields),
};

/** Identified by its path, relative to the root of the tree, and by its id in the file system. */
export const outputs = list(object({ path: ours(), id: ours() }));
export type OutputFile = TypeOf<typeof outputs>[number];

export const keptFiles = about(
  list(object({ path, sha256: about(nullable(sha256), "null: the file did not exist") })),
  "Input files of the run. Later changes of them have no effect",
);
export type KeptFile = TypeOf<typeof keptFiles>[number];
