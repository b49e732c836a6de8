import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import type { SuperviseSettings } from "../../src/core/settings.ts";
import { snakeCased } from "../../src/text/snake-case.ts";
import { jsonLineSchema } from "../../src/cli/schemas/json-line-schema.ts";
import { superviseReport, type SuperviseReport } from "../../src/modes/supervise/report.ts";
import { superviseReportSchema } from "../../src/modes/supervise/schema-report.ts";
import {
  BAD,
  baseChecked,
  baseTaken,
  candidateTaken,
  changed,
  checkInRoom,
  confirmed,
  inRoom,
  names,
  ownRun,
  ROOM,
} from "../rig/room-story.ts";
import {
  acceptedAt,
  after,
  answered,
  asked,
  AT,
  judged,
  started,
  turnEnded,
  turnStarted,
} from "../rig/story.ts";

const ENDED: RunEvent = {
  type: "run_ended",
  status: "passed",
  exitCode: 0,
  reason: "accepted",
  messageId: null,
};
const CHANGES = [changed("test/a.test.ts"), changed("Makefile", { kind: "config", entries: ["test"] })];

/** Rejected because of its tests, then held, allowed and accepted. */
const STORY: readonly RunEvent[] = [
  started({
    room: {
      setup: "npm ci",
      allow: ["Makefile"],
      protect: ["golden/**"],
      product: ["test/app/**"],
      passEnv: ["CI"],
      proveTests: true,
      testChanges: "hold",
      allowNoChange: true,
      acceptTree: false,
    },
  }),
  baseTaken({ weak: ["no_commit", "best_effort"], commit: null }),
  baseChecked("fast", "fast"),
  baseChecked("full", "full", { tests: null }),
  turnStarted(1),
  turnEnded(1),
  candidateTaken(1, { programs: ["/usr/bin/npm"], hidden: names("dist/") }),
  checkInRoom(1, "fast", 0, { findings: BAD }),
  judged(1, "fast_test_failed", "tests_failed", "tests_vanished", "tests_skipped", "programs_changed"),
  turnStarted(2),
  turnEnded(2),
  candidateTaken(2, { protected: CHANGES, allowed: ["Makefile"], newTests: names("test/new.test.ts") }),
  checkInRoom(2, "fast", 0, { flaky: names("a > b") }),
  checkInRoom(2, "full", 0, {
    findings: null,
    candidateTests: ownRun(0),
    baseProduct: { ...ownRun(1), revived: names(), unproven: names() },
  }),
  asked(),
  answered({ kind: "option", option: "allow" }),
  confirmed(2),
  judged(2),
  ENDED,
];

function report(events: readonly RunEvent[]): SuperviseReport {
  const [first, ...rest] = events;
  if (!first) throw new Error("nothing happened");
  const state = after(first, ...rest);
  const settings = state.settings as SuperviseSettings;
  const made = superviseReport(state, settings, { runDir: "/project/run", journal: "/state/journal.jsonl" });
  expect(superviseReportSchema.safeParse(made).error).toBeUndefined();
  return made;
}

describe("a report", () => {
  test("says where checks ran, what they were compared with, and what they cannot show", () => {
    const { room, base, not_covered, protected_decisions } = report(STORY);
    expect(room).toEqual({
      kind: "overlay",
      weak: ["no_commit", "best_effort"],
      setup: "npm ci",
      allow: ["Makefile"],
      protect: ["golden/**"],
      product: ["test/app/**"],
      pass_env: ["CI"],
      prove_tests: true,
      test_changes: "hold",
      allow_no_change: true,
      accept_tree: false,
    });
    expect(base).toMatchObject({ tree: "a".repeat(64), commit: null, files: 120, protected: { files: 31 } });
    expect(base?.tests.map(({ command, tests }) => [command, tests?.failed ?? null])).toEqual([
      ["fast", 2],
      ["full", null],
    ]);
    expect(not_covered).toEqual(["special_casing", "no_commit", "best_effort"]);
    expect(protected_decisions).toEqual([
      { attempt: 2, decision: "allow", note: null, via: "terminal", at: AT },
    ]);
  });

  test("says of each attempt which tree it left, and of each check what its tests showed", () => {
    const [first, second] = report(STORY).attempts;
    expect(first).toMatchObject({
      fast_tests_passed: false,
      candidate: { confirmed: false, decided: null, programs: ["/usr/bin/npm"], hidden: { count: 1 } },
    });
    expect(first?.tests[0]).toMatchObject({
      passed: false,
      exit_code: 0,
      tests: { passed: 209, already_failing: names("old > broken"), skipped_now: names("left > out") },
    });
    expect(second).toMatchObject({
      full_test_passed: true,
      candidate: { tree: "b".repeat(64), confirmed: true, decided: "allow", allowed: ["Makefile"] },
    });
    expect(second?.candidate?.protected_changes).toEqual(CHANGES);
    expect(second?.tests).toMatchObject([
      { flaky: names("a > b"), own: null },
      {
        tests: null,
        own: { exit_code: 0, tests: { passed: 214 } },
        without: { exit_code: 1 },
        problem: null,
      },
    ]);
  });

  test("of a run without a clean room has the same fields, and says so", () => {
    const made = report([started(), ...acceptedAt(1), ENDED]);
    expect(made).toMatchObject({ room: null, base: null, protected_decisions: [] });
    expect(made.not_covered).toEqual(["special_casing", "no_clean_room"]);
    expect(made.attempts[0]).toMatchObject({
      candidate: null,
      tests: [
        { tests: null, flaky: null, own: null, without: null, problem: null },
        { tests: null, flaky: null, own: null, without: null, problem: null },
      ],
    });
  });
});

const OF_RUN = { run_id: "1115-k7m2", at: AT };

test("the journal's schema knows the events, and nothing else", () => {
  const line = (event: object): boolean =>
    jsonLineSchema.safeParse({ type: "event", ...OF_RUN, seq: 1, event: snakeCased(event) }).success;
  for (const event of STORY) expect([event.type, line(event)]).toEqual([event.type, true]);
  const check = { ...checkInRoom(1, "fast", 0), room: inRoom({ problem: "none" }) };
  expect(line(check)).toBe(true);
  expect(line({ ...check, room: { ...check.room, more: 1 } })).toBe(false);
  expect(line({ ...baseTaken(), weak: ["feeble"] })).toBe(false);
  expect(line({ ...started({ room: ROOM }), settings: { ...started().settings, room: {} } })).toBe(false);
  expect(
    jsonLineSchema.safeParse({ type: "phase", ...OF_RUN, attempt: 0, phase: "base", command: "npm test" })
      .success,
  ).toBe(true);
});
