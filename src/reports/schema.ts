import { z } from "zod";
import { ADAPTERS } from "../domain/agent-profile.ts";
import type { RunEvent } from "../domain/event.ts";
import type { AttemptReport, RunReport } from "./report.ts";

/**
 * The public formats as schemas. Used at build time (schemas/*.json) and by tests, never by the program itself; the types
 * they are declared with keep them from drifting.
 */
const timestamp = z.iso.datetime().describe("UTC, ISO 8601");
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const path = z.string().min(1);
const count = z.number().int().min(0);
const ordinal = z.number().int().min(1);
const lang = z.enum(["en", "zh"]);

const captured = z
  .strictObject({ path, bytes: count, sha256 })
  .describe("Output kept in a file, with the length and digest counted while it arrived");
const leaked = z
  .array(z.strictObject({ pid: count, command: z.string() }))
  .describe("Processes that had to be ended");
const processEnd = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("exited"), code: z.number().int() }),
  z.strictObject({ kind: z.literal("signaled"), signal: z.string() }),
  z.strictObject({ kind: z.literal("timeout"), afterMs: count }),
  z.strictObject({ kind: z.literal("stalled"), afterMs: count }),
  z.strictObject({ kind: z.literal("finished") }),
  z.strictObject({ kind: z.literal("over_budget") }),
  z.strictObject({ kind: z.literal("output_cap"), capBytes: count }),
  z.strictObject({ kind: z.literal("not_started"), message: z.string() }),
]);
const statusMarker = z.enum(["DONE", "NEEDS_WORK", "BLOCKED"]);
const reason = z.enum([
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
]);
const verdict = z.enum(["accepted", "rejected"]);
const phase = z.enum(["fast", "full"]);
const finalStatus = z.enum(["passed", "failed", "manually_passed", "manually_failed"]);
const endReason = z.enum([
  "accepted",
  "limit_reached",
  "marked_by_person",
  "plan_file_missing",
  "plan_file_unreadable",
  "cancelled",
]);
const impasse = z.enum(["budget_reached", "wait_limit_reached", "no_agent_available"]);
const failureClass = z.enum([
  "quota",
  "rate_limited",
  "overloaded",
  "auth",
  "permission",
  "missing",
  "session_lost",
  "question",
  "refused",
  "own_limit",
  "crashed",
  "timeout",
  "no_output",
  "protocol",
]);
const adapter = z.enum(ADAPTERS);
const amount = z.number().min(0);
const usageReport = {
  input_tokens: amount,
  cached_input_tokens: amount,
  output_tokens: amount,
  total_tokens: amount,
  cost_usd: amount.nullable().describe("null: not told"),
};
const keptFiles = z
  .array(z.strictObject({ path, sha256 }))
  .describe("Files the run was started with; later changes of them have no effect");
const denials = z
  .array(z.strictObject({ tool: z.string(), about: z.string() }))
  .describe("Tool calls that the agent was not allowed to make");
const containment = z.enum([
  "pid_namespace",
  "user_pid_namespace",
  "bubblewrap",
  "process_group",
  "process_tree",
]);
const via = z.enum(["terminal", "decide"]);

export const attemptReportSchema: z.ZodType<AttemptReport> = z.strictObject({
  index: ordinal,
  agent_exit_code: z.number().int().nullable(),
  agent_status_marker: statusMarker.nullable(),
  agent_evidence: z.string().nullable(),
  fast_tests_passed: z.boolean(),
  full_test_executed: z.boolean(),
  full_test_passed: z.boolean().nullable().describe("null: the full tests were not run"),
  decision: verdict,
  reasons: z.array(reason),
  duration_ms: count,
  stdout_path: path,
  stderr_path: path,
  started_at: timestamp,
  marker_order_certain: z.boolean(),
  changed_inputs: z
    .array(path)
    .describe("files the run was started with that are not as they were; their changes had no effect"),
  agent: z.strictObject({
    name: z.string().nullable().describe("null: the person's own command"),
    command: z.string(),
    model: z.string().nullable(),
    session_id: z.string().nullable(),
    usage: z.strictObject(usageReport).nullable().describe("of this turn alone"),
    failure: z.strictObject({ class: failureClass, message: z.string() }).nullable(),
    files_touched: z.array(z.string()),
    denials,
    unknown_lines: count,
    message: captured.nullable(),
    end: processEnd,
    duration_ms: count,
    stdout: captured,
    stderr: captured,
    leaked,
  }),
  tests: z.array(
    z.strictObject({
      phase,
      index: ordinal,
      command: z.string(),
      passed: z.boolean(),
      exit_code: z.number().int().nullable(),
      end: processEnd,
      duration_ms: count,
      output: captured,
      leaked,
    }),
  ),
  feedback: captured,
});

