import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { receive, type Message } from "../../src/core/message.ts";
import { fold } from "../../src/core/fold.ts";
import type { RunState } from "../../src/core/state.ts";
import * as story from "../rig/story.ts";

const { after, asked, AT, rejected, started, turnStarted } = story;
const interactive = started({ maxLoops: 1 }, { interactive: true });
const asking = after(interactive, ...rejected(1), asked("q1-secret"));
const working = after(interactive, turnStarted(1));

const answer = (questionId: string | null, id = "m1"): Message => ({
  kind: "answer",
  id,
  questionId,
  answer: { kind: "mark_pass" },
  note: "looks good",
});

/** Processes a message like the engine. */
function take(state: RunState, message: Message): RunState {
  const event = receive(state, message);
  return event ? fold(state, event, AT) : state;
}

describe("an answer", () => {
  test("to the open question is accepted", () => {
    expect(receive(asking, answer("q1-secret"))).toEqual({
      type: "question_answered",
      id: "q1-secret",
      answer: { kind: "mark_pass" },
      note: "looks good",
      via: "decide",
      messageId: "m1",
    });
  });

  test.each<[string, RunState, string | null, string]>([
    ["with another id", asking, "q0-guess", "wrong_question_id"],
    ["without an id", asking, null, "wrong_question_id"],
    ["with a part of the id", asking, "q1", "wrong_question_id"],
    ["while the agent works", working, "q1-secret", "no_open_question"],
    ["while the agent works, without an id", working, null, "no_open_question"],
  ])("refuses %s, and records the refusal with the attempted answer", (_, state, questionId, why) => {
    expect(receive(state, answer(questionId))).toEqual({
      type: "answer_refused",
      messageId: "m1",
      why,
      answer: { kind: "mark_pass" },
      note: "looks good",
    });
  });

  test("that was written before the question is refused when the question is open", () => {
    const early = take(working, answer("q1-secret", "early"));
    expect(early).toMatchObject({ refusals: 1, question: null });
    expect(receive(early, answer("q1-secret", "early"))).toBeNull();
  });

  test("that was seen is dropped, taken or refused", () => {
    expect(receive(take(asking, answer("q0", "m7")), answer("q1-secret", "m7"))).toBeNull();
    const taken = take(asking, answer("q1-secret", "m8"));
    expect(receive(taken, answer("q1-secret", "m8"))).toBeNull();
  });

  test("to a question that was answered is refused", () => {
    const taken = take(asking, answer("q1-secret", "first"));
    expect(receive(taken, answer("q1-secret", "second"))).toMatchObject({ why: "no_open_question" });
    expect(take(taken, answer("q1-secret", "second")).decisions).toHaveLength(1);
  });
});

test("refuses an invalid message, and records nothing of it", () => {
  const refusal = { type: "answer_refused", messageId: "m", why: "unreadable", answer: null, note: null };
  expect(receive(asking, { kind: "unreadable", id: "m" })).toEqual(refusal);
  expect(receive(working, { kind: "unreadable", id: "m" })).toEqual(refusal);
});

test.each([
  ["at work", working],
  ["asking", asking],
])("a cancel ends a run that is %s, as failed", (_, state) => {
  expect(receive(state, { kind: "cancel", id: "m" })).toEqual({
    type: "run_ended",
    status: "failed",
    exitCode: 1,
    reason: "cancelled",
    messageId: "m",
  });
});

const anyMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.uuid().map((id): Message => ({ kind: "unreadable", id })),
  fc
    .record({ id: fc.uuid(), questionId: fc.option(fc.string()), note: fc.option(fc.string()) })
    .map((message): Message => ({ kind: "answer", answer: { kind: "mark_pass" }, ...message })),
);

describe("a flood", () => {
  test("of wrong answers decides nothing and is recorded only up to a limit", () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { minLength: 60, maxLength: 120 }), (messages) => {
        const state = messages.reduce(take, working);
        expect(state).toMatchObject({ refusals: 50, decisions: [], ended: null });
        expect(state.messagesSeen.size).toBe(50);
      }),
      { numRuns: 50 },
    );
  });

  test("does not keep the person's answer or a cancel out", () => {
    const flood = Array.from({ length: 200 }, (_, index): Message => ({
      kind: "unreadable",
      id: `flood-${index}`,
    }));
    const flooded = flood.reduce(take, asking);
    expect(receive(flooded, answer("q1-secret", "person"))).toMatchObject({ type: "question_answered" });
    expect(receive(flooded, { kind: "cancel", id: "person" })).toMatchObject({ type: "run_ended" });
  });
});
