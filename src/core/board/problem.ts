/** A fault in a file of the board; the text is chosen by language. */
export interface BoardProblem {
  readonly kind: BoardProblemKind;
  /** In the file, from 1; null: the file as a whole. */
  readonly line: number | null;
  /** Its subject: an id, a status, a key. Bounded. */
  readonly about: string;
}

export const BOARD_PROBLEMS = [
  "missing",
  "unreadable",
  "is_link",
  "not_text",
  "too_large",
  "empty",
  "no_milestone",
  "milestone_empty",
  "milestone_repeated",
  "milestone_out_of_order",
  "task_outside_milestone",
  "task_in_other_milestone",
  "task_repeated",
  "task_out_of_order",
  "too_many_tasks",
  "line_unclear",
  "fence_open",
  "field_missing",
  "field_repeated",
  "field_outside_task",
  "status_unknown",
  "acceptance_without_command",
  "acceptance_without_threshold",
  "too_many_commands",
  "command_dangerous",
  "holds_secret",
  "depends_unknown",
  "depends_on_itself",
  "not_json",
  "not_an_object",
  "key_repeated",
  "value_wrong",
] as const;
export type BoardProblemKind = (typeof BOARD_PROBLEMS)[number];
