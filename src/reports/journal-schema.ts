import { z } from "zod";
import type { RunEvent } from "../domain/event.ts";
import { broken, mainAnswer, roleReport, tools } from "./schema-board-parts.ts";
import { dropReason, reviews } from "./schema-chat-parts.ts";
import { checkInRoom, notStarted, roomEvents, runChanges } from "./journal-schema-room.ts";
import { stepEvents } from "./journal-schema-steps.ts";
import {
  timestamp,
  sha256,
  path,
  count,
  ordinal,
  captured,
  leaked,
  processRecord,
  statusMarker,
  reason,
  verdict,
  phase,
  finalStatus,
  endReason,
  impasse,
  failureClass,
  amount,
  keptFiles,
  denials,
  containment,
  reviewItems,
  treeChange,
  unitTest,
  via,
} from "./schema-parts.ts";
import { agentProfiles, limits, settings } from "./settings-schema.ts";

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
  z.strictObject({ kind: z.literal("option"), option: z.string() }),
]);
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
  compacted: z.literal(true).exactOptional().describe("the agent shortened its conversation to a summary"),
  unknownLines: count,
  message: captured.nullable(),
};
const fieldFault = z.strictObject({
  field: z.string(),
  expected: z.enum([
    "object",
    "list",
    "text",
    "texts",
    "filled_text",
    "shorter_text",
    "command",
    "step_id",
    "status",
    "step_list",
    "item_list",
    "yes_or_no",
    "usable_name",
    "item_number",
    "item_once",
    "pass_or_fail",
  ]),
  found: z.string().nullable(),
  limit: count.exactOptional(),
});
const ambiguous = z.strictObject({ kind: z.literal("ambiguous"), key: z.string() });
const analysisProblem = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("missing") }),
  ambiguous,
  z.strictObject({ kind: z.literal("malformed"), faults: z.array(fieldFault) }),
]);
const reviewProblem = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.enum(["missing", "amid_text", "misled"]) }),
  ambiguous,
  z.strictObject({ kind: z.literal("malformed"), fault: fieldFault }),
  z.strictObject({ kind: z.literal("incomplete"), items: z.array(ordinal) }),
]);
const product = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("step_work"),
    unitTest: unitTest.nullable(),
    refused: z.string().nullable(),
    tree: sha256.nullable(),
  }),
  z.strictObject({
    kind: z.literal("analysis"),
    problem: analysisProblem.nullable(),
    dir: path.nullable().describe("where the steps belong"),
    changed: treeChange,
  }),
  roleReport,
]);
const event = <T extends RunEvent["type"], S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), ...shape });

const outputs = z.array(z.strictObject({ path: z.string(), id: z.string() })).exactOptional();
const agentVersions = z.record(z.string(), z.string()).exactOptional();

