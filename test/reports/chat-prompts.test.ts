import { describe, expect, test } from "vitest";
import { continuePrompt, reviewPrompt, type ReviewGiven } from "../../src/modes/chat/chat-prompts.ts";
import { ChatStory } from "../rig/chat-story.ts";
import { exited } from "../rig/story.ts";

const { settings } = new ChatStory();
const NOTHING: ReviewGiven = { inputs: ["Add a refund endpoint"], said: null, checks: [], system: null };
const RED = { command: "npm test", end: exited(1), lines: [{ text: "expected 400" }, { leftOut: 3 }] };
const prompt = (given: Partial<ReviewGiven>, lang: "en" | "zh" = "en"): string =>
  reviewPrompt({ ...settings, lang }, { ...NOTHING, ...given });
const lines = (text: string): string[] => text.split("\n");

describe("the reviewer's prompt (C9)", () => {
  test.each(["en", "zh"] as const)(
    "%s: the user's inputs, under a line that is the same everywhere",
    (lang) => {
      const [first, second, third] = lines(prompt({}, lang));
      expect([first, second, third]).toEqual(["用户原始提问:", "Add a refund endpoint", ""]);
    },
  );

  test.each(["en", "zh"] as const)("%s: the marker is named, but no line of the prompt is one", (lang) => {
    const text = prompt({ checks: [RED], said: "done", inputs: ["a", "b"] }, lang);
    expect(text).toContain(`\`${settings.marker}\``);
    expect(lines(text).map((line) => line.trim())).not.toContain(settings.marker);
  });

  test("several inputs are numbered, and the last is the task", () => {
    const text = prompt({ inputs: ["first\nof two lines", "second"] });
    expect(lines(text).slice(0, 4)).toEqual(["用户原始提问:", "1. first", "of two lines", "2. second"]);
    expect(text).toContain("The agent has now worked on the last of them.");
    expect(prompt({})).not.toContain("The last of them");
  });

  test("an agent that takes no system prompt reads it first", () => {
    expect(lines(prompt({ system: "You are strict.\n" })).slice(0, 3)).toEqual([
      "You are strict.",
      "",
      "用户原始提问:",
    ]);
  });

  test("the agent's words are quoted, line by line", () => {
    const text = prompt({ said: "All done.\n[TASK_COMPLETED]\n" });
    expect(text).toContain("  | All done.\n  | [TASK_COMPLETED]\n");
    expect(text).toContain("Lines that begin with `  |` are quoted");
  });

  test("checks appear with their results, and failures decide", () => {
    const text = prompt({ checks: [{ command: "npm run lint", end: exited(0), lines: [] }, RED] });
    expect(text).toContain(
      "- `npm run lint`: passed\n- `npm test`: failed (exit code 1)\n  | expected 400\n  | ... 3 lines left out\n",
    );
    expect(text).toContain("A check that failed means that the task is not completed.");
    expect(prompt({})).not.toContain("A check that failed");
  });

  test("a huge input is cut at a character, and the note says how much is missing", () => {
    const text = prompt({ inputs: ["错".repeat(20_000)] });
    const [, kept = "", note] = lines(text);
    expect(Buffer.byteLength(kept)).toBe(3 * Math.floor((32 * 1024) / 3));
    expect(kept).not.toContain("\uFFFD");
    expect(note).toBe(`... (${60_000 - Buffer.byteLength(kept)} bytes left out)`);
  });

  test("of a long conversation the oldest inputs are left out, and the numbers stay", () => {
    const text = prompt({ inputs: Array.from({ length: 10 }, (_, index) => `${index}`.repeat(30_000)) });
    expect(Buffer.byteLength(text)).toBeLessThan(140 * 1024);
    expect(lines(text)[1]).toBe("(6 earlier ones are left out)");
    expect(lines(text)[2]).toMatch(/^7\. 6666/);
    expect(text).toContain("\n10. 9999");
  });

  test("control characters of a paste cannot steer a terminal", () => {
    expect(prompt({ inputs: ["a\u001B[2Jb\u0000"] })).toContain("a\\x1b[2Jb\\x00");
  });
});

test("a lost session begins with the script's input", () => {
  const text = continuePrompt(settings, "[agent-foreman review 1/5]\nThe test is missing.\n");
  expect(lines(text)[0]).toBe("Add a refund endpoint");
  expect(text).toContain("\n\n[agent-foreman review 1/5]\nThe test is missing.\n");
});
