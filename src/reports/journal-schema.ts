import { z } from "zod";
import type { RunEvent } from "../domain/event.ts";
import {
  timestamp,
  sha256,
  path,
  count,
  ordinal,
  lang,
  captured,
  leaked,
  processEnd,
  statusMarker,
  reason,
  verdict,
  phase,
  finalStatus,
  endReason,
  impasse,
  failureClass,
  adapter,
  amount,
  keptFiles,
  denials,
  containment,
  via,
} from "./schema-parts.ts";

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

const runEventSchema: z.ZodType<RunEvent> = z.discriminatedUnion("type", [
  event("run_started", {
    runId: z.string(),
    settings,
    plan: z.union([
      z.strictObject({ sha256 }),
      z.strictObject({ problem: z.enum(["plan_file_missing", "plan_file_unreadable"]) }),
    ]),
    config: keptFiles,
    missingAgents: z.array(z.string()),
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
    askNow: z.boolean(),
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
