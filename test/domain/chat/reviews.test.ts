import { describe, expect, test } from "vitest";
import {
  isReviewable,
  judgeChat,
  lastTask,
  reviewBroke,
  reviewsOf,
} from "../../../src/modes/chat/reviews.ts";
import type { ReviewEnded } from "../../../src/core/event.ts";
import { verdictOn } from "../../../src/evidence/verdict.ts";
import { receive, type Message } from "../../../src/core/message.ts";
import type { ProcessEnd } from "../../../src/platform/process/process-end.ts";
import type { Reason } from "../../../src/core/reason.ts";
import type { ChatSettings } from "../../../src/core/settings.ts";
import { lastAttempt, type Attempt, type RunState, taskOf } from "../../../src/core/state.ts";
import { ChatStory, SESSION } from "../../rig/chat-story.ts";
import { exited, NOTHING, ran, resumed, agentRecord } from "../../rig/story.ts";

const live = (settings: Partial<ChatSettings> = {}): ChatStory => ChatStory.live(settings);
const stopped = (): ChatStory => live().asks().stops();
const CRASHED = { class: "crashed", message: "", retryAt: null } as const;

function attemptIn({ state }: ChatStory): Attempt {
  const attempt = lastAttempt(state);
  if (!attempt) throw new Error("there is none");
  return attempt;
}

describe("the verdict on an attempt", () => {
  const after = (completed: boolean, more: Partial<ReviewEnded> = {}): ChatStory =>
    stopped().checks().reviewed(completed, more);
  const crashed = { agent: agentRecord("claude", { failure: CRASHED }) };

  test.each<[what: string, story: ChatStory, reasons: Reason[]]>([
    ["C11 a reviewer's word that it is completed, and nothing against it", after(true), []],
    ["a script's is judged in the same way", new ChatStory().worked().checks().reviewed(true), []],
    ["no checks were wanted", live({ checks: [] }).asks().stops().reviewed(true), []],
    ["it is unknown whether the tree has changed", after(true, { changed: null }), []],
    [
      "the reviewer finished and had to be ended",
      after(true, { process: ran("c", { kind: "finished" }) }),
      [],
    ],
    ["not completed", after(false), ["review_rejected"]],
    ["a red check", stopped().checks(1).reviewed(true), ["check_failed"]],
    [
      "a red check, and not completed",
      stopped().checks(1).reviewed(false),
      ["check_failed", "review_rejected"],
    ],
    [
      "a check that took too long",
      stopped()
        .check(0, { process: ran("npm test", { kind: "timeout", afterMs: 1 }) })
        .reviewed(true),
      ["check_failed", "timeout"],
    ],
    [
      "C19 the reviewer's program failed, whatever it said",
      after(true, { process: ran("claude", exited(1)) }),
      ["review_failed"],
    ],
    ["C19 so did the reviewer by its own word", after(true, crashed), ["review_failed"]],
    ["C19 it said nothing", after(false, { problem: { kind: "missing" } }), ["review_empty"]],
    ["the tree is another one", after(true, { changed: ["x"] }), ["tree_changed_in_review"]],
    [
      "all of it",
      stopped()
        .checks(1)
        .reviewed(false, { changed: ["x"], process: ran("claude", { kind: "timeout", afterMs: 1 }) }),
      ["check_failed", "review_failed", "tree_changed_in_review"],
    ],
    [
      "a script's agent failed: no review",
      new ChatStory().worked({ process: ran("claude", exited(3)) }),
      ["agent_exit_nonzero"],
    ],
    [
      "by its own word",
      new ChatStory().worked({ agent: agentRecord("claude", { failure: { ...CRASHED, class: "refused" } }) }),
      ["agent_refused"],
    ],
  ])("%s", (_, { state }, reasons) => {
    const verdict = reasons.length === 0 ? "accepted" : "rejected";
    expect(verdictOn(state)).toEqual({ verdict, reasons });
  });

  test.each<[what: string, story: ChatStory]>([
    ["no agent has worked", new ChatStory()],
    ["no task was given", live()],
    ["the agent has not stopped", live().asks()],
    ["there is no review", stopped().checks()],
    [
      "the review was cut off at the budget",
      after(true, { process: ran("claude", { kind: "over_budget" }) }),
    ],
    ["there is one", after(true).judge()],
    ["something else was asked", after(true).asks()],
    ["the review was dropped", after(true).drops("skipped")],
  ])("there is none if %s", (_, { state }) => {
    expect(verdictOn(state)).toBeNull();
  });
});

test("accepts nothing without a review, or with a check that did not run", () => {
  const story = stopped().checks().reviewed(true);
  const attempt = attemptIn(story);
  const verdict = (checks: Attempt["checks"], review: ReviewEnded | null) =>
    judgeChat({ ...attempt, checks }, review, story.settings).verdict;
  expect(verdict(attempt.checks, attempt.review)).toBe("accepted");
  expect(verdict([], attempt.review)).toBe("rejected");
  expect(verdict(attempt.checks, null)).toBe("rejected");
});

test("a script's turn that failed cannot be reviewed; one in the terminal always can", () => {
  const worked = (end: ProcessEnd): boolean =>
    isReviewable(attemptIn(new ChatStory().worked({ process: ran("claude", end) })));
  expect([worked(exited(0)), worked({ kind: "finished" }), worked(exited(1))]).toEqual([true, true, false]);
  expect(isReviewable(attemptIn(stopped()))).toBe(true);
});

