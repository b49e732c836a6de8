import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../../src/core/event.ts";
import { fold } from "../../../src/core/fold.ts";
import { whyImpossible } from "../../../src/core/legality.ts";
import { checkSoFar, endedCheck } from "../../../src/evidence/check.ts";
import type { CheckInRoom, SetUp, TestRunEnded } from "../../../src/core/evidence/event.ts";
import * as plan from "../../../src/evidence/plan.ts";
import type { RunState } from "../../../src/core/state.ts";
import * as room from "../../rig/room-story.ts";
import * as story from "../../rig/story.ts";

const CHECK = { attempt: 1, phase: "fast", index: 1, command: "fast" } as const;
const { findings, names, testRun } = room;

/** A turn has ended and its tree was recorded. `base`: the command's exit code on the base. */
function begun(base: number, ...more: readonly RunEvent[]): RunState {
  const process = story.ran("fast", story.exited(base));
  return story.after(
    story.started({ room: room.ROOM, testFull: ["fast"] }),
    room.baseTaken(),
    room.baseChecked("fast", "fast", { process, ...(base === 0 && { tests: null }) }),
    story.turnStarted(1),
    story.turnEnded(1),
    room.candidateTaken(1, { protected: [room.changed("test/a.test.js")] }),
    ...more,
  );
}

const after = (state: RunState, ...events: readonly RunEvent[]): RunState =>
  events.reduce((before, event) => fold(before, event, story.AT), state);

const fails = { process: story.ran("fast", story.exited(1)) };
const regressed = { ...fails, findings: findings({ failed: 1, regressed: names("a > b") }) };
const unmarked = { ruledOut: [plan.MARKED_TESTS] };
const noOwn = { ruledOut: [plan.CANDIDATE_TESTS, plan.MARKED_TESTS] };
const base = (more: Partial<TestRunEnded> = {}): TestRunEnded => testRun(plan.BASE_TESTS, more);
const own = (more: Partial<TestRunEnded> = {}): TestRunEnded => testRun(plan.CANDIDATE_TESTS, more);
const output = { ...story.NOTHING, path: "/other" };

const ROWS: readonly (readonly [string, number, readonly TestRunEnded[], Partial<CheckInRoom>, number])[] = [
  ["one run is all there is", 0, [base({ ...noOwn, findings: findings() })], { findings: findings() }, 0],
  [
    "a test that failed by chance is named, and the second run counts",
    0,
    [base(regressed), base({ ...noOwn, findings: findings() })],
    { findings: findings(), flaky: names("a > b") },
    0,
  ],
  [
    "a second failure leaves the first one",
    0,
    [base(regressed), base({ ...fails, ruledOut: [plan.CANDIDATE_TESTS] })],
    { findings: regressed.findings, flaky: null },
    1,
  ],
  [
    "the agent's tests are added to the original ones",
    0,
    [base(), own({ ...unmarked, lost: names("gone") })],
    {
      candidateTests: room.ownRun(0, { process: story.ran("fast", story.exited(0)), findings: null }),
      lost: names("gone"),
    },
    0,
  ],
  [
    "where only the agent's pass, they are the result, and what the original ones showed is kept apart",
    0,
    [base(regressed), base(regressed), own({ output })],
    {
      findings: null,
      baseTests: { ...fails, output: story.NOTHING, findings: regressed.findings },
      candidateTests: { process: story.ran("fast", story.exited(0)), output, findings: null },
    },
    0,
  ],
  [
    "not where they rewrote tests",
    0,
    [base(regressed), base(regressed), own({ rewritten: names("test/a.sh") })],
    { findings: regressed.findings, baseTests: null, rewritten: names() },
    1,
  ],
  [
    "what passes on the original product is named",
    1,
    [
      base(),
      own(),
      testRun(plan.BASE_PRODUCT, { ...unmarked, proof: { revived: names("old"), unproven: names() } }),
      testRun(plan.BASE_CONTROL, fails),
    ],
    {
      baseProduct: {
        process: story.ran("fast", story.exited(0)),
        output: story.NOTHING,
        findings: null,
        revived: names("old"),
        unproven: names(),
      },
      baseControl: { ...fails, output: story.NOTHING, findings: null },
    },
    0,
  ],
  [
    "tests that the product ended are the findings",
    0,
    [
      base({ ruledOut: [plan.CANDIDATE_TESTS] }),
      testRun(plan.MARKED_TESTS, { unfinished: story.NOTHING }),
      testRun(plan.MARKED_CONTROL, { blamed: findings({ exitedBy: ["add.sh"] }) }),
    ],
    { findings: findings({ exitedBy: ["add.sh"] }) },
    0,
  ],
  [
    "the second look at the original tree counts",
    1,
    [base(noOwn), testRun(plan.BASE_CONTROL), testRun(plan.BASE_CONTROL, { ...fails, output })],
    { baseControl: { ...fails, output, findings: null } },
    0,
  ],
  ["why there was no room", 0, [base({ ...fails, problem: "no room" })], { problem: "no room" }, 1],
];

