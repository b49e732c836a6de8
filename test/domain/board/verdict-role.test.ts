import { describe, expect, test } from "vitest";
import { readOrder } from "../../../src/modes/orchestrate/rules/read-order.ts";
import type { RoleSaid } from "../../../src/core/board/role-said.ts";
import type { ProcessEnd } from "../../../src/platform/process/process-end.ts";
import {
  isRed,
  judgeFinish,
  judgeRole,
  lacksIn,
  seenAs,
  type Lack,
  type RoleEvidence,
} from "../../../src/modes/orchestrate/verdict-role.ts";
import { SAID } from "../../rig/board-answers.ts";
import { aPlan, BoardStory } from "../../rig/board-story.ts";
import { exited } from "../../rig/story.ts";
import { lastAttempt } from "../../../src/core/state.ts";

const TIMEOUT: ProcessEnd = { kind: "timeout", afterMs: 1 };
const STALLED: ProcessEnd = { kind: "stalled", afterMs: 1 };
const KILLED: ProcessEnd = { kind: "signaled", signal: "SIGSEGV" };
const NOT_STARTED: ProcessEnd = { kind: "not_started", message: "no such directory" };
const FLOOD: ProcessEnd = { kind: "output_cap", capBytes: 1 };

type Changes = Partial<Omit<RoleEvidence, "report">> & {
  readonly said?: Partial<RoleSaid>;
  readonly absentFiles?: readonly string[];
  readonly changed?: readonly string[] | null;
  readonly unrestored?: readonly string[];
};
const ordered = (...lines: readonly string[]): RoleEvidence["order"] =>
  readOrder(["# Current Task (Iteration 1)", ...lines, "## Test requirements", "1. a", "2. b"].join("\n"));

function evidence(
  role: RoleEvidence["role"],
  { said, absentFiles = [], changed = [], unrestored = [], ...more }: Changes,
): RoleEvidence {
  const checks = more.checks ?? [exited(role === "TEST" ? 1 : 0)];
  return {
    role,
    order: ordered(...{ TEST: [], DEV: ["self_test: enabled"], REVIEW: ["review_mode: milestone"] }[role]),
    tasks: ["M1-T1"],
    turn: { end: exited(0), agentFailure: null },
    report: {
      kind: "role_report",
      said: { ...SAID, tasks: ["M1-T1"], ...said },
      absentFiles,
      changed,
      unrestored,
      tests: null,
    },
    due: checks.length,
    restored: false,
    ...more,
    checks,
  };
}

const WAIVED = ordered("red_waiver: the feature exists");
const DISABLED = ordered("self_test: disabled");
const INVESTIGATES = ordered("review_mode: investigate");
const nothingRun = { checks: [], due: 0 } as const;

type Row = readonly [what: string, changes: Changes, reasons: readonly string[]];

const TEST: readonly Row[] = [
  ["B16 B35 red, and all that belongs to it", {}, []],
  ["B35 green, because it put back tests that were red before", { restored: true, checks: [exited(0)] }, []],
  ["B35 no file", { said: { testFiles: [] } }, ["report_incomplete"]],
  ["B35 a file that is not there", { absentFiles: ["test/a.test.mjs"] }, ["report_incomplete"]],
  ["B35 no command", { said: { commands: [] } }, ["report_incomplete"]],
  ["B35 a requirement that is not covered", { said: { covered: [1] } }, ["report_incomplete"]],
  ["B35 more than was asked for is covered", { said: { covered: [1, 2, 3] } }, []],
  ["B36 B35 not red", { checks: [exited(0)] }, ["not_red"]],
  ["B35 one of two is red", { checks: [exited(0), exited(2)] }, []],
  ["B35 not red, with a waiver", { checks: [exited(0)], order: WAIVED }, []],
  ["B35 red, with a waiver", { order: WAIVED }, []],
  ["B35 the command is not found", { checks: [exited(127)] }, ["acceptance_not_runnable"]],
  ["B35 with a waiver neither", { checks: [exited(127)], order: WAIVED }, ["acceptance_not_runnable"]],
  ["B35 one of two cannot be run", { checks: [exited(1), exited(126)] }, ["acceptance_not_runnable"]],
  ["B35 the command hangs", { checks: [TIMEOUT] }, ["acceptance_not_runnable", "timeout"]],
  ["B35 the command is killed", { checks: [KILLED] }, ["acceptance_not_runnable"]],
  ["B37 FAIL, though red", { said: { claim: "FAIL" } }, ["role_failed"]],
  ["B37 BLOCKED", { said: { claim: "BLOCKED" }, ...nothingRun }, ["role_blocked"]],
  ["no conclusion", { said: { claim: null }, ...nothingRun }, ["report_without_conclusion"]],
  ["SKIPPED is DEV's word", { said: { claim: "SKIPPED" } }, ["report_incomplete"]],
  ["it touched the product", { changed: ["src/a.ts"], ...nothingRun }, ["forbidden_change"]],
  ["its changes are unknown", { changed: null }, []],
];

