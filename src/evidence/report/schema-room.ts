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
  already_failing: names.describe("failed on the base and fail now"),
  new_failing: names.describe("fail now, and the base does not have them"),
  failing: names.describe("fail now, and the command was not run on the base"),
  skipped_now: names.describe("ran on the base and are skipped now"),
  exited_by: z
    .array(z.string())
    .describe(
      "files of the product that made tests end as if all were well; where nobody knows which, the tests, or what stands in the place of something else",
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
  tests: testResults.nullable().describe("null: by its exit code alone"),
  flaky: names.nullable().describe("it failed, and passed on the same tree; null: it was not run twice"),
  frozen: testRun
    .nullable()
    .describe(
      "with the base's tests, where it failed by them and goes by the agent's own: a person decides about these, or every test of the base passed",
    ),
  own: testRun
    .nullable()
    .describe(
      "the same with all tests as the agent left them; null: they are as on the base, or it was not asked",
    ),
  lost: names.describe("original tests that the agent's version of changed protected files no longer runs"),
  without: testRun
    .extend(proof.shape)
    .nullable()
    .describe(
      "these again, with the product as it was on the base (tests were added to a file, or --prove-tests); null: nobody asks",
    ),
  control: testRun
    .nullable()
    .describe("on the tree as it was on the base, where it failed there: it has to fail now, too"),
  rewritten: names.describe("tests and scripts that were changed while they ran"),
  problem: z.string().nullable().describe("why there was no clean room"),
  set_ups: z.array(setUp).describe("empty: dependencies are as on the base"),
};

/** For an attempt in a report. */
export const candidate = z
  .strictObject({
    tree: z.string(),
    confirmed: z.boolean().describe("it was still the same after the checks"),
    protected_changes: protectedChanges,
    allowed: z.array(z.string()).describe("which of these were allowed beforehand"),
    decided: z.enum(["allow", "refuse"]).nullable().describe("what a person said about the others"),
    new_tests: names,
    hidden: names.describe("ignored files that the checks did not see"),
    programs: z
      .array(z.string())
      .describe("programs on the PATH, and settings in folders above the tree, that are not as they were"),
    silenced: silenced.describe("comments that keep a checker among the test commands quiet, and were added"),
  })
  .nullable()
  .describe("what the attempt left; null: not looked at");

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
      prove_tests: z.boolean().describe("new tests have to fail without the work that they came with"),
      test_changes: z.enum(TEST_CHANGES).describe("how edited tests are judged"),
      allow_no_change: z.boolean().describe("work that changes no file can be accepted"),
      accept_tree: z.boolean().describe("protected files are taken as an unaccepted run left them"),
    })
    .nullable()
    .describe("null: checks ran in the work tree as the agent left it"),
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
        .describe("protected files that an unaccepted run left changed: their original versions count"),
      tests: z.array(
        z.strictObject({
          phase,
          index: ordinal,
          command: z.string(),
          exit_code: exitCode,
          end: processEnd,
          duration_ms: count,
          output: captured,
          tests: baseTests.nullable().describe("null: it told no tests"),
          from_run: z.string().nullable().describe("the earlier run that it was seen in; null: this one"),
        }),
      ),
    })
    .nullable()
    .describe("the work tree that the last work was held against"),
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
    .describe("what people said about changed tests, and what decides about them"),
  not_covered: z.array(z.enum(NOT_COVERED)).describe("what the evidence does not cover"),
  changes: z
    .strictObject({
      ...zodOf(changes.changeCounts).shape,
      lost_files: count.describe("how many files of the person were lost"),
      lost: zodOf(changes.lostFiles),
      outside: zodOf(changes.outside),
      diff: captured.nullable().describe("a unified diff of the run's changes; null while the run can go on"),
    })
    .nullable()
    .describe("the work tree compared with the tree before the first turn; null: there is no base"),
};
