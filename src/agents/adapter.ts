import type { AgentTurn, Usage } from "../core/agent-turn.ts";
import type { ProcessEnd } from "../platform/process/process-end.ts";

/** Our module for one agent: how to call it, and how to read its output. */
export interface Adapter {
  readonly name: string;
  /** The executable, unless a profile names another. */
  readonly program: string;
  /** Commands to install it and to log in, with alternative variables in brackets. No sentences, because they are not translated. */
  readonly install: string;
  readonly login: string;
  /** The oldest and newest version that we tested. */
  readonly tested: readonly [oldest: string, newest: string];
  readonly can: Capabilities;
  /** The content of its standard input: the prompt and then the end, or a conversation that the reader holds. */
  readonly stdin: "prompt" | "conversation";
  /** Loads code that is too large to load with the program. */
  readonly prepare?: () => Promise<unknown>;
  readonly command: (request: TurnRequest) => AgentCommand;
  readonly read: (context: ReadContext) => TurnReader;
}

/** An agent's tools in a turn: all, only those that read and search, or none. */
export type Tools = "all" | "read" | "none";

export interface Capabilities {
  readonly resume: boolean;
  readonly fork: boolean;
  /** The strictest limit it supports; `all`: it cannot be kept from writing. */
  readonly tools: Tools;
  /** Accepts a system prompt for one call, in a session of any kind. */
  readonly system: boolean;
  readonly tokens: boolean;
  readonly cost: boolean;
}

/** A profile's settings of the agent, after `extends` and environment references are resolved. */
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
  /** Never stricter than the agent supports: see `leastTools`. */
  readonly tools: Tools;
  /** Replaces the agent's own system prompt in this turn; null if the agent does not support it. */
  readonly system: string | null;
  readonly cwd: string;
  /** The turn's own directory for the command's files, away from the agent's. */
  readonly dir: string;
  /** The remaining budget, for agents that can stop themselves. */
  readonly maxCostUsd: number | null;
}

export interface AgentCommand {
  /** The program and its arguments: never passed through a shell unquoted. Excludes the prompt. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Files that must exist when it starts, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface ReadContext {
  readonly cwd: string;
  readonly now: () => Date;
  /** The session's usage before this turn, for agents that count over the session. */
  readonly before: Usage | null;
  readonly prompt: string;
  readonly request: TurnRequest;
  /** In a conversation: writes to the agent's standard input. */
  readonly send: (text: string) => void;
  /** In a conversation: reports new state that did not come from output. */
  readonly changed: () => void;
}

/** Reads one turn. Memory stays bounded for any input. */
export interface TurnReader {
  readonly push: (stream: "stdout" | "stderr", chunk: Buffer) => void;
  /** The agent has sent its final message, so a lingering process may be ended. */
  readonly finished: () => boolean;
  /** Its current action in a few words (`edit src/a.ts`), or null. */
  readonly activity: () => string | null;
  /** This turn's known usage so far, or null. */
  readonly usageSoFar: () => Usage | null;
  readonly end: (process: ProcessEnd) => TurnSummary;
}

export interface TurnSummary extends AgentTurn {
  /** The agent's final message, which contains the markers. Bounded. */
  readonly finalText: string;
}

/** The tools that the agent gets: `wanted`, or more if it cannot be limited that far (`can`). */
export function leastTools(wanted: Tools, can: Tools): Tools {
  if (wanted === "all" || can === "all") return "all";
  return wanted === "none" ? can : "read";
}
