import type { Captured, ProcessEnd } from "../process-end.ts";
import type { DropReason, Reviews } from "./event.ts";

/** A conversation that is reviewed. */
export interface ChatState {
  /** What the person asked, in order; what the foreman typed is not among it. */
  readonly inputs: readonly Input[];
  /** How many inputs the agent put back into its box; they are not among the others. */
  readonly takenBack: number;
  /** The agent's own session, as it last named it. */
  readonly session: string | null;
  readonly reviews: Reviews;
  /** The agent in the terminal; where a script asks there never is one. */
  readonly live: "not_started" | "running" | { readonly end: ProcessEnd };
}

/** Where a script asks, the text lies in the settings. */
export interface Input {
  readonly text: Captured | null;
  /** Which session it was given to, where that is known. */
  readonly session: string | null;
  readonly at: string;
}

/** What an attempt is in a conversation: the agent has stopped. */
export interface ChatAttempt {
  /** The number of the input it is about. */
  readonly task: number;
  /** What the agent said last in the terminal. */
  readonly said: Captured | null;
  /** What became of it; null: that is still open. */
  readonly settled: "accepted" | "feedback_sent" | DropReason | null;
}