const manualDecision = z.strictObject({
  decision: z.enum(["continue_n", "mark_pass", "mark_fail"]),
  n: ordinal.nullable(),
  note: z.string().nullable(),
  via,
  at: timestamp,
});

export const runReportSchema: z.ZodType<RunReport> = z.strictObject({
  schema_version: z.literal(1),
  run_id: z.string(),
  task: z.string(),
  plan_file: path,
  agent_cmd: z.string().describe("the person's command, or the names of the agents"),
  agents: z.array(
    z.strictObject({
      name: z.string(),
      adapter,
      model: z.string().nullable(),
      endpoint: z.string().nullable(),
    }),
  ),
  test_fast: z.array(z.string()),
  test_full: z.array(z.string()),
  cwd: path,
  max_loops: ordinal,
  allowed_loops: ordinal.describe("max_loops plus what a person granted"),
  final_status: finalStatus,
  end_reason: z.union([endReason, impasse]),
  resumable: z.boolean().describe("the run can go on once a person has changed what stopped it"),
  exit_code: count,
  started_at: timestamp,
  finished_at: timestamp,
  attempts: z.array(attemptReportSchema),
  manual_decision: manualDecision.nullable().describe("the last one"),
  manual_decision_history: z.array(manualDecision),
  spent: z.strictObject({
    ...usageReport,
    turns_without_cost: count,
    turns_without_tokens: count,
    active_ms: count,
  }),
  limits: z.strictObject({
    max_cost_usd: amount.nullable(),
    max_tokens: amount.nullable(),
    max_time_ms: amount.nullable(),
    max_wait_ms: amount,
  }),
  agent_failures: z
    .array(
      z.strictObject({
        agent: z.string(),
        attempt: ordinal,
        turn: ordinal,
        at: timestamp,
        class: failureClass,
        message: z.string(),
        retry_at: timestamp.nullable(),
        usage: z.strictObject(usageReport).nullable(),
        stdout_path: path,
        stderr_path: path,
      }),
    )
    .describe("turns that cost no attempt, for the agent was not available"),
  config_files: keptFiles,
  prompt: z
    .strictObject({ path: path.nullable().describe("null: the one that comes with the program"), sha256 })
    .nullable(),
  report_path: path,
  run_dir: path,
  journal_path: path,
  base_commit: z.string().nullable(),
  containment: z.strictObject({ level: containment, best_effort: z.boolean() }),
  interrupted_turns: z.array(z.strictObject({ attempt: ordinal, turn: ordinal })),
  refused_answers: count,
  tool: z.strictObject({
    name: z.literal("agent-foreman"),
    version: z.string(),
    node: z.string(),
    platform: z.string(),
  }),
});

const processRecord = z.strictObject({ command: z.string(), end: processEnd, durationMs: count, leaked });
const claim = z.strictObject({
  status: z.union([statusMarker, z.literal("invalid")]).nullable(),
  statusText: z.string().nullable(),
  evidence: z.string().nullable(),
  orderCertain: z.boolean(),
});
const answer = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("continue_n"), n: ordinal }),
  z.strictObject({ kind: z.literal("mark_pass") }),
  z.strictObject({ kind: z.literal("mark_fail") }),
]);
const limits = z.strictObject({
  costUsd: amount.nullable(),
  tokens: amount.nullable(),
  timeMs: amount.nullable(),
  waitMs: amount,
});
const usage = z.strictObject({ input: amount, cached: amount, output: amount, costUsd: amount.nullable() });
const turnFailure = z.strictObject({
  class: failureClass,
  message: z.string(),
  retryAt: timestamp.nullable(),
});
const agentRecord = {
  name: z.string(),
  failure: turnFailure.nullable(),
  sessionId: z.string().nullable(),
  model: z.string().nullable(),
  usage: usage.nullable(),
  sessionTotals: usage.nullable(),
  filesTouched: z.array(z.string()),
  denials,
  unknownLines: count,
  message: captured.nullable(),
};
const settings = z.strictObject({
  mode: z.literal("supervise"),
  task: z.string(),
  planFile: path,
  agentCmd: z.string().nullable(),
  agents: z.array(
    z.strictObject({
      name: z.string(),
      adapter,
      program: z.string().nullable(),
      command: z.string().nullable(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
      model: z.string().nullable(),
      endpoint: z.string().nullable(),
      price: z.strictObject({ input: amount, cached: amount, output: amount }).nullable(),
    }),
  ),
  session: z.enum(["fresh", "continue"]),
  prompt: z.strictObject({ text: z.string(), sha256, path: path.nullable() }).nullable(),
  secrets: z.array(z.string()),
  testFast: z.array(z.string()),
  testFull: z.array(z.string()),
  maxLoops: ordinal,
  cwd: path,
  calledFrom: path,
  reportPath: path,
  force: z.boolean(),
  agentTimeoutMs: count,
  stallMs: count,
  limits,
  testTimeoutMs: count,
  maxOutputBytes: count,
  nonce: z.boolean(),
  lang,
});
const event = <T extends RunEvent["type"], S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...shape });

