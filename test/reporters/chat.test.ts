import { describe, expect, test } from "vitest";
import type { LiveEvent } from "../../src/engine/reporter.ts";
import { ChatStory, SESSION } from "../rig/chat-story.ts";
import { exited, NOTHING, ran, RUN_ID, agentRecord as record } from "../rig/story.ts";
import { everyReader, shown, type StoryItem } from "./steps-rig.ts";

const words = (text: string): LiveEvent => ({ type: "review_words", words: text, question: null });
const failed: LiveEvent = { type: "check_output", path: "check-1.log", lines: [{ text: "expected 400" }] };

/** The events of a story. Display-only events come before the event they belong to. */
function itemsOf(story: ChatStory, before: Readonly<Record<number, LiveEvent>> = {}): readonly StoryItem[] {
  return story.events.flatMap((event, index) => {
    const first = before[index];
    return first ? [first, event] : [event];
  });
}

/** A failed check, then feedback from the reviewer, then success. */
const REPAIRED = itemsOf(
  new ChatStory({ maxLoops: 5 })
    .worked()
    .checks(1)
    .reviewed(false)
    .judge()
    .attempt(true)
    .ends("passed", "accepted"),
  { 3: failed, 5: words("The 404 case is missing.\nsrc/refund.ts:12\n") },
);

everyReader("a script's conversation, %s", (reader) => {
  test("prints a line per event, then the end and how to resume the session (C14)", () => {
    expect(shown(reader, "en", REPAIRED, true)).toEqual([
      `09:00:00 run     ${RUN_ID} started: claude, up to 5 reviews a task, contained: pid namespace`,
      "  | Add a refund endpoint",
      "09:00:00 agent   1/5 claude started",
      "09:00:00 agent   1/5 ended: exit 0 (0.0s)",
      "09:00:00 check   1/5 failed: npm test, exit 1 (0.0s)",
      "  | expected 400",
      "  all output: check-1.log",
      "09:00:00 review  1/5 claude started",
      "09:00:00 review  1/5 not completed: The 404 case is missing. (0.0s)",
      "  | src/refund.ts:12",
      "09:00:00 verdict 1/5 rejected: a check failed (check_failed); the reviewer did not call it completed (review_rejected)",
      "09:00:00 agent   2/5 claude started",
      "09:00:00 agent   2/5 ended: exit 0 (0.0s)",
      "09:00:00 check   2/5 passed: npm test (0.0s)",
      "09:00:00 review  2/5 claude started",
      "09:00:00 review  2/5 completed (0.0s)",
      "09:00:00 verdict 2/5 accepted",
      `09:00:00 run     ${RUN_ID} ended: passed, exit 0`,
      "",
      "✓ ACCEPTED at review 2 of 5",
      "  check   npm test: passed (0.0s)",
      "  weaker  checks ran in the work tree itself (--no-clean-room)",
      "  report  /project/report.json",
      `  next    claude --resume ${SESSION}`,
    ]);
  });

  test("in Chinese", () => {
    const lines = shown(reader, "zh", REPAIRED, true);
    expect(lines).toContain("09:00:00 评审    1/5 未完成：The 404 case is missing. (0.0s)");
    expect(lines).toContain("09:00:00 检查    1/5 失败：npm test，退出码 1 (0.0s)");
    expect(lines).toContain("✓ 通过：第 2/5 次评审");
  });
});

const summary = (story: ChatStory): string[] => {
  const lines = shown("through a pipe", "en", itemsOf(story), true);
  return lines.slice(lines.lastIndexOf("") + 1);
};

describe("the end of a script's conversation", () => {
  test("rejected, with the reasons", () => {
    const story = new ChatStory({ maxLoops: 1 }).worked();
    const output = { ...NOTHING, path: "/runs/check-1.log", bytes: 10 };
    story.check(1, { output }).reviewed(true).judge().ends("failed", "limit_reached");
    expect(summary(story)).toEqual([
      "✗ REJECTED after 1 of 1 reviews",
      "  why     a check failed: npm test, exit 1 (check_failed)",
      "  output  /runs/check-1.log",
      "  report  /project/report.json",
      `  next    claude --resume ${SESSION}`,
    ]);
  });

  test("the reviewer broke", () => {
    const failure = { class: "crashed", message: "boom", retryAt: null } as const;
    const more = { process: ran("claude", exited(1)), agent: record("claude", { failure }) };
    const story = new ChatStory().worked().checks().reviewed(false, more).judge();
    expect(summary(story.ends("failed", "review_failed")).slice(0, 2)).toEqual([
      "✗ NOT ACCEPTED: the review could not be carried out",
      "  why     the reviewer's turn failed: reviewer claude ended with an error, exit 1 (review_failed)",
    ]);
  });

  test("interrupted: it can continue", () => {
    const story = new ChatStory().worked().add({ type: "run_stopped", by: "SIGINT" });
    expect(summary(story)).toEqual([
      "! INTERRUPTED by SIGINT in attempt 1; it can go on",
      `  next    agent-foreman resume ${RUN_ID}`,
    ]);
  });

  test("cancelled", () => {
    expect(summary(new ChatStory().works().ends("failed", "cancelled"))[0]).toBe("✗ CANCELLED in attempt 1");
  });
});

test("leftovers of a reviewer are reported", () => {
  const meddled = new ChatStory()
    .worked()
    .checks()
    .reviewed(true, { changed: ["src/a.ts"] });
  expect(shown("through a pipe", "en", itemsOf(meddled)).at(-1)).toBe(
    "09:00:00 review  files were changed during the review, look at them: src/a.ts",
  );
  const mute = new ChatStory()
    .worked()
    .checks()
    .reviewed(false, { problem: { kind: "missing" } });
  expect(shown("through a pipe", "en", itemsOf(mute)).at(-1)).toBe(
    "09:00:00 review  1/5 the reviewer said nothing (0.0s)",
  );
});
