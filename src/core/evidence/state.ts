import type { BaseChecked, BaseRunEnded, BaseTaken, CandidateTaken } from "./event.ts";

/** The known state of the tree that work is compared with. */
export interface BaseState {
  readonly taken: BaseTaken;
  readonly checks: readonly BaseChecked[];
  /** The first run of the command after these, if it failed and is due again. */
  readonly failedRun: BaseRunEnded | null;
  /** How often it had to be taken before any work. */
  readonly times: number;
  /** How many attempts there were when it was taken. */
  readonly attempts: number;
}

/** The known state of the tree after an attempt. */
export interface CandidateState {
  readonly taken: CandidateTaken;
  /** How often it had to be taken. */
  readonly times: number;
  readonly confirmed: boolean;
  /** A person's answer about changed protected files; null: no question, or no answer. */
  readonly decided: "allow" | "refuse" | null;
}
