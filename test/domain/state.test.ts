import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/core/event.ts";
import { fold, ImpossibleEvent } from "../../src/core/fold.ts";
import { begin } from "../../src/modes/registry.ts";
import * as story from "../rig/story.ts";

const {
  acceptedAt,
  after,
  answered,
  asked,
  AT,
  checkEnded,
  exited,
  judged,
  later,
  rejected,
  resumed,
  started,
  turnEnded,
  turnStarted,
} = story;
const interrupted = (attempt: number, turn = attempt): RunEvent => ({
  type: "turn_interrupted",
  attempt,
  turn,
});
const runEnded: RunEvent = {
  type: "run_ended",
  status: "failed",
  exitCode: 1,
  reason: "limit_reached",
  messageId: null,
};
const passed: RunEvent = {
  type: "run_ended",
  status: "passed",
  exitCode: 0,
  reason: "accepted",
  messageId: null,
};
const interactive = started({ maxLoops: 1 }, { interactive: true });

describe("impossible events are refused", () => {
  test.each([runEnded, turnStarted(1), resumed()])("a journal does not begin with $type", (event) => {
    expect(() => begin(event, AT)).toThrow(ImpossibleEvent);
  });

  test.each<[string, RunEvent[], RunEvent]>([
    ["a second beginning", [], started()],
    ["anything after the end", [runEnded], resumed()],
    ["a second end", [runEnded], runEnded],
    ["an unknown event", [], { type: "run_blessed" } as unknown as RunEvent],
    ["the end of a turn that was not started", [], turnEnded(1)],
    ["the end of another attempt's turn", [turnStarted(1)], turnEnded(2)],
    ["the end of another turn", [turnStarted(1)], turnEnded(1, {}, exited(0), 2)],
    ["a turn that ends twice", [turnStarted(1), turnEnded(1)], turnEnded(1)],
    ["an interruption without a turn", [], interrupted(1)],
    ["an interruption of a turn that has ended", [turnStarted(1), turnEnded(1)], interrupted(1)],
    ["a turn within a turn", [turnStarted(1)], turnStarted(1, 2)],
    ["an attempt that skips one", [...rejected(1)], turnStarted(3, 2)],
    ["a first attempt that is not the first", [], turnStarted(2, 1)],
    ["a turn number that was used", [turnStarted(1), interrupted(1)], turnStarted(1, 1)],
    ["an attempt before the last one is judged", [turnStarted(1), turnEnded(1)], turnStarted(2)],
    ["an attempt over the limit", [...rejected(1), ...rejected(2), ...rejected(3)], turnStarted(4)],
    ["a test before the turn has ended", [turnStarted(1)], checkEnded(1, "fast")],
    ["a test of an attempt that is judged", [...rejected(1)], checkEnded(1, "full")],
    [
      "a test that was run already",
      [turnStarted(1), turnEnded(1), checkEnded(1, "fast")],
      checkEnded(1, "fast"),
    ],
    ["an unknown test", [turnStarted(1), turnEnded(1)], checkEnded(1, "fast", 2)],
    ["a verdict without a turn", [turnStarted(1)], judged(1, "agent_needs_work")],
    ["a second verdict", [...rejected(1)], judged(1)],
    [
      "an acceptance that the evidence contradicts",
      [turnStarted(1), turnEnded(1), checkEnded(1, "fast")],
      judged(1),
    ],
    ["a pass without an acceptance", [...rejected(1)], passed],
    ["a failed run that exits with 0", [...rejected(1)], { ...runEnded, exitCode: 0 }],
    ["a passed run that exits with 1", [...acceptedAt(1)], { ...passed, exitCode: 1 }],
    ["an answer to no question", [...rejected(1)], answered({ kind: "mark_pass" })],
  ])("%s", (_, events, event) => {
    const state = after(started(), ...events);
    expect(() => fold(state, event, AT)).toThrow(ImpossibleEvent);
  });

  test.each<[string, RunEvent]>([
    ["an answer to another question", answered({ kind: "mark_pass" }, "q0")],
    ["a question beside a question", asked("q2")],
    ["a turn while the question is open", turnStarted(2)],
  ])("%s", (_, event) => {
    const state = after(interactive, ...rejected(1), asked("q1"));
    expect(() => fold(state, event, AT)).toThrow(ImpossibleEvent);
  });
});

describe("the consequences of events", () => {
  test("an interrupted turn is retried in the same attempt, under a new number", () => {
    const state = after(started(), turnStarted(1), resumed(), interrupted(1), turnStarted(1, 2));
    expect(state).toMatchObject({
      turns: 2,
      attempts: [{ index: 1, turn: null }],
      openTurn: { attempt: 1, turn: 2, lost: false },
      interruptedTurns: [{ attempt: 1, turn: 1 }],
    });
  });

  test("a resume makes an open turn a lost one, and takes back a stop", () => {
    const open = after(started(), turnStarted(1));
    expect(open.openTurn?.lost).toBe(false);
    expect(fold(open, resumed(), AT).openTurn?.lost).toBe(true);
    const stopped = fold(open, { type: "run_stopped", by: "SIGINT" }, AT);
    expect(stopped.stopped).toBe("SIGINT");
    expect(fold(stopped, resumed(), AT).stopped).toBeNull();
  });

  test("a resume names the current agents", () => {
    const state = after(started(), resumed({ interactive: true, containment: "process_group" }));
    expect(state).toMatchObject({ interactive: true, containment: "process_group" });
  });

  test("granted attempts add up, and every answer is kept", () => {
    const state = after(
      interactive,
      ...rejected(1),
      asked("q1"),
      answered({ kind: "continue_n", n: 1 }, "q1"),
      ...rejected(2),
      asked("q2"),
      answered({ kind: "continue_n", n: 5 }, "q2"),
    );
    expect(state).toMatchObject({ maxLoops: 7, question: null, questionsAsked: 2 });
    expect(state.decisions.map(({ answer }) => answer)).toEqual([
      { kind: "continue_n", n: 1 },
      { kind: "continue_n", n: 5 },
    ]);
  });

  test("an accepted attempt and the end", () => {
    const state = after(started(), ...rejected(1), ...acceptedAt(2), passed);
    expect(state.attempts.map((attempt) => attempt.judged?.verdict)).toEqual(["rejected", "accepted"]);
    expect(state.ended).toEqual({ status: "passed", exitCode: 0, reason: "accepted", at: AT });
  });

  test("a run may be cancelled at any time, an open turn or question notwithstanding", () => {
    const cancelled: RunEvent = {
      type: "run_ended",
      status: "failed",
      exitCode: 1,
      reason: "cancelled",
      messageId: "m",
    };
    expect(after(started(), turnStarted(1), cancelled)).toMatchObject({
      openTurn: null,
      ended: { reason: "cancelled" },
    });
    expect(after(interactive, ...rejected(1), asked(), cancelled)).toMatchObject({ question: null });
  });

  test("the time of an interrupted turn counts once", () => {
    const working = after(started(), turnStarted(1));
    expect(fold(working, interrupted(1), later(60)).activeMs).toBe(60_000);
  });

  test("the previous state does not change", () => {
    const before = after(started(), turnStarted(1));
    const { mode, ...rest } = before;
    const copy = { mode, ...structuredClone(rest) };
    fold(before, turnEnded(1), AT);
    fold(before, interrupted(1), AT);
    expect(before).toEqual(copy);
  });
});
