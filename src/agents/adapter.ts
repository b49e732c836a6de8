import type { AgentTurn, Usage } from "../domain/agent-turn.ts";
import type { ProcessEnd } from "../domain/process-end.ts";

/** Our module for one agent: how to call it, and how to read what it writes. */
export interface Adapter {
  readonly name: string;
  /** The executable, unless a profile names another. */
  readonly program: string;
  /** What a person types to get it, and to log in; variables that do instead in brackets. No sentences: they have no language. */
  readonly install: string;
  readonly login: string;
  /** The versions it was seen with, oldest and newest. */
  readonly tested: readonly [oldest: string, newest: string];
  readonly can: Capabilities;
  /** What its standard input is: the prompt and then the end, or a conversation that the reader holds. */
  readonly stdin: "prompt" | "conversation";
  /** Loads what is too large to be loaded with the program. */
  readonly prepare?: () => Promise<unknown>;
  readonly command: (request: TurnRequest) => AgentCommand;
  readonly read: (context: ReadContext) => TurnReader;
}

/** What an agent has in a turn: all its tools, those that read and search, or none at all. */
export type Tools = "all" | "read" | "none";

export interface Capabilities {
  readonly resume: boolean;
  readonly fork: boolean;
  /** The least it can be kept to; `all`: it cannot be kept from writing. */
  readonly tools: Tools;
  /** Takes a system prompt for one call, in a session of any kind. */
  readonly system: boolean;
  readonly tokens: boolean;
  readonly cost: boolean;
}

/** What a profile says about the agent, after `extends` and environment references are resolved. */
export interface AgentOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly model: string | null;
  readonly endpoint: string | null;
}

export interface TurnRequest {
  readonly options: AgentOptions;
  readonly session: { readonly kind: "start" } | { readonly kind: "resume" | "fork"; readonly id: string };
  /** Never less than the agent can be kept to: see `leastTools`. */
  readonly tools: Tools;
  /** What the agent is to be in this turn, in place of its own system prompt; null wherever it cannot be told. */
  readonly system: string | null;
  readonly cwd: string;
  /** The turn's own directory, out of the agent's way: for the files of the command. */
  readonly dir: string;
  /** What may still be spent, for agents that can stop themselves. */
  readonly maxCostUsd: number | null;
}

export interface AgentCommand {
  /** The program and its arguments: never passed through a shell unquoted. The prompt is not among them. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What has to be on disk when it starts, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface ReadContext {
  readonly cwd: string;
  readonly now: () => Date;
  /** What the session had used before this turn, for agents that count over the session. */
  readonly before: Usage | null;
  readonly prompt: string;
  readonly request: TurnRequest;
  /** In a conversation: writes to the agent's standard input. */
  readonly send: (text: string) => void;
  /** In a conversation: says that the reader knows more, although nothing was read just now. */
  readonly changed: () => void;
}

/** Reads one turn. Memory stays bounded whatever arrives. */
export interface TurnReader {
  readonly push: (stream: "stdout" | "stderr", chunk: Buffer) => void;
  /** The agent has said its last word: if its process lingers, it may be ended. */
  readonly finished: () => boolean;
  /** What it does at the moment, in a few words of its own (`edit src/a.ts`), or null. */
  readonly activity: () => string | null;
  /** What is known of this turn's usage so far, or null. */
  readonly usageSoFar: () => Usage | null;
  readonly end: (process: ProcessEnd) => TurnSummary;
}

export interface TurnSummary extends AgentTurn {
  /** The agent's final message: where markers are read. Bounded. */
  readonly finalText: string;
}

/** What an agent gets that is to have no more than `wanted`, and can be kept to no less than `can`. */
export function leastTools(wanted: Tools, can: Tools): Tools {
  if (wanted === "all" || can === "all") return "all";
  return wanted === "none" ? can : "read";
}
