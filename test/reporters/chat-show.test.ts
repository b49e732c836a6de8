import { describe, expect, test } from "vitest";
import { runStatus } from "../../src/core/run-status.ts";
import { commandTexts } from "../../src/ui/words/commands.ts";
import { terminalTexts } from "../../src/ui/words/terminal.ts";
import type { KeptFiles } from "../../src/ui/mode-view.ts";
import { firstLine } from "../../src/screens/show/first-line.ts";
import { nextLines } from "../../src/screens/show/run-places.ts";
import { lastLines, storyHead, storyLines } from "../../src/screens/show/run-story.ts";
import { runListed, runTable } from "../../src/screens/show/run-table.ts";
import { unfinishedReport } from "../../src/modes/report/unfinished-report.ts";
import { moments } from "../commands/fixtures.ts";
import { ChatStory, SESSION } from "../rig/chat-story.ts";
import { AT, NOTHING, RUN_ID, agentRecord } from "../rig/story.ts";

const kept = (path: string) => ({ ...NOTHING, path, bytes: 9 });
const FIRST_LINES: Readonly<Record<string, string>> = {
  "inputs/1.md": "Add a refund endpoint",
  "said/1.md": "I added it.",
  "review/1.md": "The 404 case is missing.",
};
const EVIDENCE: KeptFiles = {
  conditionOf: ({ path }) => (path === "inputs/2.md" ? "gone" : "same"),
  excerptOf: () => [{ text: "expected 400" }],
  firstLineOf: ({ path }) => FIRST_LINES[path] ?? "",
};
const view = { texts: commandTexts.en.show, terms: terminalTexts.en };
const texts = (lines: readonly { readonly lead?: string; readonly text: string }[]): string[] =>
  lines.map(({ lead, text }) => `${lead ?? ""}${text}`.replace(/^\d\d:\d\d:\d\d /, "@ "));
const story = ({ events }: ChatStory): string[] =>
  texts(storyLines(moments(events.map((event) => ({ at: AT, event }))), EVIDENCE, view)).slice(1);
const head = ({ state }: ChatStory): string[] =>
  texts(storyHead(state, runStatus(state, state.ended === null), { workedMs: 0, waitedMs: 0 }, view));
const last = ({ state }: ChatStory): string[] => texts(lastLines(state, "running", view));

/** One task is repaired after a review, the next one is skipped. */
const conversation = (): ChatStory =>
  ChatStory.live()
    .asks(kept("inputs/1.md"))
    .stops(kept("said/1.md"))
    .checks(1)
    .reviewed(false, { agent: agentRecord("claude", { sessionId: null, message: kept("review/1.md") }) })
    .judge()
    .sends()
    .attempt(true)
    .asks(kept("inputs/2.md"))
    .stops()
    .sets("paused")
    .sets("on")
    .drops("skipped");

