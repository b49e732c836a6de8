import { z } from "zod";
import type { AnalyzeReport } from "./analyze-report.ts";
import { journalRecordSchema } from "./journal-schema.ts";
import { jsonLineSchema } from "./json-line-schema.ts";
import type { AttemptReport, SuperviseReport } from "./report.ts";
import { boardReportSchema } from "./schema-board-report.ts";
import { chatReportSchema } from "./schema-chat-report.ts";
import {
  captured,
  count,
  onStuck,
  ordinal,
  path,
  plannedStep,
  requirement,
  reason,
  reviewItems,
  sha256,
  statusMarker,
  stepStatus,
  timestamp,
  treeChange,
  unitTest,
  verdict,
} from "./schema-parts.ts";
import { receiptSchema } from "./schema-receipt.ts";
import { common, prompt, test, turn } from "./schema-report-parts.ts";
import { candidate } from "./schema-room.ts";
import type { StepsReport } from "./steps-report.ts";

const stuck = z
  .strictObject({ kind: z.enum(["same_failure", "tree_seen_before"]), like: count })
  .nullable()
  .describe("the work tree was the same after the attempt `like`; 0: before the first");

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
  stuck,
  duration_ms: count,
  stdout_path: path,
  stderr_path: path,
  started_at: timestamp,
  marker_order_certain: z.boolean(),
  changed_inputs: z
    .array(path)
    .describe("files the run was started with that are not as they were; their changes had no effect"),
  agent: z.strictObject(turn),
  tests: z.array(test),
  candidate,
  feedback: captured,
});

export const superviseReportSchema: z.ZodType<SuperviseReport> = z.strictObject({
  ...common,
  mode: z.literal("supervise"),
  plan_file: path,
  agent_cmd: z.string().describe("the person's command, or the names of the agents"),
  test_fast: z.array(z.string()),
  test_full: z.array(z.string()),
  on_stuck: onStuck,
  max_loops: ordinal,
  allowed_loops: ordinal.describe("max_loops plus what a person granted"),
  attempts: z.array(attemptReportSchema),
  prompt: prompt.nullable(),
  run_dir: path,
});

const review = {
  ...turn,
  read_only: z.boolean(),
  items: reviewItems,
  problem: z.string().nullable().describe("why there is no verdict"),
  changed_files: treeChange,
};

export const stepsReportSchema: z.ZodType<StepsReport> = z.strictObject({
  ...common,
  mode: z.literal("run"),
  steps_dir: path,
  progress_path: path,
  full_verify: z.boolean(),
  reverify: z.boolean(),
  on_stuck: onStuck,
  max_attempts: ordinal,
  workers: z.array(z.string()),
  verifiers: z.array(z.string()).describe("empty: any worker, rather another one than did the work"),
  totals: z.strictObject({
    total: count,
    passed: count,
    failed: count,
    under_way: count,
    not_run: count,
    already_done: count.describe("of those that were not run"),
  }),
  first_failure: z.string().nullable().describe("the number of its file"),
  steps: z.array(
    z.strictObject({
      number: z.string(),
      file: z.string(),
      id: z.string(),
      description: z.string(),
      status_before: stepStatus,
      status_after: stepStatus,
      result: z.enum(["passed", "failed", "not_run"]),
      note: z
        .enum(["already_done", "not_chosen", "not_reached", "under_way", "marked_by_person", "not_verified"])
        .nullable(),
      error: z.string().nullable(),
      edited: z.boolean().describe("somebody else changed its file during the run"),
      redone: z
        .boolean()
        .describe("it was done before, its regression check failed, and it was worked on again"),
      marked_by_person: z
        .boolean()
        .describe("done by a person's word, of this run or an earlier one, and not by evidence"),
      unit_test: unitTest.nullable(),
      attempts: z
        .array(
          z.strictObject({
            index: count.describe("0: a regression check, for which nobody works"),
            started_at: timestamp,
            decision: verdict.nullable().describe("null: there is no verdict yet"),
            reasons: z.array(reason),
            duration_ms: count,
            stuck,
            work: z.strictObject(turn).nullable(),
            unit_test: test.nullable(),
            verification: z.strictObject(review).nullable(),
            verifier_faults: z
              .array(z.strictObject({ ...review, reasons: z.array(reason) }))
              .describe("verifications before it that failed by the verifier's own fault"),
            candidate,
            changed_inputs: z.array(path),
            feedback: captured.nullable(),
          }),
        )
        .describe("the judged ones, and one without a verdict if a verifier failed by its own fault"),
    }),
  ),
  prompts: z.strictObject({ implement: prompt, verify: prompt }),
});

export const analyzeReportSchema: z.ZodType<AnalyzeReport> = z.strictObject({
  ...common,
  mode: z.literal("analyze"),
  requirements: z.strictObject({ path, sha256 }),
  steps_dir: path.nullable().describe("null: nothing was written"),
  files: z.array(z.string()),
  dry_run: z.boolean().describe("the steps are shown and not written"),
  steps: z.array(
    z.strictObject({
      file: z.string(),
      ...plannedStep,
    }),
  ),
  coverage: z
    .array(
      z.strictObject({
        ...requirement,
        covered_by: z
          .array(z.string())
          .nullable()
          .describe("files of steps; null: none is named, and the agent did not say what every step covers"),
      }),
    )
    .describe("what the document asks for, by its structure, and which steps cover it, by the agent's word"),
  attempts: z.array(
    z.strictObject({
      index: ordinal,
      started_at: timestamp,
      decision: verdict,
      reasons: z.array(reason),
      problem: z.string().nullable().describe("why the answer cannot be used"),
      changed_files: treeChange,
      changed_inputs: z.array(path),
      agent: z.strictObject(turn),
      feedback: captured,
    }),
  ),
  prompts: z.strictObject({ analyze: prompt }),
});

/** File name → schema, as shipped. */
export const publicSchemas = {
  "report.schema.json": superviseReportSchema,
  "run-report.schema.json": stepsReportSchema,
  "analyze-report.schema.json": analyzeReportSchema,
  "orchestrate-report.schema.json": boardReportSchema,
  "chat-report.schema.json": chatReportSchema,
  "attempt.schema.json": attemptReportSchema,
  "receipt.schema.json": receiptSchema,
  "journal-record.schema.json": journalRecordSchema,
  "json-line.schema.json": jsonLineSchema,
} as const;

export function jsonSchemaText(name: keyof typeof publicSchemas): string {
  const schema = z.toJSONSchema(publicSchemas[name], { target: "draft-2020-12" });
  return `${JSON.stringify(schema, null, 2)}\n`;
}
