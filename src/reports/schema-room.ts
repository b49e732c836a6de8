import { RUNNERS } from "../domain/tests/result.ts";
import { TEST_CHANGES } from "../domain/room/settings.ts";
import { z } from "zod";
import { LOST_KINDS } from "../domain/room/changes.ts";
import { SET_UP_PROBLEMS, WEAKNESSES } from "../domain/room/event.ts";
import { NOT_COVERED } from "./room-report.ts";
import { captured, count, ordinal, path, phase, processEnd, sha256, timestamp, via } from "./schema-parts.ts";

/** What the schemas of report and journal say of base, candidate and clean room. */
export const names = z
  .strictObject({ count, some: z.array(z.string()) })
  .describe("How many, and the first of them");
export const weaknesses = z.array(z.enum(WEAKNESSES)).describe("What is less sure than it could be, here");
export const roomKind = z
  .enum(["overlay", "copy"])
  .describe("overlay: over the work tree's own path, seen by the check alone; copy: in another place");
const runners = z.array(z.enum(RUNNERS)).describe("Who told which tests ran");
export const oracleChanges = z
  .array(
    z.strictObject({
      path,
      kind: z.enum(["test", "config", "script", "shadow"]),
      how: z
        .enum(["changed", "extended", "deleted", "added"])
        .describe("extended: every line of the base is still there, and there are more"),
      entries: z.array(z.string()).describe("where only some entries of a file matter: which of them"),
    }),
  )
  .describe("Tests, and what decides about them, that are not as on the base");
export const oracle = z.strictObject({ files: count, sha256 });
export const baseTests = z.strictObject({
  runners,
  passed: count,
  failed: count,
  skipped: count,
  kept: captured,
});
export const passedOrNot = {
  runners,
  passed: count,
  failed: count,
  skipped: count,
  added: count.describe("tests that the base does not have"),
  regressed: names.describe("passed on the base and fail now"),
  vanished: names.describe("ran on the base and do not run now"),
  complete: z.boolean().describe("every runner that began came to its own end"),
  kept: captured.describe("all results, one a line"),
};

/** What tests show about a product that the work is missing in. */
export const proof = {
  revived: names.describe("failed on the base, and pass with the same product"),
  unproven: names.describe("the base does not have them, and they pass without the work"),
};

const findings = z.strictObject({
  ...passedOrNot,
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

const run = z.strictObject({
  exit_code: z.number().int().nullable(),
  end: processEnd,
  duration_ms: count,
  output: captured,
  tests: findings.nullable(),
});

export const setUp = z
  .strictObject({
    folder: z.string().describe("below the tree's root"),
    command: z.string(),
    problem: z
      .enum(SET_UP_PROBLEMS)
      .nullable()
      .describe("why the dependencies are missing; null: they were installed"),
    subject: z.string().nullable().describe("the tool that is missing, or the package that was replaced"),
    output: captured.nullable().describe("null: it was not run"),
  })
  .describe("dependencies that were installed because a manifest or a lock file changed");

/** Of a test in a report. */
export const roomOfTest = {
  tests: findings.nullable().describe("null: by its exit code alone"),
  flaky: names.nullable().describe("it failed, and passed on the same tree; null: it was not run twice"),
  frozen: run
    .nullable()
    .describe(
      "with the base's tests, where it failed by them and goes by the agent's own: a person decides about these, or every test of the base passed",
    ),
  own: run
    .nullable()
    .describe(
      "the same with all tests as the agent left them; null: they are as on the base, or it was not asked",
    ),
  lost: names.describe("original tests that the agent's version of changed protected files no longer runs"),
  without: run
    .extend(proof)
    .nullable()
    .describe(
      "these again, with the product as it was on the base (tests were added to a file, or --prove-tests); null: nobody asks",
    ),
  control: run
    .nullable()
    .describe("on the tree as it was on the base, where it failed there: it has to fail now, too"),
  rewritten: names.describe("tests and scripts that were changed while they ran"),
  problem: z.string().nullable().describe("why there was no clean room"),
  set_ups: z.array(setUp).describe("empty: dependencies are as on the base"),
};

export const silenced = z.array(z.strictObject({ comment: z.string(), count, files: names }));

/** Of an attempt in a report. */
export const candidate = z
  .strictObject({
    tree: z.string(),
    confirmed: z.boolean().describe("it was still the same after the checks"),
    oracle_changes: oracleChanges,
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

export const changeCounts = {
  files: count,
  added: count.describe("new files among them"),
  deleted: count.describe("deleted files among them"),
  insertions: count,
  deletions: count,
};
export const lostFiles = z
  .array(
    z.strictObject({
      path,
      was: z
        .enum(LOST_KINDS)
        .describe("modified: changed since the last commit; untracked: never committed; ignored: by git"),
      kept: z.boolean().describe("agent-foreman restore can bring it back"),
    }),
  )
  .describe("files of the person that are gone, or back at their committed content; the first 200");
export const outside = z
  .array(z.string())
  .describe(
    "git settings, hooks, programs on the PATH and settings above the tree that changed; the first 200",
  );

/** Of every report. */
export const roomReports = {
  room: z
    .strictObject({
      kind: roomKind.nullable(),
      weak: weaknesses,
      setup: z.string().nullable(),
      allow: z.array(z.string()),
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
      oracle,
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
          exit_code: z.number().int().nullable(),
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
  oracle_decisions: z
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
  not_covered: z.array(z.enum([...NOT_COVERED, ...WEAKNESSES])).describe("what the evidence does not cover"),
  changes: z
    .strictObject({
      ...changeCounts,
      lost_files: count.describe("how many files of the person were lost"),
      lost: lostFiles,
      outside,
      diff: captured.nullable().describe("a unified diff of the run's changes; null while the run can go on"),
    })
    .nullable()
    .describe("the work tree compared with the tree before the first turn; null: there is no base"),
};
