import { describe, expect, test } from "vitest";
import type { SetUp } from "../../src/core/evidence/event.ts";
import { isExplained, needsPerson } from "../../src/evidence/set-ups.ts";
import type { RunEvent } from "../../src/core/event.ts";
import {
  baseChecked,
  baseTaken,
  candidateTaken,
  checkInRoom,
  findings,
  names,
  ROOM,
} from "../rig/room-story.ts";
import { after, judged, NOTHING, started, turnEnded, turnStarted } from "../rig/story.ts";

const setUp = (problem: SetUp["problem"]): SetUp => ({
  folder: "",
  command: "npm ci",
  problem,
  subject: null,
  output: NOTHING,
});

/** An attempt whose check failed after this set-up; null: dependencies were present. */
const attempt = (index: number, problem: SetUp["problem"]): RunEvent[] => [
  turnStarted(index),
  turnEnded(index),
  candidateTaken(index),
  checkInRoom(index, "fast", 1, { setUps: [setUp(problem)] }),
];
const rejected = (index: number, problem: SetUp["problem"]): RunEvent[] => [
  ...attempt(index, problem),
  judged(index, "fast_test_failed", ...(problem ? (["dependencies_missing"] as const) : [])),
];

describe("a person must fix dependencies", () => {
  const needed = (...events: RunEvent[]): boolean =>
    needsPerson(
      after(
        started({ room: ROOM }),
        baseTaken(),
        baseChecked("fast", "fast"),
        baseChecked("full", "full"),
        ...events,
      ),
    );

  test.each<[what: string, needed: boolean, is: boolean]>([
    ["not where they are there", needed(...attempt(1, null)), false],
    ["where a package manager is missing", needed(...attempt(1, "no_tool")), true],
    ["not after the agent's first failure", needed(...attempt(1, "failed")), false],
    ["after its second in a row", needed(...rejected(1, "failed"), ...attempt(2, "failed")), true],
    ["not after an attempt that had them", needed(...rejected(1, "failed"), ...attempt(2, null)), false],
    [
      "not where an attempt in between had them",
      needed(...rejected(1, "failed"), ...rejected(2, null), ...attempt(3, "failed")),
      false,
    ],
  ])("%s", (_, got, is) => {
    expect(got).toBe(is);
  });
});

describe("the tests of a failed check give the cause", () => {
  const failure = { test: "api > adds", message: "1 is not 2" };
  const failed = { failed: 1, regressed: names("api > adds"), failures: [failure] };

  test.each([
    ["each failed test does", findings(failed), true],
    ["no test failed", findings({ failures: [failure] }), false],
    ["a failed test does not", findings({ ...failed, failures: [] }), false],
    ["the test run was cut short", findings({ ...failed, complete: false }), false],
    ["no test reported a result", null, false],
  ])("%s", (_, shown, is) => {
    expect(isExplained(checkInRoom(1, "fast", 1, { findings: shown }))).toBe(is);
  });

  test("not where dependencies are missing", () => {
    const check = checkInRoom(1, "fast", 1, { findings: findings(failed), setUps: [setUp("failed")] });
    expect(isExplained(check)).toBe(false);
  });
});
