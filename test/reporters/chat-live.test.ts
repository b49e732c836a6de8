import { describe, expect, test } from "vitest";
import type { Lang } from "../../src/core/settings.ts";
import { clockTime } from "../../src/ui/format.ts";
import { liveHint } from "../../src/modes/chat/live-hint.ts";
import { ChatStory } from "../rig/chat-story.ts";
import { exited, RUN_ID, turnFailed } from "../rig/story.ts";
import { interrupted } from "../policies/chat-rows.ts";
import { open, pipe, tty } from "./rig.ts";

const rejectedTwice = (): ChatStory =>
  ChatStory.live({ maxLoops: 2 }).asks().attempt(false).sends().attempt(false);

describe("while the agent has the terminal", () => {
  test.each([tty, pipe])(
    "prints nothing until it is given back, then one line and the last review on stderr",
    (stream) => {
      const streams = { stdout: stream(), stderr: stream() };
      const { reporter } = open(streams, { mode: "live" });
      const story = rejectedTwice().drops("limit_reached").leaves().ends("failed", "limit_reached");
      for (const event of story.events) reporter.event(event, story.state);
      reporter.live({ type: "phase_started", attempt: 1, phase: "review", command: "claude", encoded: true });
      reporter.live({ type: "review_words", words: "The 404 case is missing.\n", question: null });
      reporter.live({ type: "killing" });
      reporter.pause();
      expect(streams.stdout.text + streams.stderr.text).toBe("");
      reporter.leave(story.state);
      expect(streams.stdout.text).toBe("");
      // At eighty columns the line wraps to two rows.
      const gap = stream === tty ? "\n  " : " ";
      expect(streams.stderr.text).toBe(
        [
          `agent-foreman: 1 task: 1 not accepted after 2 reviews;${gap}agent-foreman show ${RUN_ID}`,
          "  why     the reviewer did not call it completed (review_rejected)",
          "  | The 404 case is missing.\n",
        ].join("\n"),
      );
    },
  );

  test("the last rejection stays visible while a later review runs, and not after a question", () => {
    const why = "the reviewer did not call it completed (review_rejected)";
    const again = (): ChatStory => ChatStory.live().asks().attempt(false).sends().stops().checks();
    expect(
      line(again().reviews().add(interrupted(2, 2)).leaves().ends("failed", "left_unaccepted")),
    ).toContain(why);
    expect(line(again().leaves().ends("failed", "left_unaccepted"))).toContain(why);
    const asked = again().reviewed(false, { waiting: true }).drops("waiting_for_user");
    expect(line(asked.leaves().ends("failed", "waiting_for_user"))).not.toContain(why);
    expect(line(ChatStory.live().asks().attempt(false).asks().stops().leaves())).not.toContain(why);
  });

  const line = (story: ChatStory, lang: Lang = "en"): string => {
    const streams = { stdout: pipe(), stderr: pipe() };
    open(streams, { mode: "live", lang }).reporter.leave(story.state);
    return streams.stderr.text.trimEnd();
  };

  test.each([
    ["en", "3 tasks: 1 accepted, 1 not accepted, 1 not reviewed; agent-foreman show"],
    ["zh", "3 个任务：1 个通过，1 个未通过，1 个未评审；agent-foreman show"],
  ] as const)("%s: how each task came out", (lang, words) => {
    const story = ChatStory.live().asks().attempt(true).asks().attempt(false).sends().asks().stops();
    story.leaves().ends("failed", "left_unaccepted");
    expect(line(story, lang)).toBe(`agent-foreman: ${words} ${RUN_ID}`);
  });

  test("no input, or an agent that failed at once", () => {
    const quiet = ChatStory.live().leaves().ends("passed", "nothing_asked");
    expect(line(quiet)).toBe(`agent-foreman: nothing was asked; agent-foreman show ${RUN_ID}`);
    const broken = ChatStory.live().leaves(exited(127)).ends("failed", "live_agent_failed");
    expect(line(broken)).toBe(
      `agent-foreman: the agent ended before anything was asked: exit 127; agent-foreman show ${RUN_ID}`,
    );
  });

  test("a run that was cut off can be taken up again", () => {
    const story = ChatStory.live().asks().attempt(true).leaves().add({ type: "run_stopped", by: "SIGHUP" });
    expect(line(story)).toBe(
      `agent-foreman: interrupted; 1 task: 1 accepted; agent-foreman resume ${RUN_ID}`,
    );
  });
});

describe("the hint in the title", () => {
  const live = (): ChatStory => ChatStory.live();
  const stopped = (): ChatStory => live().asks().stops();
  const said = (): ChatStory => stopped().checks().reviews();
  test.each<[string, ChatStory, string | null]>([
    ["before anything is asked", live(), null],
    ["the agent works", live().asks(), null],
    ["checks", stopped(), "check…"],
    ["checks are done", stopped().checks(), "review 1/5…"],
    ["the review", said(), "review 1/5…"],
    ["the second review", live().asks().attempt(false).sends().stops().checks().reviews(), "review 2/5…"],
    ["rejected, and the person types", live().asks().attempt(false), "waits for you to stop typing"],
    ["the agent got feedback", live().asks().attempt(false).sends(), null],
    ["accepted", live().asks().attempt(true), "accepted"],
    ["a new task", live().asks().attempt(true).asks(), null],
    ["no review is left to send", rejectedTwice(), null],
    [
      "exhausted",
      rejectedTwice().drops("limit_reached"),
      `not accepted: 2 reviews used; agent-foreman show ${RUN_ID}`,
    ],
    [
      "the review broke",
      said()
        .reviewed(false, { problem: { kind: "missing" } })
        .judge(),
      null,
    ],
    [
      "the review broke, and that is settled",
      said()
        .reviewed(false, { problem: { kind: "missing" } })
        .judge()
        .drops("review_failed"),
      "review failed",
    ],
    ["no reviewer", stopped().drops("unavailable"), "no reviewer available"],
    ["no money left", stopped().drops("budget_reached"), "not reviewed: budget used up"],
    ["skipped", stopped().drops("skipped"), "review skipped"],
    ["not taken", live().asks().attempt(false).drops("not_taken"), "feedback was not taken"],
    [
      "the reviewer is waited for",
      said().add(turnFailed(1, 1, "claude", "overloaded"), {
        type: "wait_started",
        agent: "claude",
        class: "overloaded",
        until: "2026-11-15T09:00:10.000Z",
      }),
      `waits for the reviewer, tries again at ${clockTime("2026-11-15T09:00:10.000Z")}`,
    ],
    ["paused", said().reviewed(false).sets("paused"), "paused"],
    ["stopped", live().sets("stopped"), "reviews stopped"],
    ["on again", live().asks().attempt(true).sets("paused").sets("on"), "accepted"],
    ["the agent is gone", live().asks().attempt(true).leaves(), null],
    ["a script", new ChatStory().attempt(true), null],
  ])("%s", (_, { state }, expected) => {
    expect(liveHint(state, "en")?.text ?? null).toBe(expected);
  });

  test.each([
    ["an outcome", live().asks().attempt(true), true],
    ["exhausted", rejectedTwice().drops("limit_reached"), true],
    ["a review that runs", said(), false],
    ["skipped by the person", stopped().drops("skipped"), false],
    ["reviews that the person stopped", live().sets("stopped"), false],
  ])("whether it notifies: %s", (_, { state }, expected) => {
    expect(liveHint(state, "en")?.notify).toBe(expected);
  });

  test("in Chinese", () => {
    expect(liveHint(said().state, "zh")?.text).toBe("评审 1/5…");
  });
});