const DEV: readonly Row[] = [
  ["B17 green", {}, []],
  ["B17 PASS, and red", { checks: [exited(1)] }, ["acceptance_failed"]],
  ["B22 one of two commands is red", { checks: [exited(0), exited(1)] }, ["acceptance_failed"]],
  ["B22 a command hangs", { checks: [exited(0), STALLED] }, ["acceptance_failed", "stalled"]],
  ["a command cannot be run", { checks: [NOT_STARTED] }, ["acceptance_failed", "test_execution_error"]],
  ["two fail in the same way", { checks: [FLOOD, FLOOD] }, ["acceptance_failed", "output_cap_exceeded"]],
  ["B38 FAIL, and green", { said: { claim: "FAIL" } }, ["role_failed"]],
  [
    "B38 FAIL, and red",
    { said: { claim: "FAIL" }, checks: [exited(1)] },
    ["role_failed", "acceptance_failed"],
  ],
  ["B39 BLOCKED", { said: { claim: "BLOCKED" }, ...nothingRun }, ["role_blocked"]],
  ["B31 SKIPPED though it was to test", { said: { claim: "SKIPPED" } }, ["report_incomplete"]],
  ["B31 SKIPPED as ordered", { said: { claim: "SKIPPED" }, order: DISABLED, ...nothingRun }, []],
  ["B31 PASS without a self-test", { order: DISABLED, ...nothingRun }, []],
  [
    "B31 FAIL without a self-test",
    { said: { claim: "FAIL" }, order: DISABLED, ...nothingRun },
    ["role_failed"],
  ],
  ["it touched tests", { changed: ["test/a.test.ts"], ...nothingRun }, ["forbidden_change"]],
  [
    "another did, and they are not put back",
    { unrestored: ["test/a.test.ts"], ...nothingRun },
    ["tests_not_restored"],
  ],
  [
    "its agent failed",
    { turn: { end: exited(0), agentFailure: "crashed" }, ...nothingRun },
    ["agent_crashed"],
  ],
  [
    "its turn failed, and it says nothing",
    { turn: { end: TIMEOUT, agentFailure: "timeout" }, said: { claim: null }, ...nothingRun },
    ["timeout", "report_without_conclusion"],
  ],
];

const REVIEW: readonly Row[] = [
  ["B19 green again", {}, []],
  ["B19 it speaks of other tasks", { said: { tasks: ["M1-T2"] } }, ["report_incomplete"]],
  ["B19 it speaks of some of them", { tasks: ["M1-T1", "M1-T2"] }, ["report_incomplete"]],
  ["B19 PASS, and red", { checks: [exited(1)] }, ["acceptance_failed"]],
  ["B42 FAIL", { said: { claim: "FAIL", failureType: "test" } }, ["role_failed"]],
  ["B42 FAIL, and it says whose fault", { said: { claim: "FAIL", fault: "test" } }, ["role_failed"]],
  ["it touched something", { changed: ["README.md"], ...nothingRun }, ["forbidden_change"]],
  ["B43 an investigation that found something", investigation("PASS", "test"), []],
  ["B43 … and calls it a failure", investigation("FAIL", "implementation"), []],
  ["B43 … and has no other conclusion", investigation(null, "requirements"), []],
  ["B43 … or none at all", investigation(null, null), ["report_without_conclusion"]],
  ["B43 PASS, and nothing found", investigation("PASS", null), ["report_incomplete"]],
  ["B43 FAIL, and nothing found", investigation("FAIL", null), ["role_failed"]],
  ["B43 BLOCKED, whatever it found", investigation("BLOCKED", "test"), ["role_blocked"]],
];

