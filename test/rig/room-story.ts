import type { CheckEnded, CheckPhase, RunEvent } from "../../src/core/event.ts";
import type { ProtectedChange } from "../../src/core/evidence/change.ts";
import type {
  BaseChecked,
  BaseRunEnded,
  BaseTaken,
  CandidateTaken,
  CheckInRoom,
  OwnRun,
  TestRun,
  TestRunEnded,
} from "../../src/core/evidence/event.ts";
import type { RoomSettings } from "../../src/core/evidence/settings.ts";
import type { Names, TestFindings } from "../../src/core/evidence/findings.ts";
import { checkEnded, exited, NOTHING, ran } from "./story.ts";

/** Additional events of a run with a clean room, for stories with `room: ROOM`. */

export const ROOM: RoomSettings = {
  setup: null,
  allow: [],
  protect: [],
  product: [],
  passEnv: [],
  proveTests: false,
  testChanges: "judge",
  allowNoChange: false,
  acceptTree: false,
};
const TREE = "b".repeat(64);
const NONE: Names = { count: 0, some: [] };
export const names = (...some: readonly string[]): Names => ({ count: some.length, some });

export function baseTaken(more: Partial<BaseTaken> = {}): BaseTaken {
  return {
    type: "base_taken",
    tree: "a".repeat(64),
    files: 120,
    folder: "",
    leftOut: [],
    commit: "a1b2c3d4e5f60718293a4b5c6d7e8f9001122334",
    isRepository: true,
    protected: { files: 31, sha256: NOTHING.sha256 },
    listing: NOTHING,
    pack: NOTHING,
    stamps: NOTHING,
    room: "overlay",
    weak: [],
    inherited: { count: 0, some: [] },
    ...more,
  };
}

/** 214 tests, 2 of which fail. */
export function baseChecked(
  phase: CheckPhase,
  command: string,
  more: Partial<BaseChecked> = {},
): BaseChecked {
  return {
    type: "base_checked",
    phase,
    index: 1,
    process: { ...ran(command, exited(1)), durationMs: 3100 },
    output: NOTHING,
    tests: { runners: ["vitest"], passed: 212, failed: 2, skipped: 0, kept: NOTHING },
    rewritten: [],
    ...more,
  };
}

/** The command failed and is due again. */
export function baseRunEnded(
  phase: CheckPhase,
  command: string,
  more: Partial<BaseRunEnded> = {},
): BaseRunEnded {
  const process = { ...ran(command, exited(1)), durationMs: 3100 };
  return { type: "base_run_ended", phase, index: 1, process, output: NOTHING, ...more };
}

export function candidateTaken(attempt: number, more: Partial<CandidateTaken> = {}): CandidateTaken {
  return {
    type: "candidate_taken",
    attempt,
    tree: TREE,
    protected: [],
    allowed: [],
    changesSha256: NOTHING.sha256,
    newTests: NONE,
    hidden: NONE,
    programs: [],
    ...more,
  };
}

export const confirmed = (attempt: number): RunEvent => ({
  type: "candidate_confirmed",
  attempt,
  tree: TREE,
});

export function changed(path: string, more: Partial<ProtectedChange> = {}): ProtectedChange {
  return { path, kind: "test", how: "changed", entries: [], ...more };
}

/** 214 tests, 3 of which are new, and all pass. */
export function findings(more: Partial<TestFindings> = {}): TestFindings {
  return {
    runners: ["vitest"],
    passed: 214,
    failed: 0,
    skipped: 0,
    added: 3,
    regressed: NONE,
    alreadyFailing: NONE,
    newFailing: NONE,
    failing: NONE,
    vanished: NONE,
    skippedNow: NONE,
    failures: [],
    complete: true,
    exitedBy: [],
    kept: NOTHING,
    ...more,
  };
}

/** 209 tests pass, one fails in each possible way, two have not run. */
export const BAD: TestFindings = findings({
  passed: 209,
  failed: 4,
  skipped: 1,
  regressed: {
    count: 7,
    some: ["a > one", "a > two", "a > three", "a > four", "a > five", "a > six", "a > seven"],
  },
  newFailing: names("new > fails"),
  alreadyFailing: names("old > broken"),
  vanished: names("gone > away"),
  skippedNow: names("left > out"),
});

export function inRoom(more: Partial<CheckInRoom> = {}): CheckInRoom {
  return {
    findings: findings(),
    flaky: null,
    baseTests: null,
    candidateTests: null,
    lost: NONE,
    baseProduct: null,
    baseControl: null,
    rewritten: NONE,
    problem: null,
    ...more,
  };
}

export function ownRun(code: number, more: Partial<OwnRun> = {}): OwnRun {
  return { process: ran("full", exited(code)), output: NOTHING, findings: findings(), ...more };
}

/** The command passes with the agent's tests, but an original test fails on the new code. */
export const ORIGINALS_FAIL: Partial<CheckInRoom> = {
  baseTests: ownRun(1, { findings: findings({ passed: 213, failed: 1, regressed: names("api > adds") }) }),
  candidateTests: ownRun(0),
};

/** A check of a story with its results from the room. */
export function checkInRoom(
  attempt: number,
  phase: CheckPhase,
  code: number,
  room: Partial<CheckInRoom> = {},
): CheckEnded {
  return { ...checkEnded(attempt, phase, 1, exited(code)), room: inRoom(room) };
}

/** A successful test run of a check. */
export function testRun(run: TestRun, more: Partial<TestRunEnded> = {}): TestRunEnded {
  return {
    type: "test_run_ended",
    attempt: 1,
    phase: "fast",
    index: 1,
    ...run,
    process: ran("fast", exited(0)),
    output: NOTHING,
    findings: null,
    rewritten: NONE,
    problem: null,
    ruledOut: [],
    ...more,
  };
}
