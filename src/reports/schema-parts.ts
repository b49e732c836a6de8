import { z } from "zod";
import { ADAPTERS } from "../domain/agent-profile.ts";
import { ON_STUCK } from "../domain/settings.ts";
import { STEP_STATUSES } from "../domain/step.ts";

/** What the schemas of report and journal have in common. */
export const timestamp = z.iso.datetime().describe("UTC, ISO 8601");
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
export const path = z.string().min(1);
export const count = z.number().int().min(0);
export const ordinal = z.number().int().min(1);
export const lang = z.enum(["en", "zh"]);

export const captured = z
  .strictObject({ path, bytes: count, sha256 })
  .describe("Output kept in a file, with the length and digest counted while it arrived");
export const leaked = z
  .array(z.strictObject({ pid: count, command: z.string() }))
  .describe("Processes that had to be ended");
export const processEnd = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("exited"), code: z.number().int() }),
  z.strictObject({ kind: z.literal("signaled"), signal: z.string() }),
  z.strictObject({ kind: z.literal("timeout"), afterMs: count }),
  z.strictObject({ kind: z.literal("stalled"), afterMs: count }),
  z.strictObject({ kind: z.literal("finished") }),
  z.strictObject({ kind: z.literal("over_budget") }),
  z.strictObject({ kind: z.literal("output_cap"), capBytes: count }),
  z.strictObject({ kind: z.literal("not_started"), message: z.string() }),
]);
/** As the journal has it. */
export const processRecord = z.strictObject({
  command: z.string(),
  end: processEnd,
  durationMs: count,
  leaked,
});
export const statusMarker = z.enum(["DONE", "NEEDS_WORK", "BLOCKED"]);
export const reason = z.enum([
  "missing_or_invalid_status_marker",
  "missing_evidence_marker",
  "agent_needs_work",
  "agent_blocked",
  "agent_exit_nonzero",
  "agent_execution_error",
  "output_cap_exceeded",
  "timeout",
  "stalled",
  "budget_reached",
  "agent_asked_person",
  "agent_refused",
  "agent_own_limit",
  "agent_crashed",
  "agent_no_output",
  "agent_protocol_error",
  "fast_test_failed",
  "full_test_failed",
  "test_execution_error",
  "unit_test_refused",
  "unit_test_failed",
  "verification_failed",
  "verification_missing",
  "verifier_failed",
  "verifier_changed_tree",
  "analysis_unusable",
  "agent_changed_tree",
  "report_without_conclusion",
  "report_incomplete",
  "role_failed",
  "role_blocked",
  "forbidden_change",
  "tests_not_restored",
  "not_red",
  "acceptance_not_runnable",
  "acceptance_failed",
  "check_failed",
  "review_rejected",
  "review_failed",
  "review_empty",
  "tree_changed_in_review",
  "room_failed",
  "dependencies_missing",
  "oracle_changed",
  "own_tests_failed",
  "tests_prove_nothing",
  "exited_by_product",
  "tree_unreadable",
  "tests_failed",
  "tests_cut_short",
  "no_tests",
  "tests_vanished",
  "tests_skipped",
  "tests_rewritten",
  "programs_changed",
  "tree_changed_in_checks",
  "passes_without_work",
  "nothing_changed",
]);
export const verdict = z.enum(["accepted", "rejected"]);
export const phase = z.enum(["fast", "full", "unit", "acceptance", "check"]);
export const finalStatus = z.enum(["passed", "failed", "manually_passed", "manually_failed"]);
export const endReason = z.enum([
  "accepted",
  "limit_reached",
  "marked_by_person",
  "plan_file_missing",
  "plan_file_unreadable",
  "test_cannot_start",
  "agent_cannot_start",
  "setup_failed",
  "stuck",
  "step_file_changed",
  "step_file_invalid",
  "step_write_failed",
  "cancelled",
  "review_failed",
  "nothing_asked",
  "nothing_to_do",
  "left_unaccepted",
  "waiting_for_user",
  "live_agent_failed",
]);
export const impasse = z.enum([
  "budget_reached",
  "wait_limit_reached",
  "no_agent_available",
  "no_verdict",
  "steps_dir_exists",
  "dependencies_missing",
]);
export const stepStatus = z.enum(STEP_STATUSES);
export const unitTest = z
  .strictObject({
    command: z.string(),
    files: z.array(z.string()).exactOptional(),
    notes: z.string().exactOptional(),
  })
  .describe("How the step is tested");
export const reviewItems = z
  .array(z.strictObject({ item: ordinal, passed: z.boolean(), evidence: z.string() }))
  .describe("What the verifier found, item by item");
export const treeChange = z
  .array(z.string())
  .nullable()
  .describe("Files changed by a turn that was to change nothing; null: nobody can tell");
export const onStuck = z.enum(ON_STUCK);
export const failureClass = z.enum([
  "quota",
  "rate_limited",
  "overloaded",
  "unreachable",
  "auth",
  "permission",
  "missing",
  "session_lost",
  "question",
  "refused",
  "own_limit",
  "crashed",
  "timeout",
  "cut_off",
  "no_output",
  "protocol",
]);
export const adapter = z.enum(ADAPTERS);
export const amount = z.number().min(0);
export const usageReport = {
  input_tokens: amount,
  cached_input_tokens: amount,
  output_tokens: amount,
  total_tokens: amount,
  cost_usd: amount.nullable().describe("null: not told"),
};
export const keptFiles = z
  .array(z.strictObject({ path, sha256: sha256.nullable().describe("null: there was no such file") }))
  .describe("Files the run was started with, or without; later changes of them have no effect");
export const denials = z
  .array(z.strictObject({ tool: z.string(), about: z.string() }))
  .describe("Tool calls that the agent was not allowed to make");
export const containment = z.enum([
  "pid_namespace",
  "user_pid_namespace",
  "bubblewrap",
  "process_group",
  "process_tree",
]);
export const via = z.enum(["terminal", "decide"]);

/** A step of an analysis. */
export const plannedStep = {
  summary: z.string().describe("the first line of its description"),
  done: z.boolean(),
  covers: z.array(z.string()).nullable().describe("ids of requirements; null: the agent did not say"),
};
/** What a document asks for, by its structure. */
export const requirement = { id: z.string(), line: ordinal, text: z.string() };