describe("results of a check's runs", () => {
  test.each(ROWS)("%s", (_, onBase, runs, expected, code) => {
    const before = after(begun(onBase), ...runs.slice(0, -1));
    expect(endedCheck(before, CHECK)).toBeNull();
    const ended = endedCheck(after(before, ...runs.slice(-1)), CHECK);
    expect(ended).toMatchObject({ process: { end: { code } }, room: expected });
  });

  test("uses the last result of each installation, and failed ones only if the check fails", () => {
    const setUp = (folder: string, problem: SetUp["problem"]): SetUp => ({
      folder,
      command: "npm ci",
      problem,
      subject: null,
      output: null,
    });
    const [failed, works, other] = [setUp("a", "failed"), setUp("a", null), setUp("b", "failed")];
    const repaired = [base({ ...regressed, setUps: [failed] }), base({ ...noOwn, setUps: [works, other] })];
    expect(endedCheck(after(begun(0), ...repaired), CHECK)?.room?.setUps).toEqual([works]);
    const red = [base({ ...regressed, setUps: [works] }), base({ ...regressed, ...noOwn, setUps: [other] })];
    expect(endedCheck(after(begun(0), ...red), CHECK)?.room?.setUps).toEqual([works, other]);
  });

  test("equals the result of the same command at another place", () => {
    const ended = endedCheck(after(begun(0), base(noOwn)), CHECK);
    const done = after(begun(0), base(noOwn), ...(ended ? [ended] : []));
    expect(endedCheck(done, { ...CHECK, phase: "full" })).toEqual({ ...ended, phase: "full" });
  });
});

describe("a journal", () => {
  const closes = (state: RunState): RunEvent => endedCheck(state, CHECK) ?? story.judged(1);
  const refused = (state: RunState, event: RunEvent): string | null => whyImpossible(state, event);

  test("contains no run outside the plan", () => {
    const state = begun(0);
    expect(refused(state, base())).toBeNull();
    expect(refused(state, own())).toBe("it is not the next run");
    expect(refused(after(state, base(noOwn)), base())).toBe("it is not the next run");
    expect(refused(state, base({ phase: "unit" }))).toBe("it is not the next test");
    expect(refused(state, base({ process: story.ran("other", story.exited(0)) }))).not.toBeNull();
    expect(refused(state, base({ attempt: 2 }))).not.toBeNull();
  });

  test("contains no end of a check that its runs contradict", () => {
    const state = after(begun(0), base(noOwn));
    const ended = room.checkInRoom(1, "fast", 0, { findings: null });
    expect(refused(state, closes(state))).toBeNull();
    expect(refused(state, ended)).toBeNull();
    expect(refused(begun(0), ended)).toBe("the runs of the check show another result");
    expect(refused(state, room.checkInRoom(1, "fast", 0))).not.toBeNull();
    expect(refused(state, room.checkInRoom(1, "fast", 1, { findings: null }))).not.toBeNull();
    expect(refused(state, { ...ended, output })).not.toBeNull();
  });
});

test("runs on a tree that changed since do not count, but their time does", () => {
  const state = after(begun(0), base({ process: { ...fails.process, durationMs: 500 } }));
  expect(checkSoFar(state, CHECK).runs).toHaveLength(1);
  const taken = after(state, room.candidateTaken(1, { tree: "c".repeat(64) }));
  expect(checkSoFar(taken, CHECK).runs).toEqual([]);
  expect(taken.attempts[0]?.outdatedChecksMs).toBe(500);
});

test("a run that lacked dependencies is made again when the run is resumed, another one is not", () => {
  const setUps: readonly SetUp[] = [
    { folder: "", command: "npm ci", problem: "no_registry", subject: null, output: null },
  ];
  const runs = (more: Partial<TestRunEnded>): number =>
    checkSoFar(after(begun(0), base({ ...regressed, ...more }), story.resumed()), CHECK).runs.length;
  expect(runs({})).toBe(1);
  expect(runs({ setUps })).toBe(0);
});