export const runEventSchema: z.ZodType<RunEvent> = z.discriminatedUnion("type", [
  event("run_started", {
    runId: z.string(),
    settings,
    plan: z.union([
      z.strictObject({ sha256 }),
      z.strictObject({ problem: z.enum(["plan_file_missing", "plan_file_unreadable"]) }),
    ]),
    config: keptFiles,
    containment,
    interactive: z.boolean(),
    baseCommit: z.string().nullable(),
    toolVersion: z.string(),
    node: z.string(),
    platform: z.string(),
  }),
  event("run_resumed", {
    interactive: z.boolean(),
    containment,
    limits,
    toolVersion: z.string(),
    ended: leaked,
  }),
  event("run_stopped", { by: z.union([z.enum(["SIGINT", "SIGTERM", "SIGHUP", "undecided"]), impasse]) }),
  event("turn_started", {
    attempt: ordinal,
    turn: ordinal,
    agent: z.string().nullable(),
    resumes: z.string().nullable(),
  }),
  event("turn_ended", {
    attempt: ordinal,
    turn: ordinal,
    process: processRecord,
    stdout: captured,
    stderr: captured,
    claim,
    agent: z.strictObject(agentRecord).nullable(),
    changedInputs: z.array(path),
  }),
  event("turn_failed", {
    attempt: ordinal,
    turn: ordinal,
    process: processRecord,
    stdout: captured,
    stderr: captured,
    agent: z.strictObject({ ...agentRecord, failure: turnFailure }),
  }),
  event("wait_started", { agent: z.string(), class: failureClass, until: timestamp }),
  event("wait_ended", {}),
  event("turn_interrupted", { attempt: ordinal, turn: ordinal }),
  event("check_ended", { attempt: ordinal, phase, index: ordinal, process: processRecord, output: captured }),
  event("attempt_judged", { attempt: ordinal, verdict, reasons: z.array(reason), feedback: captured }),
  event("question_asked", { id: z.string() }),
  event("question_answered", {
    id: z.string(),
    answer,
    note: z.string().nullable(),
    via,
    messageId: z.string().nullable(),
  }),
  event("answer_refused", {
    messageId: z.string(),
    why: z.enum(["no_open_question", "wrong_question_id", "unreadable"]),
    answer: answer.nullable(),
    note: z.string().nullable(),
  }),
  event("run_ended", {
    status: finalStatus,
    exitCode: count,
    reason: endReason,
    messageId: z.string().nullable(),
  }),
]);

export const journalRecordSchema = z.strictObject({
  v: z.literal(1),
  seq: ordinal,
  at: timestamp,
  prev: sha256.describe("hash of the record before; zeros for the first"),
  event: runEventSchema,
  hash: sha256.describe("SHA-256 of the line's text before this field"),
});

/** A line of `--json`. */
export const jsonLineSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("event"),
    run_id: z.string(),
    seq: ordinal,
    at: timestamp,
    event: runEventSchema,
  }),
  z.strictObject({
    type: z.literal("phase"),
    attempt: ordinal,
    phase: z.enum(["agent", "fast", "full"]),
    command: z.string(),
  }),
  z.strictObject({ type: z.literal("output"), stream: z.enum(["stdout", "stderr"]), text: z.string() }),
  z.strictObject({
    type: z.literal("check_output"),
    path,
    lines: z.array(
      z.union([z.strictObject({ text: z.string() }), z.strictObject({ left_out: count.nullable() })]),
    ),
  }),
  z.strictObject({ type: z.literal("activity"), text: z.string() }),
  z.strictObject({ type: z.literal("stopping"), signal: z.enum(["SIGINT", "SIGTERM", "SIGHUP"]) }),
  z.strictObject({ type: z.literal("killing") }),
  z.strictObject({
    type: z.literal("left"),
    run_id: z.string(),
    status: finalStatus.nullable(),
    exit_code: count.nullable(),
    reason: z.union([endReason, impasse]).nullable(),
    state: z.enum(["ended", "stopped", "waiting"]),
    report_path: path.nullable(),
  }),
]);

/** File name → schema, as shipped. */
export const publicSchemas = {
  "report.schema.json": runReportSchema,
  "attempt.schema.json": attemptReportSchema,
  "journal-record.schema.json": journalRecordSchema,
  "json-line.schema.json": jsonLineSchema,
} as const;

export function jsonSchemaText(name: keyof typeof publicSchemas): string {
  const schema = z.toJSONSchema(publicSchemas[name], { target: "draft-2020-12" });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
