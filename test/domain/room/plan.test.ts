import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { succeeded } from "../../../src/platform/process/process-end.ts";
import type { TestRun, TestRunEnded } from "../../../src/core/evidence/event.ts";
import {
  BASE_CONTROL,
  BASE_PRODUCT,
  BASE_TESTS,
  CANDIDATE_TESTS,
  MARKED_CONTROL,
  MARKED_TESTS,
  nextRun,
  type BaseResult,
  type CheckSoFar,
} from "../../../src/evidence/plan.ts";
import { readRuns, sameRun } from "../../../src/evidence/runs.ts";
import { runPassed } from "../../../src/evidence/results/run-passed.ts";
import { baseChecked, findings, names, testRun } from "../../rig/room-story.ts";
import { exited, NOTHING, ran } from "../../rig/story.ts";

const GREEN = baseChecked("fast", "fast", { process: ran("fast", exited(0)), tests: null });
/** Two of its tests fail. */
const RED = baseChecked("fast", "fast");

const fails = { process: ran("fast", exited(1)) };
const byTest = { ...fails, findings: findings({ failed: 1, regressed: names("a") }) };
const byOldTest = { ...fails, findings: findings({ failed: 1, alreadyFailing: names("old") }) };
const unmarked = { ruledOut: [MARKED_TESTS] };

const PLAIN: CheckSoFar = { runs: [], isEdited: false, hasNewTests: false, provesTests: false };
const EDITED = { ...PLAIN, isEdited: true };
const NEW_TESTS = { ...PLAIN, hasNewTests: true };
const PROVES = { ...NEW_TESTS, provesTests: true };

type Row = readonly [string, CheckSoFar, BaseResult, readonly TestRunEnded[], TestRun | "done"];

const first = (more: Partial<TestRunEnded> = {}): TestRunEnded => testRun(BASE_TESTS, more);
const own = (more: Partial<TestRunEnded> = {}): TestRunEnded => testRun(CANDIDATE_TESTS, more);
const control = (more: Partial<TestRunEnded> = {}): TestRunEnded => testRun(BASE_CONTROL, more);

const ROWS: readonly Row[] = [
  ["the original tests come first", PLAIN, GREEN, [], BASE_TESTS],
  ["one run is enough where they pass, and nothing can be marked", PLAIN, GREEN, [first(unmarked)], "done"],
  ["a failure may be chance", PLAIN, GREEN, [first(fails)], BASE_TESTS],
  ["a second failure is none", PLAIN, GREEN, [first(fails), first(fails)], "done"],
  ["a new failure on a red base may be chance", PLAIN, RED, [first(byTest)], BASE_TESTS],
  ["a failure known from the base is no chance", PLAIN, RED, [first(byOldTest)], "done"],
  ["without tests, a red base explains a failure", PLAIN, RED, [first(fails)], "done"],
  ["without a run on the base it is unknown", PLAIN, undefined, [first(fails)], "done"],
  ["a run without a room is no failure", PLAIN, GREEN, [first({ ...fails, problem: "none" })], "done"],
  [
    "a hang is not repeated",
    PLAIN,
    GREEN,
    [first({ process: ran("fast", { kind: "timeout", afterMs: 9 }) })],
    "done",
  ],

  ["edited tests are run, too", EDITED, GREEN, [first(unmarked)], CANDIDATE_TESTS],
  ["also where the original ones fail", EDITED, GREEN, [first(byTest), first(byTest)], CANDIDATE_TESTS],
  ["new tests are run, too", NEW_TESTS, GREEN, [first(unmarked)], CANDIDATE_TESTS],
  ["not where an original test fails", NEW_TESTS, GREEN, [first(byTest), first(byTest)], "done"],
  [
    "but where something else than a test fails: it may ask for more tests",
    NEW_TESTS,
    GREEN,
    [first({ ...fails, findings: findings() }), first({ ...fails, findings: findings() })],
    CANDIDATE_TESTS,
  ],
  [
    "not where they are ruled out",
    NEW_TESTS,
    GREEN,
    [first({ ruledOut: [CANDIDATE_TESTS, MARKED_TESTS] })],
    "done",
  ],
  ["edits on a green base prove nothing more", EDITED, GREEN, [first(), own(unmarked)], "done"],
  ["edits on a red base may have made tests pass", EDITED, RED, [first(), own(unmarked)], BASE_PRODUCT],
  ["not where the agent's tests fail", EDITED, RED, [first(), own({ ...byTest, ...unmarked })], BASE_CONTROL],
  ["new tests prove themselves where that is asked", PROVES, GREEN, [first(), own()], BASE_PRODUCT],
  ["and only there", NEW_TESTS, GREEN, [first(), own(unmarked)], "done"],
  ["an unknown base is run first", PROVES, undefined, [first(), own()], BASE_CONTROL],
  ["once", PROVES, undefined, [first(), own(), control()], BASE_PRODUCT],
  [
    "not where its files are gone",
    PROVES,
    undefined,
    [first(), own({ ruledOut: [BASE_CONTROL] })],
    BASE_PRODUCT,
  ],

  ["tests that can be marked are", PLAIN, GREEN, [first()], MARKED_TESTS],
  ["after those of the agent", NEW_TESTS, GREEN, [first(), own()], MARKED_TESTS],
  ["not where they fail", NEW_TESTS, GREEN, [first(), own(byTest)], "done"],
  ["all reached their end", PLAIN, GREEN, [first(), testRun(MARKED_TESTS)], "done"],
  [
    "some did not: do they on the base?",
    PLAIN,
    GREEN,
    [first(), testRun(MARKED_TESTS, { unfinished: NOTHING })],
    MARKED_CONTROL,
  ],
  [
    "marks in the way show nothing",
    PLAIN,
    GREEN,
    [first(), testRun(MARKED_TESTS, { ...fails, unfinished: NOTHING })],
    "done",
  ],

  ["a command that failed before must fail there still", PLAIN, RED, [first(unmarked)], BASE_CONTROL],
  ["it does", PLAIN, RED, [first(unmarked), control(fails)], "done"],
  ["it does not: by chance?", PLAIN, RED, [first(unmarked), control()], BASE_CONTROL],
  ["twice is enough", PLAIN, RED, [first(unmarked), control(), control()], "done"],
  ["not where its files are gone", PLAIN, RED, [first({ ruledOut: [MARKED_TESTS, BASE_CONTROL] })], "done"],
  [
    "not where the product ended tests",
    PLAIN,
    RED,
    [
      first(),
      testRun(MARKED_TESTS, { unfinished: NOTHING }),
      testRun(MARKED_CONTROL, { blamed: findings({ exitedBy: ["a.sh"] }) }),
    ],
    "done",
  ],
];

