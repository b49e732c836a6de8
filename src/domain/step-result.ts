/** How a step came out. Stable codes, the same in every language. */
export type StepResult = "passed" | "failed" | "not_run";
export type StepNote =
  | "already_done"
  | "not_chosen"
  /** The run did not come to it. */
  | "not_reached"
  | "under_way"
  | "marked_by_person"
  /** By the person's wish the agent's turn alone decided (--no-reverify). */
  | "not_verified";