describe("the story of a conversation in a terminal", () => {
  test("the input, the agent's stop, the review's feedback and its result", () => {
    expect(story(conversation().leaves().ends("failed", "left_unaccepted"))).toEqual([
      "@ run     started: claude, up to 5 reviews a task, contained: pid namespace",
      "@ agent   the agent was started in the terminal",
      "@ person  > task 1: Add a refund endpoint",
      "  inputs/1.md",
      "@ agent   #1 1/5 the agent stopped: I added it.",
      "@ check   #1 1/5 failed: npm test, exit 1 (0.0s)",
      "  | expected 400",
      "  all output: /nowhere",
      "@ review  #1 1/5 claude started",
      "@ review  #1 1/5 not completed: The 404 case is missing., read only (0.0s)",
      "@ verdict #1 1/5 rejected: a check failed (check_failed); the reviewer did not call it completed (review_rejected)",
      "@ review  → sent to the agent",
      "@ agent   #1 2/5 the agent stopped",
      "@ check   #1 2/5 passed: npm test (0.0s)",
      "@ review  #1 2/5 claude started",
      "@ review  #1 2/5 completed, read only (0.0s)",
      "@ verdict #1 2/5 accepted",
      "@ person  > task 2",
      "  inputs/2.md",
      "  ! gone: inputs/2.md",
      "@ agent   #2 1/5 the agent stopped",
      "@ person  reviews paused",
      "@ person  reviews go on",
      "@ review  skipped by you (skipped)",
      "@ agent   the agent left the terminal: exit 0",
      "@ run     ended: failed, exit 1 (left_unaccepted)",
    ]);
  });

  test("its head shows the results of the tasks, and the session's owner", () => {
    expect(head(conversation())).toEqual([
      `${RUN_ID} chat  ~ RUNNING #2 0/5  0.0s`,
      "  task    2 tasks: 1 accepted, 1 not reviewed",
      "  agent   claude",
      "  review  claude",
      "  checks  npm test",
      `  session ${SESSION}`,
      "  cwd     /project",
    ]);
  });

  test("current activity", () => {
    expect(last(conversation())).toEqual(["~ review skipped"]);
    expect(last(ChatStory.live().asks())).toEqual(["~ the agent has the terminal"]);
    expect(last(ChatStory.live().asks().stops().checks().reviews())).toEqual(["~ review 1/5…"]);
  });

  test("a person's next action: continue the session", () => {
    const { state } = conversation().leaves().ends("failed", "left_unaccepted");
    const next = texts(nextLines(state, runStatus(state, false), "/project", view.texts));
    expect(next).toEqual([`  next    claude --resume ${SESSION}`]);
  });

  test("the known facts before it has ended", () => {
    const { state } = conversation();
    const report = unfinishedReport({
      runId: RUN_ID,
      status: "running",
      state,
      time: null,
      problem: null,
      runDir: null,
      journal: "/runs/journal.jsonl",
    });
    expect(report).toMatchObject({
      mode: "chat",
      session_id: SESSION,
      tasks: [{ outcome: "accepted" }, { outcome: "not_reviewed" }],
    });
    expect(report.attempts).toHaveLength(3);
  });
});

test("the story of a script's conversation quotes the agent's messages", () => {
  const run = new ChatStory().worked({ agent: agentRecord("claude", { message: kept("said/1.md") }) });
  const message = kept("review/1.md");
  run
    .checks()
    .reviewed(true, { agent: agentRecord("claude", { message }) })
    .judge()
    .ends("passed", "accepted");
  expect(head(run).slice(0, 2)).toEqual([
    `${RUN_ID} chat  ✓ ACCEPTED at review 1 of 5`,
    "  task    Add a refund endpoint",
  ]);
  expect(story(run)).toEqual([
    "@ run     started: claude, up to 5 reviews a task, contained: pid namespace",
    "@ agent   1/5 claude started",
    "@ agent   1/5 ended: exit 0 (0.0s)",
    "  | I added it.",
    "@ check   1/5 passed: npm test (0.0s)",
    "@ review  1/5 claude started",
    "@ review  1/5 completed, read only (0.0s)",
    "@ verdict 1/5 accepted",
    "@ run     ended: passed, exit 0 (accepted)",
  ]);
  expect(last(new ChatStory().worked().checks().reviews())).toEqual(["~ 1/5 review"]);
});

describe("a row of `runs`", () => {
  const row = ({ state }: ChatStory, asked?: string) => {
    const entry = {
      runId: RUN_ID,
      status: "running",
      state,
      live: true,
      ...(asked !== undefined && { asked }),
    } as const;
    const [, line] = runTable([entry], { texts: commandTexts.en.runs, now: Date.parse(AT), columns: null });
    const [, mode, , at, , , task] = `${line?.lead ?? ""}${line?.text ?? ""}`.split(/ {2,}/);
    return { mode, at, task, listed: runListed(entry, 0) };
  };

  test("shows the task, its review, and the first input", () => {
    expect(row(conversation(), "Add a refund\nendpoint")).toMatchObject({
      mode: "chat",
      at: "#2 0/5",
      task: "Add a refund endpoint",
      listed: { task_number: 2, attempt: 3, task: "Add a refund\nendpoint" },
    });
    expect(row(ChatStory.live().asks().attempt(true).asks(), "x").at).toBe("#2 0/5");
    expect(row(ChatStory.live(), "x").at).toBe("-");
    expect(row(new ChatStory().attempt(false).works())).toMatchObject({
      at: "2/5",
      task: "Add a refund endpoint",
    });
  });
});

test("shows the first line with content", () => {
  expect(firstLine("\n  \n\u001B[31mred\u001B[0m line \nmore")).toBe("red line");
  expect(firstLine("")).toBe("");
});
