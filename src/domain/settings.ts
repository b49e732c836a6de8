import type { AgentProfile } from "./agent-profile.ts";
import type { BoardDecision } from "./board/decisions.ts";
import type { ProjectEnv } from "./board/project-env.ts";
import type { RoomSettings } from "./room/settings.ts";
import type { Step } from "./step.ts";

/** What the person asked for when the run started. Only who verifies steps may change later. */
export type Settings =
  | SuperviseSettings
  | StepsSettings
  | AnalyzeSettings
  | OrchestrateSettings
  | ChatSettings;

/** A flag as it was typed, with its values. */
export interface CallFlag {
  readonly flag: string;
  readonly values: readonly string[];
}

interface CommonSettings {
  readonly task: string;
  /** In the order they are tried; empty where there is a command. */
  readonly agents: readonly AgentProfile[];
  readonly session: SessionUse;
  /** Names of environment variables whose values are kept secret, besides those that look so. */
  readonly secrets: readonly string[];
  /** How many attempts there are: at the task, or at each step. */
  readonly maxLoops: number;
  readonly cwd: string;
  /** Of the command line. For commands that start a run again; the run itself does not read them. */
  readonly callFlags?: readonly CallFlag[];
  /** The directory the command was called from: the report sits there. */
  readonly calledFrom: string;
  readonly reportPath: string;
  readonly force: boolean;
  readonly agentTimeoutMs: number;
  /** A turn whose output, CPU time and work tree are all still for so long has stalled; 0: never. */
  readonly stallMs: number;
  readonly limits: Limits;
  readonly testTimeoutMs: number;
  readonly maxOutputBytes: number;
  /** Null: checks run in the work tree as the agent left it. */
  readonly room: RoomSettings | null;
  /** Whether agents see nothing but the work tree read-write. */
  readonly sandbox: boolean;
  readonly lang: Lang;
}

export interface SuperviseSettings extends CommonSettings {
  readonly mode: "supervise";
  readonly planFile: string;
  readonly plan: Plan;
  /** The person's own command; null where agents are named. */
  readonly agentCmd: string | null;
  /** What agents are told, as it was when the run started; null: the person's command knows what to say. */
  readonly prompt: PromptTemplate | null;
  readonly testFast: readonly string[];
  readonly testFull: readonly string[];
  readonly onStuck: OnStuck;
  readonly nonce: boolean;
}

/** Why the plan cannot be used, or its digest. */
export type Plan =
  | { readonly sha256: string }
  | { readonly problem: "plan_file_missing" | "plan_file_unreadable" };

export interface StepsSettings extends CommonSettings {
  readonly mode: "run";
  readonly stepsDir: string;
  /** As their files were when the run started, in the order they are taken. */
  readonly steps: readonly Step[];
  /** Which of them the person chose, from 1; null: all. */
  readonly chosen: readonly number[] | null;
  /** Which of them a person marked as done in an earlier run, from 1. */
  readonly markedBefore: readonly number[];
  /** Which of them have work in the tree that an earlier run left without a verdict, from 1. */
  readonly unjudgedBefore?: readonly number[];
  /** Names of agents: who does the work, in the order they are tried. */
  readonly workers: readonly string[];
  /** Who looks at the work, in the order they are tried; empty: any worker, rather another one than did the work. */
  readonly verifiers: readonly string[];
  readonly prompts: { readonly implement: PromptTemplate; readonly verify: PromptTemplate };
  readonly fullVerify: boolean;
  /** Whether a step that was re-opened is tested and verified again. */
  readonly reverify: boolean;
  readonly onStuck: OnStuck;
}

/** What to do when the last attempts lead nowhere. */
export const ON_STUCK = ["stop", "continue", "next-agent"] as const;
export type OnStuck = (typeof ON_STUCK)[number];
/** A step gets five rounds by its document. In `supervise` no document says that equal attempts have to be paid for. */
export const DEFAULT_ON_STUCK = { supervise: "next-agent", run: "continue" } as const;