test("breaks off only for a reviewer that was unavailable or gave no answer", () => {
  const broke = (completed: boolean, more: Partial<ReviewEnded> = {}): boolean =>
    reviewBroke(attemptIn(stopped().checks().reviewed(completed, more).judge()));
  expect(broke(true, { process: ran("claude", exited(1)) })).toBe(true);
  expect(broke(false, { problem: { kind: "missing" } })).toBe(true);
  expect([broke(false), broke(true), broke(true, { changed: ["x"] })]).toEqual([false, false, false]);
  expect(reviewBroke(attemptIn(stopped()))).toBe(false);
});

test("C7 C8 counts tasks by the person's inputs, never by feedback", () => {
  expect([taskOf(new ChatStory().state), taskOf(live().state)]).toEqual([1, 0]);
  const story = live().asks().attempt(false).sends().attempt(true).asks();
  expect(taskOf(story.state)).toBe(2);
  expect(story.state.attempts.map(({ chat }) => chat?.task)).toEqual([1, 1]);
});

test("counts reviews by task, without one that a budget cut off", () => {
  const story = live().asks().attempt(false).sends().attempt(true).asks().attempt(false);
  const counted = (state: RunState): number[] => [reviewsOf(state, 1), reviewsOf(state, 2), reviewsOf(state)];
  expect(counted(story.state)).toEqual([2, 1, 1]);
  const cutOff = stopped()
    .checks()
    .reviewed(true, { process: ran("claude", { kind: "over_budget" }) });
  expect(reviewsOf(cutOff.state)).toBe(0);
});

test.each<[what: string, story: ChatStory, came: ReturnType<typeof lastTask>]>([
  ["nothing was asked", live(), null],
  ["the agent has not stopped", live().asks(), "open"],
  ["there is no verdict", stopped(), "open"],
  ["accepted", live().asks().attempt(true), "accepted"],
  ["rejected", live().asks().attempt(false), "open"],
  ["given up", live({ maxLoops: 1 }).asks().attempt(false).drops("limit_reached"), "limit_reached"],
  ["skipped", stopped().drops("skipped"), "open"],
  ["accepted, and something else asked", live().asks().attempt(true).asks(), "open"],
])("the last task: %s", (_, { state }, came) => {
  expect(lastTask(state)).toBe(came);
});

describe("the end of a conversation", () => {
  const became = ({ state }: ChatStory) => state.attempts.map(({ chat }) => chat?.settled);

  test.each<[what: string, story: ChatStory, settled: ReturnType<typeof became>]>([
    ["an input drops what is open", stopped().asks(), ["new_input"]],
    ["but not what was settled", live().asks().attempt(true).asks(), ["accepted"]],
    ["an agent that goes on by itself, too", stopped().stops(), ["went_on", null]],
    ["feedback is sent", live().asks().attempt(false).sends().stops(), ["feedback_sent", null]],
    ["it is not taken", live().asks().attempt(false).drops("not_taken"), ["not_taken"]],
    ["a rejection alone settles nothing", live().asks().attempt(false), [null]],
  ])("%s", (_, story, settled) => {
    expect(became(story)).toEqual(settled);
  });

  test("C4 the session is the last named one", () => {
    const story = live().asks(NOTHING, "one").asks(NOTHING, null);
    expect(story.state.chat?.session).toBe("one");
    expect(story.stops().state.chat?.session).toBe(SESSION);
    story.add({ type: "live_turn_ended", attempt: 2, session: null, message: null });
    expect(story.state.chat?.session).toBe(SESSION);
    expect(story.add(resumed()).state.chat).toMatchObject({ session: SESSION, live: "not_started" });
  });

  test("the agent's last message belongs to the attempt", () => {
    expect(attemptIn(live().asks().stops(NOTHING)).chat?.said).toBe(NOTHING);
  });
});

describe("a review command from another terminal", () => {
  const says = (to: (Message & { kind: "reviews" })["to"], { state }: ChatStory) =>
    receive(state, { kind: "reviews", id: "m1", to });

  test("skip drops open work", () => {
    const dropped = { type: "review_dropped", attempt: 1, why: "skipped", messageId: "m1" };
    expect(says("skip", stopped())).toEqual(dropped);
    expect(says("skip", stopped().checks().reviewed(true))).toEqual(dropped);
    expect(says("skip", live().asks().attempt(false))).toEqual(dropped);
  });

  test.each<[what: string, story: ChatStory]>([
    ["nothing is open", live().asks()],
    ["it was accepted", live().asks().attempt(true)],
    ["a review is still open", stopped().checks().reviews()],
    ["no person is at the terminal", new ChatStory().worked()],
    ["the agent has left", stopped().leaves()],
    ["the agent is not there yet", stopped().add(resumed())],
  ])("skip is passed over where %s", (_, story) => {
    expect(says("skip", story)).toBeNull();
  });

  test("pause, go on and stop", () => {
    const set = (to: string) => ({ type: "reviews_set", to, messageId: "m1" });
    expect(says("paused", live())).toEqual(set("paused"));
    expect(says("on", live().sets("paused"))).toEqual(set("on"));
    expect(says("stopped", live().sets("paused"))).toEqual(set("stopped"));
  });

  test.each<["on" | "paused" | "stopped", what: string, story: ChatStory]>([
    ["on", "it is", live()],
    ["paused", "it is", live().sets("paused")],
    ["on", "reviews were stopped", live().sets("stopped")],
    ["paused", "reviews were stopped", live().sets("stopped")],
    ["paused", "a script asks", new ChatStory()],
    ["stopped", "the agent has left", live().leaves()],
  ])("%s is passed over where %s", (to, _, story) => {
    expect(says(to, story)).toBeNull();
  });

  test("the same command counts once", () => {
    const message = { kind: "reviews", id: "m1", to: "paused" } as const;
    const story = live();
    const event = receive(story.state, message);
    if (!event) throw new Error("it was passed over");
    expect(receive(story.add(event).sets("on").state, message)).toBeNull();
  });
});
