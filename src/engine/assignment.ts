import type { AgentRecord, RunEvent, Tools } from "../domain/event.ts";
import type { Captured, ProcessRecord } from "../domain/process-end.ts";

/** What a mode wants of an agent's turn, and what it makes of it. */
export interface Assignment {
  readonly prompt: string;
  /** Who the agent is to be; it goes before the prompt where the agent cannot be told otherwise. */
  readonly system?: string | null;
  /** Wished for: not every agent can be kept from reading, or from writing. */
  readonly tools: Tools;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the agent answered as it was asked to: then it has worked, whatever was said about its service beside it. */
  readonly answers: (finalText: string) => boolean;
  /** `tools`: what it could use in the end. `misled`: somebody has changed the files by which it was told what to do. */
  readonly conclude: (finalText: string, ended: EndedTurn, tools: Tools, misled: boolean) => RunEvent;
}

/** A turn in which the agent was available. */
export interface EndedTurn {
  readonly attempt: number;
  readonly turn: number;
  readonly process: ProcessRecord;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly agent: AgentRecord;
  readonly changedInputs: readonly string[];
}
