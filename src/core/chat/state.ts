import type { Artifact, ProcessEnd } from "../../platform/process/process-end.ts";
import type { DropReason, Reviews } from "./event.ts";

/** A reviewed conversation. */
export interface ChatState {
  /** The person's inputs, in order, without those that the foreman typed. */
  readonly inputs: readonly Input[];
  /** How many inputs the agent put back into its box; `inputs` excludes them. */
  readonly takenBack: number;
  /** The agent's own session, as it last named it. */
  readonly session: string | null;
  readonly reviews: Reviews;
  /** The agent in the terminal; always `not_started` if a script asks. */
  readonly live: "not_started" | "running" | { readonly end: ProcessEnd };
}

/** If a script asks, the text is in the settings. */
export interface Input {
  readonly text: Artifact | null;
  /** The session that received it, if known. */
  readonly session: string | null;
  readonly at: string;
}

/** An attempt in a conversation: the agent has stopped. */
export interface ChatAttempt {
  /** The number of its input. */
  readonly task: number;
  /** The agent's last message in the terminal. */
  readonly said: Artifact | null;
  /** Its outcome; null: still open. */
  readonly settled: "accepted" | "feedback_sent" | DropReason | null;
}