export const runEventSchema: z.ZodType<RunEvent> = z.discriminatedUnion("type", [
  event("run_started", {
    runId: z.string(),
    settings,
    config: keptFiles,
    missingAgents: z.array(z.string()),
    containment,
    interactive: z.boolean(),
    baseCommit: z.string().nullable(),
    agentVersions,
    toolVersion: z.string(),
    outputs,
    node: z.string(),
    platform: z.string(),
  }),
  event("run_resumed", {
    interactive: z.boolean(),
    containment,
    limits,
    askNow: z.boolean(),
    maxLoops: count
      .exactOptional()
      .describe("iterations the run may have from now on, where a person says so"),
    verifiers: agentProfiles
      .exactOptional()
      .describe("who verifies steps from now on, where a person says so"),
    agentVersions,
    toolVersion: z.string(),
    outputs,
    restoredFiles: z
      .array(z.strictObject({ file: z.string(), kept: z.string().nullable() }))
      .exactOptional()
      .describe("files of the board that were not as the journal has them, and copies of their content"),
    ended: leaked,
  }),
  event("run_stopped", {
    by: z.union([z.enum(["SIGINT", "SIGTERM", "SIGHUP", "undecided"]), impasse]),
    changes: runChanges.exactOptional(),
  }),
  event("turn_started", {
    role: z.enum(["worker", "reviewer", "main"]),
    attempt: count.describe("0: a step that was done is put to the test"),
    turn: ordinal,
    agent: z.string().nullable(),
    resumes: z.string().nullable(),
    tree: z
      .string()
      .regex(/^[0-9a-f]{64}$|^[0-9a-f]{16}:[0-9a-f]{64}(?:\.[0-9a-f]{16}:[0-9a-f]{64}){2}$/)
      .nullable()
      .describe(
        "the work tree, as a digest, or one each of tests, product and the rest, behind that of the lists that part them; null: nobody asks, or it cannot be told",
      ),
  }),
  event("turn_ended", {
    attempt: ordinal,
    turn: ordinal,
    process: processRecord,
    stdout: captured,
    stderr: captured,
    claim: claim.nullable(),
    product: product.nullable(),
    agent: z.strictObject(agentRecord).nullable(),
    changedInputs: z.array(path),
    notStarted,
  }),
  event("step_started", stepEvents.started),
  event("step_marked", stepEvents.marked),
  event("step_refused", stepEvents.refused),
  event("review_ended", {
    attempt: count,
    turn: ordinal,
    process: processRecord,
    stdout: captured,
    stderr: captured,
    agent: z.strictObject(agentRecord),
    readOnly: z.boolean(),
    items: reviewItems,
    completed: z
      .boolean()
      .exactOptional()
      .describe("of `chat`: whether the reviewer called the task completed"),
    waiting: z.boolean().exactOptional().describe("of `chat`: the agent waits for an answer of the user"),
    problem: reviewProblem.nullable(),
    changed: treeChange,
    changedInputs: z.array(path),
  }),
  event("main_ended", {
    attempt: ordinal,
    turn: ordinal,
    process: processRecord,
    stdout: captured,
    stderr: captured,
    agent: z.strictObject(agentRecord),
    tools,
    answer: mainAnswer.nullable(),
    broken: z.array(broken),
    refusedCommands: z.array(z.string()),
    changed: treeChange,
    changedInputs: z.array(path),
  }),
  event("board_edited", {
    plan: z.string().nullable(),
    context: z.string().nullable(),
    projectEnv: z.string().nullable(),
  }),
  event("steps_written", stepEvents.written),
  event("live_started", { resumes: z.string().nullable() }),
  event("input_taken_back", { task: ordinal }),
  event("input_given", { task: ordinal, text: captured, session: z.string().nullable() }),
  event("live_turn_ended", {
    attempt: ordinal,
    session: z.string().nullable(),
    message: captured.nullable().describe("what the agent said last"),
  }),
  event("feedback_sent", { attempt: ordinal }),
  event("review_dropped", { attempt: ordinal, why: dropReason, messageId: z.string().nullable() }),
  event("reviews_set", { to: reviews, messageId: z.string().nullable() }),
  event("live_ended", { process: processRecord }),
  event("turn_failed", {
    attempt: count,
    turn: ordinal,
    process: processRecord,
    stdout: captured,
    stderr: captured,
    agent: z.strictObject({ ...agentRecord, failure: turnFailure }),
  }),
  event("wait_started", { agent: z.string(), class: failureClass, until: timestamp }),
  event("wait_ended", {}),
  event("turn_interrupted", {
    attempt: count,
    turn: ordinal,
    ranMs: count
      .exactOptional()
      .describe("how long a turn went on whose foreman was killed, as far as that is known"),
  }),
  event("base_taken", roomEvents.baseTaken),
  event("base_checked", roomEvents.baseChecked),
  event("candidate_taken", roomEvents.candidateTaken),
  event("candidate_confirmed", roomEvents.candidateConfirmed),
  event("check_ended", {
    attempt: count,
    phase,
    index: ordinal,
    process: processRecord,
    output: captured,
    room: checkInRoom.exactOptional().describe("absent: it ran in the work tree itself"),
  }),
  event("attempt_judged", {
    attempt: count,
    verdict,
    reasons: z.array(reason),
    changedByChecks: z
      .array(z.string())
      .exactOptional()
      .describe("of `orchestrate`: test files that the acceptance commands themselves have changed"),
    feedback: captured,
  }),
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
    why: z.enum(["no_open_question", "wrong_question_id", "not_an_option", "unreadable"]),
    answer: answer.nullable(),
    note: z.string().nullable(),
  }),
  event("run_ended", {
    status: finalStatus,
    exitCode: count,
    reason: endReason,
    messageId: z.string().nullable(),
    changes: runChanges.exactOptional(),
  }),
]);

export const journalRecordSchema = z.strictObject({
  v: z.literal(2),
  seq: ordinal,
  at: timestamp,
  prev: sha256.describe("hash of the record before; zeros for the first"),
  event: runEventSchema,
  hash: sha256.describe("SHA-256 of the line's text before this field"),
});
