import { expect, test } from "vitest";
import { Failure } from "../../src/platform/failure.ts";
import { ExitCode } from "../../src/platform/outcome.ts";

const AGENT = ["agent_missing", "agents_missing", "agent_cannot_start", "no_pty"] as const;
const STATE = [
  ...(["state_dir_not_writable", "state_write_failed", "report_write_failed"] as const),
  ...(["tree_locked", "run_is_live", "board_in_use", "answer_not_taken"] as const),
  ...(["journal_empty", "journal_unreadable", "journal_foreign", "journal_newer", "journal_older"] as const),
  ...(["journal_tampered", "journal_changed_while_running", "kept_plan_changed"] as const),
  ...(["steps_taken_over", "step_status_stays", "pipes_not_possible", "room_impossible"] as const),
  ...(["base_changed", "evidence_changed"] as const),
];

test.each(AGENT)("%s: no agent is available", (code) => {
  expect(new Failure(code).exitCode).toBe(ExitCode.agentUnavailable);
});

test.each(STATE)("%s: the state of runs is in the way", (code) => {
  expect(new Failure(code).exitCode).toBe(ExitCode.state);
});

test("other failures are bad input, except a receipt that does not match", () => {
  expect(new Failure("config_invalid").exitCode).toBe(ExitCode.badInput);
  expect(new Failure("receipt_refused").exitCode).toBe(ExitCode.rejected);
});
