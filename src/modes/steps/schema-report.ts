import { z } from "zod";
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
  stepStatus,
  timestamp,
  treeChange,
  unitTest,
  verdict,
} from "../../core/report/schema-parts.ts";
import { candidate } from "../../evidence/report/schema-room.ts";
import { common, prompt, stuck, test, turn } from "../report/schema-report-parts.ts";

const review = turn.extend({
  read_only: z.boolean(),
  items: reviewItems,
  problem: z.string().nullable().describe("why there is no verdict"),
  changed_files: treeChange,
});

export const stepsReportSchema = z.strictObject({
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
        .nullable()
        .describe(
          "not_reached: the run ended before it; not_verified: the agent's turn alone decided (--no-reverify)",
        ),
      error: z.string().nullable(),
      edited: z.boolean().describe("another program or person changed its file during the run"),
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
            index: count.describe("0: a regression check, without a worker"),
            started_at: timestamp,
            decision: verdict.nullable().describe("null: there is no verdict yet"),
            reasons: z.array(reason),
            duration_ms: count,
            stuck,
            work: turn.nullable(),
            unit_test: test.nullable(),
            verification: review.nullable(),
            verifier_faults: z
              .array(review.extend({ reasons: z.array(reason) }))
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

export const analyzeReportSchema = z.strictObject({
  ...common,
  mode: z.literal("analyze"),
  requirements: z.strictObject({ path, sha256 }),
  steps_dir: path.nullable().describe("null: nothing was written"),
  files: z.array(z.string()),
  dry_run: z.boolean().describe("the steps are shown and not written"),
  steps: z.array(plannedStep.extend({ file: z.string() })),
  coverage: z
    .array(
      requirement.extend({
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
      agent: turn,
      feedback: captured,
    }),
  ),
  prompts: z.strictObject({ analyze: prompt }),
});
