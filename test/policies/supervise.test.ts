import { describe, expect, test } from "vitest";
import type { Decision } from "../../src/core/decision.ts";
import type { RunEvent } from "../../src/core/event.ts";
import { next } from "../../src/engine/next.ts";
import * as story from "../rig/story.ts";

const {
  after,
  answered,
  asked,
  checkEnded,
  exited,
  judged,
  rejected,
  resumed,
  started,
  turnEnded,
  turnStarted,
} = story;

const TWO_EACH = { testFast: story.testsNamed("fast", 2), testFull: story.testsNamed("full", 2) };
const interactive = started({}, { interactive: true });
const untilAsked = [...rejected(1), ...rejected(2), ...rejected(3), asked()];
const check = (phase: "fast" | "full", index = 1, command: string = phase): Decision => {
  return { do: "run_check", attempt: 1, phase, index, command };
};
const opened = (attempt: number, turn: number): Decision => {
  return { do: "open_turn", role: "worker", attempt, turn, agent: null, resumes: null };
};
const end = (
  status: "passed" | "failed" | "manually_passed" | "manually_failed",
  exitCode: number,
  reason: string,
) => ({ do: "end", status, exitCode, reason }) as Decision;

type Row = [name: string, events: [RunEvent, ...RunEvent[]], decision: Decision | null];

const BEGIN: Row[] = [
  ["a new run: the first turn is opened", [started()], opened(1, 1)],
  [
    "no plan: the run ends before anything is done",
    [started({ plan: { problem: "plan_file_missing" } })],
    end("failed", 2, "plan_file_missing"),
  ],
  [
    "a plan that cannot be read: the same",
    [started({ plan: { problem: "plan_file_unreadable" } })],
    end("failed", 2, "plan_file_unreadable"),
  ],
];

const TURN: Row[] = [
  ["an open turn is taken", [started(), turnStarted(1)], { do: "take_turn", attempt: 1, turn: 1 }],
  [
    "a turn that a crash left open is recorded as interrupted",
    [started(), turnStarted(1), resumed()],
    { do: "record_interrupted", attempt: 1, turn: 1 },
  ],
  [
    "after an interrupted turn another one of the same attempt is opened",
    [started(), turnStarted(1), { type: "turn_interrupted", attempt: 1, turn: 1 }],
    opened(1, 2),
  ],
  [
    "interrupted at the last attempt: that attempt is not lost",
    [
      started({ maxLoops: 2 }),
      ...rejected(1),
      turnStarted(2),
      resumed(),
      { type: "turn_interrupted", attempt: 2, turn: 2 },
    ],
    opened(2, 3),
  ],
];

const CHECKS: Row[] = [
  ["after a turn the first fast test is run", [started(), turnStarted(1), turnEnded(1)], check("fast")],
  [
    "whatever the agent said",
    [started(), turnStarted(1), turnEnded(1, { status: "BLOCKED" }, exited(3))],
    check("fast"),
  ],
  [
    "one fast test after the other",
    [started(TWO_EACH), turnStarted(1), turnEnded(1), checkEnded(1, "fast")],
    check("fast", 2, "fast 2"),
  ],
  [
    "the first failure ends the tests",
    [started(TWO_EACH), turnStarted(1), turnEnded(1), checkEnded(1, "fast", 1, exited(1))],
    { do: "judge", attempt: 1 },
  ],
  [
    "DONE and green fast tests: full tests",
    [started(), turnStarted(1), turnEnded(1), checkEnded(1, "fast")],
    check("full"),
  ],
  [
    "one full test after the other",
    [
      started(TWO_EACH),
      turnStarted(1),
      turnEnded(1),
      checkEnded(1, "fast"),
      checkEnded(1, "fast", 2),
      checkEnded(1, "full"),
    ],
    check("full", 2, "full 2"),
  ],
  [
    "a full test that failed ends the tests",
    [
      started(TWO_EACH),
      turnStarted(1),
      turnEnded(1),
      checkEnded(1, "fast"),
      checkEnded(1, "fast", 2),
      checkEnded(1, "full", 1, { kind: "timeout", afterMs: 1 }),
    ],
    { do: "judge", attempt: 1 },
  ],
  [
    "all tests run: a verdict",
    [started(), turnStarted(1), turnEnded(1), checkEnded(1, "fast"), checkEnded(1, "full")],
    { do: "judge", attempt: 1 },
  ],
  ...([null, "invalid", "NEEDS_WORK", "BLOCKED"] as const).map((status): Row => [
    `status ${status}: no full tests`,
    [started(), turnStarted(1), turnEnded(1, { status }), checkEnded(1, "fast")],
    { do: "judge", attempt: 1 },
  ]),
  [
    "a crash among the tests: the one that was not recorded is run",
    [started(TWO_EACH), turnStarted(1), turnEnded(1), checkEnded(1, "fast"), resumed()],
    check("fast", 2, "fast 2"),
  ],
];

