import { z } from "zod";
import { journalRecordSchema, jsonLineSchema } from "./journal-schema.ts";
import type { AttemptReport, RunReport } from "./report.ts";
import {
  timestamp,
  sha256,
  path,
  count,
  ordinal,
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
  usageReport,
  keptFiles,
  denials,
  containment,
  via,
} from "./schema-parts.ts";

/**
 * The public formats as schemas. Used at build time (schemas/*.json) and by tests, never by the program itself; the types
 * they are declared with keep them from drifting.
 */
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