describe("the next run of a check", () => {
  test.each(ROWS)("%s", (_, check, base, runs, expected) => {
    expect(nextRun({ ...check, runs }, base)).toEqual(expected);
  });
});

const ALL = [BASE_TESTS, CANDIDATE_TESTS, BASE_PRODUCT, BASE_CONTROL, MARKED_TESTS, MARKED_CONTROL];

const anyResult = fc.record({
  code: fc.constantFrom(0, 0, 1),
  findings: fc.constantFrom(
    null,
    findings(),
    findings({ failed: 1, regressed: names("a") }),
    findings({ failed: 1, alreadyFailing: names("old") }),
    findings({ complete: false }),
  ),
  problem: fc.constantFrom(null, null, null, "no room"),
  rewritten: fc.constantFrom(names(), names(), names("test/a.sh")),
  ruledOut: fc.subarray(ALL, { maxLength: 3 }),
  unfinished: fc.boolean(),
  blamed: fc.boolean(),
});

const anyCheck = fc.record({
  check: fc.record({ isEdited: fc.boolean(), hasNewTests: fc.boolean(), provesTests: fc.boolean() }),
  base: fc.constantFrom<BaseResult>(undefined, GREEN, RED),
  results: fc.array(anyResult, { minLength: 12, maxLength: 12 }),
});

/** More runs than any check needs. */
const FOREVER = 12;

/** All runs that the plan requires, with any result. */
function carriedOut({ check, base, results }: typeof anyCheck extends fc.Arbitrary<infer T> ? T : never): {
  readonly runs: readonly TestRunEnded[];
  readonly isDone: boolean;
} {
  const runs: TestRunEnded[] = [];
  for (const { code, unfinished, blamed, ...shown } of results) {
    const run = nextRun({ ...check, runs }, base);
    if (run === "done") return { runs, isDone: true };
    runs.push(
      testRun(run, {
        ...shown,
        process: ran("fast", exited(code)),
        ...(unfinished && { unfinished: NOTHING }),
        ...(blamed && sameRun(run, MARKED_CONTROL) && { blamed: findings({ exitedBy: ["a.sh"] }) }),
      }),
    );
  }
  return { runs, isDone: false };
}

const RUNS = { numRuns: 3000 };

describe("whatever its runs show, a check", () => {
  test("ends after eight of them", () => {
    let most = 0;
    fc.assert(
      fc.property(anyCheck, (any) => {
        const { runs, isDone } = carriedOut(any);
        most = Math.max(most, runs.length);
        expect(isDone).toBe(true);
      }),
      RUNS,
    );
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThanOrEqual(8);
    expect(most).toBeLessThan(FOREVER);
  });

  test("makes no run more than twice, and none that was ruled out before", () => {
    fc.assert(
      fc.property(anyCheck, (any) => {
        const { runs } = carriedOut(any);
        for (const [at, run] of runs.entries()) {
          const before = runs.slice(0, at);
          const same = before.filter((one) => sameRun(one, run));
          expect(same.length).toBeLessThan(2);
          const isRuledOut = before.some(({ ruledOut }) => ruledOut.some((one) => sameRun(one, run)));
          const mayBe = same.length > 0 || sameRun(run, BASE_TESTS);
          expect(isRuledOut && !mayBe).toBe(false);
        }
      }),
      RUNS,
    );
  });

  test("never passes with a failed original test, unless the agent's own passed and are distinguishable", () => {
    fc.assert(
      fc.property(anyCheck, (any) => {
        const { runs } = carriedOut(any);
        const { original, isByOwn, own: its, result } = readRuns(runs);
        const passes = result?.problem === null && runPassed(result.findings, result.process.end);
        if (!passes || original?.passed) return;
        expect([isByOwn, its?.passed, its?.rewritten.count]).toEqual([true, true, 0]);
      }),
      RUNS,
    );
  });

  test("that passes where the command failed before was compared with the original tree, unless that is gone", () => {
    fc.assert(
      fc.property(anyCheck, (any) => {
        const { runs } = carriedOut(any);
        const { result, controls } = readRuns(runs);
        const passes = result?.problem === null && runPassed(result.findings, result.process.end);
        if (!passes || !any.base || succeeded(any.base.process.end)) return;
        const isGone = runs.some(({ ruledOut }) => ruledOut.some((one) => sameRun(one, BASE_CONTROL)));
        expect(isGone || controls.length > 0).toBe(true);
      }),
      RUNS,
    );
  });
});
