import { describe, expect, test } from "vitest";
import { JOURNAL_VERSION } from "../../src/core/journal/record.ts";
import { journalRecordSchema } from "../../src/core/events/journal-schema.ts";
import { jsonLineSchema } from "../../src/cli/schemas/json-line-schema.ts";
import { chatReport } from "../../src/modes/chat/chat-report.ts";
import { chatReportSchema } from "../../src/modes/chat/schema-chat-report.ts";
import { sessionCommand } from "../../src/modes/chat/session-command.ts";
import { ChatStory, SESSION } from "../rig/chat-story.ts";
import { AT, exited, NOTHING, profile } from "../rig/story.ts";

const INPUT = { ...NOTHING, path: "/runs/inputs/1.md", bytes: 9 };
const report = ({ state, settings }: ChatStory) => chatReport(state, settings, "/runs/journal.jsonl");

/** Three tasks: repaired after a review, given up at the limit, never reviewed. */
const conversation = (): ChatStory =>
  ChatStory.live({ maxLoops: 2 })
    .asks(INPUT)
    .attempt(false)
    .sends()
    .attempt(true)
    .asks()
    .attempt(false)
    .sends()
    .attempt(false)
    .drops("limit_reached")
    .asks()
    .stops()
    .sets("paused")
    .leaves()
    .ends("failed", "left_unaccepted");

describe("the report of a conversation", () => {
  test("fits its schema, as do all its events", () => {
    const live = conversation();
    const script = new ChatStory().attempt(false).attempt(true).ends("passed", "accepted");
    for (const story of [live, script]) {
      expect(chatReportSchema.safeParse(report(story)).error).toBeUndefined();
      for (const [index, event] of story.events.entries()) {
        const record = {
          v: JOURNAL_VERSION,
          seq: index + 1,
          at: AT,
          prev: NOTHING.sha256,
          event,
          hash: NOTHING.sha256,
        };
        expect(journalRecordSchema.safeParse(record).error).toBeUndefined();
      }
    }
    expect(chatReportSchema.safeParse({ ...report(live), reviews: "off" }).success).toBe(false);
    expect(
      jsonLineSchema.safeParse({
        type: "review_words",
        run_id: "1115-k7m2",
        at: AT,
        words: "no",
        question: null,
      }).success,
    ).toBe(true);
  });

  test("lists the inputs, and the outcome of each task and attempt", () => {
    const { inputs, tasks, attempts, ...rest } = report(conversation());
    expect(inputs.map(({ task, text }) => [task, text?.path])).toEqual([
      [1, "/runs/inputs/1.md"],
      [2, "/nowhere"],
      [3, "/nowhere"],
    ]);
    expect(tasks).toEqual([
      { task: 1, outcome: "accepted", reviews: 2, broken_off: 0 },
      { task: 2, outcome: "limit_reached", reviews: 2, broken_off: 0 },
      { task: 3, outcome: "not_reviewed", reviews: 0, broken_off: 0 },
    ]);
    expect(attempts.map(({ task, decision, settled }) => [task, decision, settled])).toEqual([
      [1, "rejected", "feedback_sent"],
      [1, "accepted", "accepted"],
      [2, "rejected", "feedback_sent"],
      [2, "rejected", "limit_reached"],
      [3, null, null],
    ]);
    expect(attempts[1]?.review).toMatchObject({ completed: true, read_only: true, changed_files: [] });
    expect(rest).toMatchObject({
      live: true,
      reviews: "paused",
      session_id: SESSION,
      session_command: `claude --resume ${SESSION}`,
      agent_left: exited(0),
      end_reason: "left_unaccepted",
    });
  });

  test("of a script: the next attempt, or the end, shows what became of one", () => {
    const story = new ChatStory({ maxLoops: 2 }).attempt(false).worked().checks(1).reviewed(true).judge();
    const { attempts, tasks, prompt } = report(story.ends("failed", "limit_reached"));
    expect(prompt).toBe("Add a refund endpoint");
    expect(attempts.map(({ settled }) => settled)).toEqual(["feedback_sent", "limit_reached"]);
    expect(attempts[1]?.reasons).toEqual(["check_failed"]);
    expect(tasks).toEqual([{ task: 1, outcome: "limit_reached", reviews: 2, broken_off: 0 }]);
  });

  test("of a script whose review broke off", () => {
    const story = new ChatStory()
      .worked()
      .checks()
      .reviewed(false, { problem: { kind: "missing" } })
      .judge();
    const { attempts, tasks } = report(story.ends("failed", "review_failed"));
    expect(attempts[0]).toMatchObject({ settled: "review_failed", review: { empty: true } });
    expect(tasks).toEqual([{ task: 1, outcome: "not_accepted", reviews: 1, broken_off: 0 }]);
  });
});

describe("how to resume the session (C14)", () => {
  const command = (agent: ReturnType<typeof profile>, here = "/project"): string | null => {
    const { state, settings } = ChatStory.live({ agents: [agent] }).asks();
    return sessionCommand(state, { ...settings, worker: agent.name }, here);
  };
  test.each([
    ["claude", `claude --resume ${SESSION}`],
    ["codex", `codex resume ${SESSION}`],
    ["gemini", `gemini --resume ${SESSION}`],
    ["opencode", `opencode --session ${SESSION}`],
    ["copilot", `copilot --resume=${SESSION}`],
    ["command", null],
  ] as const)("%s", (adapter, expected) => {
    expect(command(profile(adapter, { adapter }))).toBe(expected);
  });

  test("a profile that changes the agent is applied again", () => {
    expect(command(profile("big", { model: "large" }))).toBe(
      `agent-foreman chat --agent big -- --resume ${SESSION}`,
    );
  });

  test("from elsewhere: agents find their sessions by directory", () => {
    expect(command(profile("claude"), "/home")).toBe(`cd /project && claude --resume ${SESSION}`);
  });

  test("without a known session", () => {
    const { state, settings } = ChatStory.live();
    expect(sessionCommand(state, settings, "/project")).toBeNull();
  });
});