const VERDICT: Row[] = [
  ["accepted: the run has passed", [started(), ...story.acceptedAt(1)], end("passed", 0, "accepted")],
  [
    "accepted at the last attempt",
    [started({ maxLoops: 2 }), ...rejected(1), ...story.acceptedAt(2)],
    end("passed", 0, "accepted"),
  ],
  ["rejected below the limit: the next attempt", [started(), ...rejected(1)], opened(2, 2)],
  [
    "rejected at the limit, without a person to ask: failed",
    [started({ maxLoops: 1 }), ...rejected(1)],
    end("failed", 1, "limit_reached"),
  ],
  [
    "rejected at the limit, with a person there: asked",
    [interactive, ...rejected(1), ...rejected(2), ...rejected(3)],
    { do: "ask" },
  ],
  [
    "whether a person is there is known by the process that supervises now",
    [interactive, ...rejected(1), ...rejected(2), ...rejected(3), resumed({ interactive: false })],
    end("failed", 1, "limit_reached"),
  ],
];

const QUESTION: Row[] = [
  ["an open question is waited for", [interactive, ...untilAsked], { do: "await_answer", questionId: "q1" }],
  [
    "also after a crash, wherever the run is resumed",
    [interactive, ...untilAsked, resumed()],
    { do: "await_answer", questionId: "q1" },
  ],
  [
    "continue: the next attempt",
    [interactive, ...untilAsked, answered({ kind: "continue_n", n: 1 })],
    opened(4, 4),
  ],
  [
    "continue, used up: asked again",
    [interactive, ...untilAsked, answered({ kind: "continue_n", n: 1 }), ...rejected(4)],
    { do: "ask" },
  ],
  [
    "pass",
    [interactive, ...untilAsked, answered({ kind: "mark_pass" })],
    end("manually_passed", 0, "marked_by_person"),
  ],
  [
    "fail",
    [interactive, ...untilAsked, answered({ kind: "mark_fail" })],
    end("manually_failed", 1, "marked_by_person"),
  ],
  [
    "an ended run: nothing",
    [started(), { type: "run_ended", status: "failed", exitCode: 1, reason: "cancelled", messageId: "m" }],
    null,
  ],
];

describe.each<[string, Row[]]>([
  ["the beginning", BEGIN],
  ["a turn", TURN],
  ["tests", CHECKS],
  ["a verdict", VERDICT],
  ["the question at the limit", QUESTION],
])("%s", (_, rows) => {
  test.each(rows)("%s", (_name, events, decision) => {
    expect(next(after(...events))).toEqual(decision);
  });
});

test("a rejected attempt is not forgotten: no verdict, no next attempt", () => {
  const unjudged = [turnStarted(1), turnEnded(1, { status: "NEEDS_WORK" }), checkEnded(1, "fast")];
  expect(next(after(started(), ...unjudged))).toEqual({ do: "judge", attempt: 1 });
  expect(next(after(started(), ...unjudged, judged(1, "agent_needs_work")))?.do).toBe("open_turn");
});
