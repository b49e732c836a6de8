import { codes, foreign, object, type TypeOf } from "../../text/shape.ts";

/** The rules for MAIN's answer, each with its row in the contract. */
export const BOARD_RULES = {
  // The answer itself.
  turn_failed: "B55",
  not_one_json_line: "B55",
  unknown_field: "B55",
  field_missing: "B55",
  field_wrong_type: "B55",
  field_too_long: "B55",
  unknown_next_agent: "B56",
  task_missing: "B57",
  task_not_null: "B57",
  question_incomplete: "B58",
  recommended_unknown: "B58",
  option_invalid: "B59",
  // The history.
  history_header: "B52",
  history_field: "B53",
  history_next_agent: "B53",
  history_dev_plan: "B54",
  history_blockers: "B54",
  root_cause_missing: "B44",
  // The plan.
  plan_invalid: "B9",
  task_lost: "B60",
  new_task_not_todo: "B11",
  status_jump: "B11",
  done_without_green: "B17",
  verified_without_review: "B12",
  verified_without_iteration: "B50",
  review_not_recorded: "B50",
  acceptance_changed: "B13",
  dangerous_command: "B13",
  // The order.
  order_header: "B24",
  order_agent: "B25",
  order_self_test: "B26",
  order_review_mode: "B27",
  order_section: "B28",
  order_commands: "B28",
  order_task: "B14",
  test_order_incomplete: "B30",
  investigation_incomplete: "B41",
  partial_title: "B33",
  partial_scope: "B33",
  // The next agent.
  no_open_task: "B14",
  milestone_not_reviewed: "B21",
  red_not_confirmed: "B15",
  nothing_to_review: "B18",
  review_too_early: "B34",
  partial_not_allowed: "B32",
  feedback_not_investigated: "B40",
  not_what_review_found: "B42",
  not_what_investigation_found: "B43",
  mechanical_retry: "B44",
  failed_three_times: "B45",
  user_cause_unfounded: "B45",
  clarification_unanswered: "B46",
  question_not_passed_on: "B47",
  already_decided: "B61",
  // The end.
  finish_done_left: "B49",
  finish_not_verified: "B48",
  finish_last_report: "B48",
  finish_todo_left: "B48",
  finish_with_update: "B51",
  // MAIN decides and changes no files.
  main_changed_files: "B3",
} as const;
export type BoardRule = keyof typeof BOARD_RULES;
export const rule = codes(Object.keys(BOARD_RULES) as readonly BoardRule[]);

/** A broken rule and its cause: an id, a field, a command. Bounded. */
export const broken = object({ rule, about: foreign() });
export type Broken = TypeOf<typeof broken>;
