import type { BaseChecked, BaseTaken, CandidateTaken } from "./event.ts";

/** What is known about the tree that work is held against. */
export interface BaseState {
  readonly taken: BaseTaken;
  readonly checks: readonly BaseChecked[];
  /** How often it had to be taken before anybody worked at it. */
  readonly times: number;
  /** How many attempts there were when it was taken. */
  readonly attempts: number;
}

/** What is known about the tree that an attempt left. */
export interface CandidateState {
  readonly taken: CandidateTaken;
  /** How often it had to be taken. */
  readonly times: number;
  readonly confirmed: boolean;
  /** What a person said about the oracle's changes; null: nobody was asked, or nobody answered. */
  readonly decided: "allow" | "refuse" | null;
}
