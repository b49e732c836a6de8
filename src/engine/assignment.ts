import type { AgentRecord, RunEvent, Tools, TurnEnded } from "../core/event.ts";

/** A mode's request for an agent's turn, and its evaluation of the answer. */
export interface Assignment {
  readonly prompt: string;
  /** The agent's role; added to the prompt if the agent has no separate option for it. */
  readonly system?: string | null;
  /** Requested only: not every agent can be kept from reading or writing. */
  readonly tools: Tools;
  readonly env: Readonly<Record<string, string>>;
  /** Whether the agent answered in the requested form. Then it has worked, whatever its service reported beside it. */
  readonly answers: (finalText: string) => boolean;
  /** `tools`: those actually available. `misled`: the files with its instructions were changed. */
  readonly conclude: (finalText: string, ended: EndedTurn, tools: Tools, misled: boolean) => RunEvent;
}

/** A turn in which the agent was available. */
export interface EndedTurn extends Omit<TurnEnded, "type" | "claim" | "product" | "notStarted"> {
  readonly agent: AgentRecord;
}
