import { describe, expect, test } from "vitest";
import { TERMINAL_RESTORED, talk } from "../rig/chat-live.ts";
import { SUPERVISOR } from "../rig/chat.ts";
import { until } from "../rig/rig.ts";
import { chatRig, completed, COMPLETED } from "./scene.ts";

const MISSING = "hello.txt says nothing about the world.";

describe("chat --supervisor in a terminal", () => {
  test("C22, C2, C6, C7, C8, C13, C14: a task that the first review rejects and the second accepts", async () => {
    const rig = chatRig({
      work: [{ write: { "hello.txt": "hello\n" } }, { write: { "hello.txt": "hello world\n" } }],
      reviews: [{ say: MISSING }, { say: `Both are there.\n${COMPLETED}` }],
    });
    const chat = await talk(rig);
    await chat.ask("write hello world");
    await rig.happens("attempt_judged", 2);
    expect(completed(rig)).toEqual([false, true]);
    // The feedback reached the agent with the name of its sender, visible to the person.
    const [, feedback] = rig.calls("work");
    expect(feedback?.prompt).toMatch(/^\[agent-foreman review 1\/5\]\n/);
    expect(feedback?.prompt).toContain(MISSING);
    await chat.shows("[agent-foreman review 1/5]");
    // The person's inputs are recorded separately from it.
    expect(rig.inputs()).toEqual(["write hello world"]);
    for (const { prompt } of rig.calls("review")) {
      expect(prompt).toContain("用户原始提问:\nwrite hello world\n");
      expect(prompt).not.toContain(MISSING);
    }
    // The person has the agent to themselves again.
    expect(await chat.leave()).toBe(0);
    expect(await chat.lastLine()).toMatch(/^agent-foreman: 1 task: 1 accepted; agent-foreman show \S+$/);
    expect((await chat.shows(TERMINAL_RESTORED)).split("\n").at(-1)).toBe(TERMINAL_RESTORED);
  });

  test("C4, C9, C10, C20: the review is an invisible fork in the background", async () => {
    const rig = chatRig({ reviews: [{ wait: "go", say: `I have read it all.\n${COMPLETED}` }] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    const review = await rig.called("review");
    const [start] = rig.calls("start");
    expect(review.resumed).toBe(start?.session);
    expect(rig.eventsOf("input_given")[0]?.session).toBe(start?.session);
    expect(review.argv).toEqual(
      expect.arrayContaining(["--print", "--output-format=stream-json", "--fork-session"]),
    );
    expect(review.system).toBe(SUPERVISOR);
    expect(review.prompt).toContain("用户原始提问:\nwrite hello\n");
    const kept = rig.sessions();
    // The title shows the review. Keys still get through, and nothing else is written.
    await until(() => chat.title.includes("review 1/5"));
    chat.press("what if");
    const during = await chat.shows(/^❯ what if$/m);
    rig.open("go");
    await rig.happens("attempt_judged");
    await until(() => !chat.title.includes("review 1/5"));
    expect(chat.text()).toBe(during);
    expect(chat.raw).not.toContain("I have read it all");
    expect(rig.sessions()).toEqual(kept);
    chat.press("\u0015");
    expect(await chat.leave()).toBe(0);
  });

  test("C7: every input is recorded in full, and begins a new task", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    await chat.ask("first");
    await rig.happens("attempt_judged", 1);
    const long = ["second 第二", "", "  with /slashes and @files", "a tab\tand [201~", "last"].join("\n");
    chat.paste(long);
    await chat.shows("[Pasted text #1 +5 lines]");
    chat.press("\r");
    await rig.happens("attempt_judged", 2);
    expect(rig.inputs()).toEqual(["first", long]);
    const prompt = rig.calls("review")[1]?.prompt ?? "";
    expect(prompt.indexOf("first")).toBeLessThan(prompt.indexOf("second 第二"));
    expect(await chat.leave()).toBe(0);
    expect(await chat.lastLine()).toContain("2 tasks: 2 accepted");
  });

  test("show, runs and the report contain the conversation", async () => {
    const rig = chatRig({ work: [{ say: "I wrote it." }], reviews: [{ say: MISSING }] });
    const chat = await talk(rig, ["--max-reviews", "1", "--check", "true"]);
    await chat.ask("write hello");
    await rig.happens("review_dropped");
    expect(await chat.leave()).toBe(1);
    const [runId = ""] = rig.runIds();
    const shown = (await rig.run(["show", runId])).stdout;
    for (const text of ["write hello", "I wrote it.", MISSING, "limit_reached"])
      expect(shown).toContain(text);
    const listed = (await rig.run(["runs"])).stdout;
    expect(listed).toMatch(new RegExp(`${runId}.*chat.*write hello`));
    const report = rig.chatReport(runId);
    expect(report).toMatchObject({
      mode: "chat",
      live: true,
      final_status: "failed",
      end_reason: "limit_reached",
      tasks: [{ task: 1, outcome: "limit_reached", reviews: 1 }],
      session_id: rig.calls("start")[0]?.session,
    });
    expect(report.attempts[0]?.checks).toHaveLength(1);
  });
});