function investigation(claim: RoleSaid["claim"], fault: RoleSaid["fault"]): Changes {
  return { order: INVESTIGATES, said: { claim, fault, tasks: [] }, ...nothingRun };
}

describe.each([
  ["TEST", TEST],
  ["DEV", DEV],
  ["REVIEW", REVIEW],
] as const)("%s", (role, rows) => {
  test.each(rows)("%s", (_, changes, reasons) => {
    const verdict = reasons.length === 0 ? "accepted" : "rejected";
    expect(judgeRole(evidence(role, changes))).toEqual({ verdict, reasons });
  });

  test("accepts nothing before all commands have run", () => {
    expect(judgeRole(evidence(role, { due: 2 }))).toEqual({ verdict: "rejected", reasons: [] });
    expect(judgeRole(evidence(role, { checks: [], due: 1 }))).toEqual({ verdict: "rejected", reasons: [] });
  });
});

test.each<[end: ProcessEnd, red: boolean]>([
  [exited(0), false],
  [exited(1), true],
  [exited(2), true],
  [exited(125), true],
  [exited(126), false],
  [exited(127), false],
  [exited(130), false],
  [TIMEOUT, false],
  [STALLED, false],
  [KILLED, false],
  [NOT_STARTED, false],
  [FLOOD, false],
  [{ kind: "finished" }, false],
])("B35 %o is red: %s", (end, red) => {
  expect(isRed(end)).toBe(red);
  expect(seenAs(end) === "red").toBe(red);
});

test("a check that did not run is neither red nor green", () => {
  expect([exited(0), exited(1), exited(127), TIMEOUT, KILLED, NOT_STARTED].map(seenAs)).toEqual([
    "green",
    "red",
    "not_run",
    "not_run",
    "not_run",
    "not_run",
  ]);
});

describe("B35 gaps of an incomplete report", () => {
  const ofTest = (said: Partial<RoleSaid>, absentFiles: readonly string[] = []): readonly Lack[] =>
    lacksOf(new BoardStory().main({ nextAgent: "TEST" }).role(said, { absentFiles }));
  const lacksOf = ({ state }: BoardStory): readonly Lack[] => {
    const attempt = lastAttempt(state);
    return attempt ? lacksIn(attempt) : [];
  };

  test("of TEST", () => {
    expect(ofTest({})).toEqual([]);
    expect(ofTest({ testFiles: [], commands: [], covered: [] }, ["test/a.ts"])).toEqual([
      { what: "test_files", about: [] },
      { what: "absent_files", about: ["test/a.ts"] },
      { what: "commands", about: [] },
      { what: "coverage", about: ["1"] },
    ]);
    expect(ofTest({ claim: "SKIPPED" })).toEqual([{ what: "self_test", about: [] }]);
  });

  test("are not reported if it does not claim to be done", () => {
    expect(ofTest({ claim: "FAIL", testFiles: [] })).toEqual([]);
    expect(ofTest({ claim: null, testFiles: [] })).toEqual([]);
  });

  test("of REVIEW", () => {
    const review = (...header: readonly string[]): BoardStory =>
      new BoardStory({ plan: aPlan({ "M1-T1": "DONE", "M1-T2": "DONE" }) }).main({
        nextAgent: "REVIEW",
        header,
      });
    expect(lacksOf(review().role({ tasks: ["M1-T1"] }))).toEqual([{ what: "tasks", about: ["M1-T2"] }]);
    expect(lacksOf(review("review_mode: investigate").role({ fault: null }))).toEqual([
      { what: "fault", about: [] },
    ]);
  });
});

test.each<
  [what: string, checks: readonly ProcessEnd[], due: number, reasons: readonly string[], accepted: boolean]
>([
  ["all green", [exited(0), exited(0)], 2, [], true],
  ["one red", [exited(0), exited(1)], 2, ["acceptance_failed"], false],
  ["one hangs", [TIMEOUT, exited(1)], 2, ["acceptance_failed", "timeout"], false],
  ["one is left", [exited(0)], 2, [], false],
])("B48 the last look: %s", (_, checks, due, reasons, accepted) => {
  expect(judgeFinish(checks, due)).toEqual({ verdict: accepted ? "accepted" : "rejected", reasons });
});
