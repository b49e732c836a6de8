import { describe, expect, test } from "vitest";
import type { ReviewEnded } from "../../src/core/event.ts";
import type { Lang } from "../../src/core/settings.ts";
import { lastAttempt } from "../../src/core/state.ts";
import { chatFeedback } from "../../src/modes/chat/chat-feedback.ts";
import type { Excerpts } from "../../src/engine/feedback.ts";
import { ChatStory } from "../rig/chat-story.ts";
import { exited, NOTHING, ran, agentRecord } from "../rig/story.ts";

const NO_EXCERPTS: Excerpts = { check: [], agent: [] };
const LOG = { ...NOTHING, path: "/runs/check-1.log", bytes: 812 };

function feedback(story: ChatStory, words = "", excerpts = NO_EXCERPTS): string {
  const { state, settings } = story;
  const attempt = lastAttempt(state);
  if (!attempt?.judged) throw new Error("nothing was judged");
  return chatFeedback({ state, settings, attempt, verdict: attempt.judged, words, excerpts });
}

function reviewed(completed: boolean, code: number, more: Partial<ReviewEnded> = {}, lang: Lang = "en") {
  return new ChatStory({ lang }).worked().check(code, { output: LOG }).reviewed(completed, more).judge();
}

describe("the agent's feedback from a review (C13)", () => {
  test("names its source, the reviewer's words, and asks to continue", () => {
    expect(feedback(reviewed(false, 0), "The 404 case is missing.\nsrc/refund.ts:12")).toBe(
      [
        "[agent-foreman review 1/5]",
        "The 404 case is missing.",
        "src/refund.ts:12",
        "",
        "Continue with the task until this is fixed.",
        "",
      ].join("\n"),
    );
  });

  test("the number is that of the review in its task", () => {
    const live = ChatStory.live({ maxLoops: 3 }).asks().attempt(false).sends().attempt(false);
    expect(feedback(live, "still")).toMatch(/^\[agent-foreman review 2\/3\]\n/);
    live.sends().stops().asks().attempt(false);
    expect(feedback(live, "another")).toMatch(/^\[agent-foreman review 1\/3\]\n/);
    expect(feedback(new ChatStory().attempt(false).attempt(false), "x")).toContain("review 2/5]");
  });

  test("failed checks are quoted", () => {
    const lines = [{ text: "expected 400" }, { leftOut: 2 }];
    expect(feedback(reviewed(false, 1), "See the test.", { check: lines, agent: [] })).toContain(
      [
        "See the test.",
        "",
        "Failed checks:",
        "- `npm test`: exit code 1",
        "  | expected 400",
        "  | ... 2 lines left out",
        "  All of it (812 bytes): /runs/check-1.log",
        "",
      ].join("\n"),
    );
  });

  test.each([
    ["en", "The reviewer calls the task completed, but a check fails, and the check decides."],
    ["zh", "评审者认为任务已完成，但有检查失败，以检查为准。"],
  ] as const)("%s: a red check decides against a reviewer who is content", (lang, words) => {
    const text = feedback(reviewed(true, 1, {}, lang));
    expect(text).toContain(words);
    expect(text).toContain("npm test");
  });

  test("says that a reviewer gave no reason", () => {
    expect(feedback(reviewed(false, 0))).toContain("did not say why");
    expect(feedback(reviewed(true, 1))).not.toContain("did not say why");
  });

  test("files that were changed during the review are named", () => {
    expect(feedback(reviewed(true, 0, { changed: ["src/a.ts"] }))).toContain(
      "Check that they are correct: src/a.ts",
    );
  });

  test("reports a failed turn as such", () => {
    const failure = { class: "own_limit", message: "max turns", retryAt: null } as const;
    const turn = { process: ran("claude", exited(1)), agent: agentRecord("claude", { failure }) };
    const text = feedback(new ChatStory().worked(turn).judge(), "", { check: [], agent: [{ text: "boom" }] });
    expect(text).toMatch(/^\[agent-foreman review 1\/5\]\nYour turn failed/);
    expect(text).toContain("- your process did not exit with 0, so its claim does not count");
    expect(text).toContain("Your turn ended with: max turns");
    expect(text).toContain("  | boom");
  });

  test("no line is ever the marker", () => {
    const text = feedback(reviewed(false, 0), "No.\n  [TASK_COMPLETED] \nReally not.");
    expect(text.split("\n").map((line) => line.trim())).not.toContain("[TASK_COMPLETED]");
    expect(text).toContain("Really not.");
  });

  test("stays below 16 KB, and names omissions", () => {
    const check = Array.from({ length: 30 }, () => ({ text: "错".repeat(300) }));
    const text = feedback(reviewed(false, 1), "长".repeat(100_000), { check, agent: [] });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024);
    expect(text).toMatch(/\.\.\. \(\d+ bytes left out\)/);
    expect(text).toContain("- `npm test`: exit code 1");
    expect(text).not.toContain("\uFFFD");
  });

  test("escapes cannot end the paste that it is typed in as", () => {
    expect(feedback(reviewed(false, 0), "a\u001B[201~b")).toContain("a\\x1b[201~b");
  });

  test("an accepted attempt has none", () => {
    expect(feedback(reviewed(true, 0), "fine")).toBe("");
  });
});