export interface AnalyzeSettings extends CommonSettings {
  readonly mode: "analyze";
  readonly requirements: KeptFile & { readonly sha256: string };
  /** Where the steps are written to; null: named after what the agent calls the requirements. */
  readonly outDir: string | null;
  /** The steps are shown and not written. */
  readonly dryRun: boolean;
  readonly prompts: { readonly analyze: PromptTemplate };
}

export interface OrchestrateSettings extends CommonSettings {
  readonly mode: "orchestrate";
  readonly boardDir: string;
  /** How many iterations the board had seen before: their numbers go on from run to run. */
  readonly iterationsBefore: number;
  /** The files of the board as they were when the run started. */
  readonly plan: string;
  readonly context: string;
  readonly projectEnv: string;
  /** Of `project_history.md`, which is kept beside the journal; null: there was none. */
  readonly historySha256: string | null;
  /** What people decided in earlier runs. */
  readonly decided: readonly BoardDecision[];
  /** What the last run on the board saw red; null: nothing. */
  readonly redBefore: RedBefore | null;
  readonly env: ProjectEnv;
  /** Names of agents, in the order they are tried. */
  readonly roles: RoleAgents;
  readonly prompts: {
    readonly main: PromptTemplate;
    readonly test: PromptTemplate;
    readonly dev: PromptTemplate;
    readonly review: PromptTemplate;
  };
}

/** Tasks whose tests were seen to fail. It counts while the tests are the same. */
export interface RedBefore {
  /** What they were, as a digest. */
  readonly tests: string;
  readonly tasks: readonly { readonly id: string; readonly commands: readonly string[] }[];
}

export interface ChatSettings extends CommonSettings {
  readonly mode: "chat";
  /** What a script asks; null: a person works with the agent in the terminal. */
  readonly prompt: string | null;
  /** Names of agents: whom the person works with, and who looks at the work. */
  readonly worker: string;
  readonly reviewer: string;
  /** Whether the reviewer begins where the conversation is, in a fork of its session. */
  readonly forks: boolean;
  /** What the person gives the agent's program in the terminal. */
  readonly agentArgs: readonly string[];
  /** `SUPERVISOR.md`: what the reviewer is. */
  readonly supervisor: PromptTemplate;
  /** The line by which the reviewer calls the task completed. */
  readonly marker: string;
  /** The line by which the reviewer reports that the agent waits for an answer of the user. */
  readonly waitingMarker: string;
  /** Commands without which no task is accepted. */
  readonly checks: readonly string[];
}

export interface RoleAgents {
  readonly main: readonly string[];
  readonly test: readonly string[];
  readonly dev: readonly string[];
  readonly review: readonly string[];
}

/** What agents are told, whatever the mode. */
export function promptsOf(settings: Settings): readonly PromptTemplate[] {
  switch (settings.mode) {
    case "supervise":
      return settings.prompt ? [settings.prompt] : [];
    case "run":
    case "analyze":
    case "orchestrate":
      return Object.values(settings.prompts);
    case "chat":
      return [settings.supervisor];
  }
}

export type Lang = "en" | "zh";

/** Whether an attempt starts a session of its own or goes on with the last one of its agent. */
export type SessionUse = "fresh" | "continue";

export interface PromptTemplate {
  readonly text: string;
  readonly sha256: string;
  /** The file it was read from; null: the one that comes with the program. */
  readonly path: string | null;
}

/** What a run may use up; null: no limit. */
export interface Limits {
  readonly costUsd: number | null;
  readonly tokens: number | null;
  readonly timeMs: number | null;
  /** For one stretch of waiting for agents to become available again. */
  readonly waitMs: number;
}

/** Identified by its path, relative to the root of the tree, and by its id in the file system. */
export interface OutputFile {
  readonly path: string;
  readonly id: string;
}

/** A file that the run was started with, or, with a null, without: later changes have no effect, and are reported. */
export interface KeptFile {
  readonly path: string;
  readonly sha256: string | null;
}
