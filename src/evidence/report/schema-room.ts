import { z } from "zod";
import * as base from "../../core/events/base.ts";
import * as left from "../../core/events/candidate.ts";
import * as checked from "../../core/events/check-ended.ts";
import { zodOf } from "../../core/events/zod-of.ts";
import * as changes from "../../core/evidence/changes.ts";
import { TEST_CHANGES } from "../../core/evidence/settings.ts";
import * as found from "../../core/evidence/findings.ts";
import {
  captured,
  count,
  exitCode,
  ordinal,
  phase,
  processEnd,
  timestamp,
  via,
} from "../../core/report/schema-parts.ts";

/** Product code that recognizes its tests is never noticed. */
export const NOT_COVERED = ["special_casing", "no_clean_room", ...base.WEAKNESSES] as const;

/** Report fields about base, candidate and clean room, the same as in events. */
export const names = zodOf(found.names);
export const weaknesses = zodOf(base.weaknesses);
export const roomKind = zodOf(base.roomKind);
export const protectedFiles = zodOf(base.protectedFiles);
export const baseTests = zodOf(base.baseTests);
export const protectedChanges = zodOf(left.protectedChanges);
export const protectedChange = zodOf(left.protectedChange);
const proof = zodOf(checked.proof);
const setUp = zodOf(checked.setUp);
const silenced = zodOf(left.silenced);

export const testResults = z.strictObject({
  ...zodOf(found.passedOrNot).shape,
  already_failing: names.describe("tests that failed on the base and fail now"),
  new_failing: names.describe("new tests that fail"),
  failing: names.describe("tests that fail; the command did not run on the base"),
  skipped_now: names.describe("tests that ran on the base and are skipped now"),
  exited_by: z
    .array(z.string())
    .describe(
      "product files that made failing tests look successful; if unknown, the tests or the replaced functions",
    ),
});

export const testRun = z.strictObject({
  exit_code: exitCode,
  end: processEnd,
  duration_ms: count,
  output: captured,
  tests: testResults.nullable(),
});

/** For a test in a report. */
export const roomOfTest = {
  tests: testResults.nullable().describe("null: only the exit code is known"),
  flaky: names
    .nullable()
    .describe("failures of a first run; a second run passed on the same tree; null: no second run"),
  frozen: testRun
    .nullable()
    .describe(
      "failed run with the original tests, if the agent's tests decide instead: a person approves them, or every original test passed",
    ),
  own: testRun
    .nullable()
    .describe("run with the agent's tests; null: they are the original ones, or not needed"),
  lost: names.describe("original tests that do not run with the agent's protected files"),
  without: testRun
    .extend(proof.shape)
    .nullable()
    .describe("run with the agent's tests on the original product; null: not needed"),
  control: testRun
    .nullable()
    .describe(
      "repeated run on the original tree, where the command failed and must still fail; null: not needed",
    ),
  rewritten: names.describe("tests and scripts that changed during the run"),
  problem: z.string().nullable().describe("why there was no clean room"),
  set_ups: z.array(setUp).describe("installations of changed dependencies"),
};

/** For an attempt in a report. */
export const candidate = z
  .strictObject({
    tree: z.string(),
    confirmed: z.boolean().describe("the tree did not change during the checks"),
    protected_changes: protectedChanges,
    allowed: z.array(z.string()).describe("those that were approved in advance"),
    decided: z.enum(["allow", "refuse"]).nullable().describe("a person's decision about the others"),
    new_tests: names,
    hidden: names.describe("ignored files that the checks did not see"),
    programs: z
      .array(z.string())
      .describe("changed programs on the PATH and settings in folders above the tree"),
    silenced: silenced.describe("added comments that silence a checker among the test commands"),
  })
  .nullable()
  .describe("the attempt's result; null: not inspected");

/** For every report. */
export const roomReports = {
  room: z
    .strictObject({
      kind: roomKind.nullable(),
      weak: weaknesses,
      setup: z.string().nullable(),
      allow: z.array(z.string()),
      protect: z.array(z.string()).describe("patterns of files that are always protected"),
      product: z.array(z.string()).describe("patterns of files that are never protected"),
      pass_env: z.array(z.string()),
      prove_tests: z.boolean().describe("new tests must fail without the work"),
      test_changes: z.enum(TEST_CHANGES).describe("how edited tests are judged"),
      allow_no_change: z.boolean().describe("work that changes no file can be accepted"),
      accept_tree: z.boolean().describe("protected files that an unaccepted run changed count as original"),
    })
    .nullable()
    .describe("null: checks ran in the work tree itself"),
  base: z
    .strictObject({
      tree: z.string(),
      commit: z.string().nullable(),
      files: count,
      protected: protectedFiles,
      inherited: z
        .strictObject({
          count,
          some: z.array(z.strictObject({ path: z.string(), run_id: z.string(), added: z.boolean() })),
        })
        .describe("protected files that an unaccepted run left changed; checks use the originals"),
      tests: z.array(
        z.strictObject({
          phase,
          index: ordinal,
          command: z.string(),
          exit_code: exitCode,
          end: processEnd,
          duration_ms: count,
          output: captured,
          tests: baseTests.nullable().describe("null: no runner reported a test"),
          from_run: z
            .string()
            .nullable()
            .describe("the earlier run that produced this result; null: this run"),
        }),
      ),
    })
    .nullable()
    .describe("the work tree before the last work"),
  protected_decisions: z
    .array(
      z.strictObject({
        attempt: count,
        decision: z.enum(["allow", "refuse"]),
        note: z.string().nullable(),
        via,
        at: timestamp,
      }),
    )
    .describe("decisions about changed protected files"),
  not_covered: z.array(z.enum(NOT_COVERED)).describe("what the evidence does not cover"),
  changes: z
    .strictObject({
      ...zodOf(changes.changeCounts).shape,
      lost_files: count.describe("number of the person's files that were lost"),
      lost: zodOf(changes.lostFiles),
      outside: zodOf(changes.outside),
      diff: captured
        .nullable()
        .describe("a unified diff of the run's changes; null while the run can continue"),
    })
    .nullable()
    .describe("the work tree compared with the tree before the first turn; null: no base was taken"),
};
