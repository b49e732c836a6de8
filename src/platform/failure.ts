import { ExitCode } from "./outcome.ts";
import type { Lang } from "../text/lang.ts";

/**
 * An expected failure: a stable code, its subject, and the exit code of the program. The `words` folders have its text by code and language.
 * Any other thrown error is a bug.
 */
export type FailureCode =
  | StepsFailureCode
  | BoardFailureCode
  | ChatFailureCode
  | RoomFailureCode
  | "usage"
  | "flags_missing"
  | "cwd_not_a_directory"
  | "here_is_gone"
  | "work_dir_gone"
  | "plan_file_missing"
  | "plan_file_unreadable"
  | "plan_file_too_large"
  | "kept_plan_changed"
  | "prompt_invalid"
  | "agent_missing"
  | "agents_missing"
  | "cost_not_reported"
  | "tokens_not_reported"
  | "secret_in_command"
  | "report_not_writable"
  | "report_dir_missing"
  | "dangerous_command"
  | "task_too_long"
  | "state_dir_not_writable"
  | "state_write_failed"
  | "tree_locked"
  | "run_not_found"
  | "run_id_invalid"
  | "run_id_ambiguous"
  | "run_never_began"
  | "no_run_here"
  | "nothing_to_resume"
  | "run_is_live"
  | "run_has_ended"
  | "no_open_question"
  | "answer_not_taken"
  | "report_write_failed"
  | "journal_empty"
  | "journal_unreadable"
  | "journal_foreign"
  | "journal_newer"
  | "journal_older"
  | "journal_tampered"
  | "journal_changed_while_running"
  | "pipes_not_possible"
  | "config_invalid"
  | "agent_unknown"
  | "agent_needs_command"
  | "env_variable_missing"
  | "init_needs_answers"
  | "init_file_exists"
  | "init_not_writable";

/** Faults in the input of `analyze` and `run`. */
export type StepsFailureCode =
  | "steps_dir_missing"
  | "steps_dir_not_a_directory"
  | "steps_dir_unreadable"
  | "steps_dir_not_writable"
  | "steps_taken_over"
  | "step_status_stays"
  | "steps_dir_no_json"
  | "steps_dir_no_steps"
  | "steps_dir_too_many"
  | "steps_invalid"
  | "requirements_missing"
  | "requirements_unreadable"
  | "requirements_empty"
  | "requirements_binary"
  | "requirements_too_large"
  | "out_exists"
  | "out_not_writable";

/** Faults in a board. */
export type BoardFailureCode =
  | "board_missing"
  | "board_not_a_directory"
  | "board_invalid"
  | "board_file_exists"
  | "board_in_use"
  | "board_not_writable"
  | "iterations_wrong_mode"
  | "iterations_ended"
  | "iterations_used";

/** Faults in a conversation. */
export type ChatFailureCode =
  | "supervisor_missing"
  | "supervisor_unusable"
  | "supervisor_exists"
  | "supervisor_not_writable"
  | "chat_unsupported"
  | "chat_not_running"
  | "chat_endpoint"
  | "reviews_stopped"
  | "prompt_too_large"
  | "no_terminal"
  | "terminal_too_small"
  | "no_pty";

/** Faults in the work tree as evidence, and in its isolation. */
export type RoomFailureCode =
  | "tree_unknown"
  | "config_left_changed"
  | "no_changes_kept"
  | "path_not_changed"
  | "base_changed"
  | "room_impossible"
  | "test_cannot_start"
  | "agent_cannot_start"
  | "setup_failed"
  | "evidence_changed"
  | "sandbox_impossible"
  | "receipt_unreadable"
  | "receipt_refused";

const AGENT_FAILURES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "agent_missing",
  "agents_missing",
  "agent_cannot_start",
  "no_pty",
]);

const STATE_FAILURES: ReadonlySet<FailureCode> = new Set<FailureCode>([
  "state_dir_not_writable",
  "state_write_failed",
  "report_write_failed",
  "tree_locked",
  "run_is_live",
  "journal_empty",
  "journal_unreadable",
  "answer_not_taken",
  "journal_foreign",
  "journal_newer",
  "journal_older",
  "journal_tampered",
  "journal_changed_while_running",
  "pipes_not_possible",
  "kept_plan_changed",
  "steps_taken_over",
  "step_status_stays",
  "board_in_use",
  "base_changed",
  "room_impossible",
  "evidence_changed",
]);

export class Failure extends Error {
  readonly code: FailureCode;
  readonly about: Readonly<Record<string, string>>;
  /** The language of the message, where it is known better than by locale. */
  lang: Lang | undefined;

  constructor(code: FailureCode, about: Readonly<Record<string, string>> = {}, options?: ErrorOptions) {
    super(`${code}: ${Object.values(about).join(", ")}`, options);
    this.code = code;
    this.about = about;
  }

  get exitCode(): ExitCode {
    if (this.code === "receipt_refused") return ExitCode.rejected;
    if (AGENT_FAILURES.has(this.code)) return ExitCode.agentUnavailable;
    return STATE_FAILURES.has(this.code) ? ExitCode.state : ExitCode.badInput;
  }
}

/** Several failures at once, each with its finished text. */
export class ListFailure extends Failure {
  readonly lines: readonly string[];

  constructor(
    code: "steps_invalid" | "board_invalid",
    path: string,
    lines: readonly string[],
    about: Readonly<Record<string, string>> = {},
  ) {
    super(code, { path, count: String(lines.length), ...about });
    this.lines = lines;
  }
}

/** The error's message without the call and path that Node appends, because our messages name their subject themselves. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "syscall" in error ? error.message.replace(/, \w+(?: '.*)?$/s, "") : error.message;
}

/** The `code` of a system error such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
