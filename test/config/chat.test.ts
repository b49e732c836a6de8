import { describe, expect, test } from "vitest";
import { complaintsAbout, Places, projectConfig, sectionOf } from "./fixtures.ts";

test("settings of chat come from the project, value by value, else from the user", async () => {
  const places = new Places();
  places.write(places.userFile, 'chat:\n  agent: codex\n  marker: " [OK] "\n  checks: [one, two]\n');
  places.write(
    places.projectFile,
    "chat:\n  reviewer: gemini\n  max_reviews: 9\n  checks: make\n  waiting_marker: ASK\n",
  );
  const user = (line: number) => ({ kind: "user", path: places.userFile, line });
  const project = (line: number) => ({ kind: "project", path: places.projectFile, line });
  expect(sectionOf(await places.load(), "chat")).toEqual({
    agent: { value: "codex", origin: user(2) },
    reviewer: { value: "gemini", origin: project(2) },
    marker: { value: "[OK]", origin: user(3) },
    waiting_marker: { value: "ASK", origin: project(5) },
    max_reviews: { value: 9, origin: project(3) },
    checks: { value: ["make"], origin: project(4) },
  });
});

test("C12 by default claude is worked with and reviews itself, five times a task, and says [TASK_COMPLETED]", async () => {
  const chat = sectionOf(await projectConfig("lang: en\n"), "chat");
  const values = Object.entries(chat).map(([key, { value }]) => [key, value]);
  expect(Object.fromEntries(values)).toEqual({
    agent: "claude",
    reviewer: null,
    marker: "[TASK_COMPLETED]",
    waiting_marker: "[WAITING_FOR_USER]",
    max_reviews: 5,
    checks: [],
  });
});

describe("reported problems", () => {
  test.each<[string, string, string]>([
    ["chat as text", "chat: claude", "1:7: chat must be a mapping (key: value), got claude"],
    [
      "an unknown agent to chat with",
      "chat: { agent: codx }",
      "1:16: unknown agent or profile codx; did you",
    ],
    [
      "an unknown reviewer",
      "chat: { reviewer: unknown }",
      "1:19: unknown agent or profile unknown (known: claude",
    ],
    ["a reviewer without command", "chat: { reviewer: command }", "1:19: command does not say what to run"],
    ["several to chat with", "chat: { agent: [claude] }", "1:16: agent must be a name of letters"],
    ["no reviews", "chat: { max_reviews: 0 }", "max_reviews must be a whole number from 1 to 100, got 0"],
    [
      "endless reviews",
      "chat: { max_reviews: 101 }",
      "max_reviews must be a whole number from 1 to 100, got",
    ],
    ["an empty marker", 'chat: { marker: " " }', "1:17: marker must be a text of one line in quotes"],
    ["a marker of two lines", 'chat: { marker: "a\\nb" }', "1:17: marker must be a text of one line"],
    ["a fence as marker", 'chat: { marker: "```" }', "1:17: marker must be a text of one line"],
    ["a marker that YAML takes for a list", "chat: { marker: [DONE] }", "1:17: marker must be a text of one"],
    ["an empty check", 'chat: { checks: [""] }', "must be a command or a list of commands"],
  ])("%s", async (_, text, complaint) => {
    expect(await complaintsAbout(text)).toContain(complaint);
  });
});
