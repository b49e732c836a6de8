/** A step's result. Stable codes, the same in every language. */
export type StepResult = "passed" | "failed" | "not_run";
export type StepNote =
  | "already_done"
  | "not_chosen"
  /** The run ended before it. */
  | "not_reached"
  | "under_way"
  | "marked_by_person"
  /** On the person's request the agent's turn alone decided (--no-reverify). */
  | "not_verified";
