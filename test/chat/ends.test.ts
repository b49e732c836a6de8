import { describe, expect, test } from "vitest";
import { TERMINAL_RESTORED, LiveChat, talk } from "../rig/chat-live.ts";
import type { ChatRig } from "../rig/chat.ts";
import { CLI, until } from "../rig/rig.ts";
import { chatRig, completed, TASK } from "./scene.ts";

describe("how a conversation ends, and what it is worth", () => {
  test("reviews are bounded per task: used up means not accepted, and nothing more is said", async () => {
    const rig = chatRig({ reviews: [{ say: "not yet" }] });
    const chat = await talk(rig, ["--max-reviews", "1"]);
    await chat.ask("one");
    expect(await rig.happens("review_dropped")).toMatchObject({ why: "limit_reached" });
    await until(() => chat.title.includes("1 review"));
    expect(await chat.leave()).toBe(1);
    expect(rig.calls("work")).toHaveLength(1);
    expect(await chat.lastLine()).toContain("1 not accepted after 1 review");
  });

  test("a failed check overrules a reviewer who says completed", async () => {
    const rig = chatRig();
    const chat = await talk(rig, ["--max-reviews", "1", "--check", "exit 3"]);
    await chat.ask("one");
    expect(await rig.happens("attempt_judged")).toMatchObject({
      verdict: "rejected",
      reasons: ["check_failed"],
    });
    expect(completed(rig)).toEqual([true]);
    expect(await chat.leave()).toBe(1);
  });

  test("a reviewer that writes files is not believed", async () => {
    const rig = chatRig({ reviews: [{ write: { "sneaked.txt": "in\n" } }] });
    const chat = await talk(rig, ["--max-reviews", "1"]);
    await chat.ask("one");
    expect(await rig.happens("attempt_judged")).toMatchObject({ reasons: ["tree_changed_in_review"] });
    expect(await chat.leave()).toBe(1);
  });

  test.each([
    ["fails", { exit: 1 }],
    ["says nothing", { say: "" }],
  ] as const)(
    "C19: a review that %s is recorded; the conversation goes on, and nothing is accepted",
    async (_, review) => {
      const rig = chatRig({ reviews: [review] });
      const chat = await talk(rig);
      await chat.ask("one");
      expect(await rig.happens("review_dropped")).toMatchObject({ why: "review_failed" });
      await until(() => chat.title.includes("review failed"));
      await chat.ask("/exit");
      expect(await chat.ended).toBe(1);
      expect(rig.calls("work")).toHaveLength(1);
      expect(await chat.lastLine()).toContain("1 not accepted");
    },
  );

  test("a budget that is used up ends the reviews, not the conversation", async () => {
    const rig = chatRig();
    const chat = await talk(rig, ["--max-cost-usd", "0.1"]);
    await chat.ask("one");
    await rig.happens("attempt_judged");
    await chat.ask("two");
    expect(await rig.happens("review_dropped")).toMatchObject({ why: "budget_reached" });
    expect(rig.calls("review")).toHaveLength(1);
    expect(await chat.leave()).toBe(1);
  });

  test("an agent that ends at once: its words are seen, and it is an error", async () => {
    const rig = chatRig({ start: { raw: "cannot start today\n", exit: 3 } });
    const chat = new LiveChat(rig);
    expect(await chat.ended).toBe(5);
    await chat.shows("cannot start today");
    expect(await chat.lastLine()).toContain("exit 3");
    await chat.shows(TERMINAL_RESTORED);
  });

  test("an agent that is left in the middle of a review: the review ends with it, and nothing is accepted", async () => {
    const rig = chatRig({ reviews: [{ run: "sleep 1000 & sleep 1000" }] });
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.called("review");
    expect(await chat.leave()).toBe(1);
    expect(await chat.lastLine()).toContain("1 not accepted; 1 review broken off");
  });

  test("an agent that is killed leaves the terminal as it was, and so do its modes", async () => {
    const rig = chatRig({ work: [{ wait: "go", kill: "SIGKILL" }] });
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.called("work");
    expect(chat.modes).toEqual({ paste: true, focus: true });
    rig.open("go");
    expect(await chat.ended).toBe(1);
    await chat.shows(TERMINAL_RESTORED);
    expect(chat.modes).toEqual({ paste: false, focus: false });
    expect(rig.eventsOf("live_ended")[0]?.process.end).toEqual({ kind: "signaled", signal: "SIGKILL" });
  });

  test("an agent that is killed leaves its last picture whole: our line comes below it", async () => {
    const rig = chatRig({ work: [{ wait: "go", kill: "SIGKILL" }] });
    const chat = await talk(rig);
    await chat.ask("one");
    const before = await chat.shows(/^❯ one\n[^]*^❯ \n[^]* esc to interrupt$/m);
    rig.open("go");
    expect(await chat.ended).toBe(1);
    const after = await chat.shows(TERMINAL_RESTORED);
    expect(after.slice(0, before.length)).toBe(before);
    expect(after.slice(before.length)).toMatch(/^\nagent-foreman: 1 task: /);
  });

  test("a foreman that is killed leaves nothing of the agent's box below the shell's next line", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    await chat.shows("auto mode");
    process.kill(chat.foreman(), "SIGKILL");
    expect(await chat.ended).toBe(137);
    await until(() => !chat.text().includes("auto mode"));
    expect(chat.text()).toContain("Claude Code");
  });

  test("nothing asked: nothing accepted, nothing wrong", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    expect(await chat.leave()).toBe(0);
    expect(await chat.lastLine()).toContain("nothing was asked");
    expect(rig.calls("review")).toEqual([]);
  });

  test("an agent whose hooks say nothing: its turns are seen, and reviewed from outside the session", async () => {
    const rig = chatRig({ hooks: false, work: [{ wait: "go", say: "I wrote hello." }] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.happens("input_given");
    rig.open("go");
    await rig.happens("attempt_judged");
    expect(rig.inputs()).toEqual(["write hello"]);
    expect(rig.eventsOf("live_turn_ended")[0]?.session).toBeNull();
    const [review] = rig.calls("review");
    expect(review?.resumed).toBeNull();
    expect(review?.prompt).toContain("I wrote hello.");
    expect(await chat.leave()).toBe(0);
  });

  test("an agent without hooks that is slow to draw its box and slow to begin: reviewed after its answer, once", async () => {
    const rig = chatRig({
      hooks: false,
      start: { run: "sleep 0.6" },
      begin: { run: "sleep 2" },
      work: [{ wait: "go", say: "I wrote hello." }],
    });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("work");
    // The foreman sees this only while the agent works, so by now it has seen it.
    await chat.ask("and a test");
    await rig.happens("input_given", 2);
    expect(rig.eventsOf("live_turn_ended")).toEqual([]);
    rig.open("go");
    await rig.happens("attempt_judged");
    expect(rig.eventsOf("live_turn_ended")).toHaveLength(1);
    expect(rig.calls("review").map(({ prompt }) => prompt.includes("I wrote hello."))).toEqual([true]);
    expect(await chat.leave()).toBe(0);
  });

  test("SIGTERM to the foreman ends the agent, gives the terminal back, and the run can be resumed", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.happens("attempt_judged");
    process.kill(chat.foreman(), "SIGTERM");
    expect(await chat.ended).toBe(143);
    await chat.shows(TERMINAL_RESTORED);
    expect(chat.modes).toEqual({ paste: false, focus: false });
    expect(await chat.lastLine()).toContain("agent-foreman resume");
  });

  test.each([
    ["while nothing goes on", {}, (rig: ChatRig) => rig.happens("attempt_judged")],
    ["while the agent works", { work: [{ hang: true }] }, (rig: ChatRig) => rig.called("work")],
    ["in the middle of a review", { reviews: [{ hang: true }] }, (rig: ChatRig) => rig.called("review")],
    [
      "while feedback waits",
      { reviews: [{ say: "not yet" }] },
      (rig: ChatRig) => rig.happens("attempt_judged"),
    ],
  ] as const)(
    "a window that is closed %s: nothing is left behind, and that is recorded",
    async (_, script, when) => {
      const rig = chatRig(script);
      const chat = await talk(rig);
      await chat.ask("one");
      await when(rig);
      chat.close();
      await until(() => rig.survivors().length === 0);
      const [ended] = rig.eventsOf("run_ended");
      expect(ended?.status).not.toBe("passed");
      expect(rig.eventsOf("run_stopped").length + rig.eventsOf("run_ended").length).toBe(1);
    },
  );

  test("SIGKILL of the foreman: the agent goes, the terminal comes back, and resume takes the session up", async () => {
    const rig = chatRig({ reviews: [{ hang: true }, {}] });
    const chat = await talk(rig);
    await chat.ask("one");
    const { resumed } = await rig.called("review");
    process.kill(chat.foreman(), "SIGKILL");
    expect(await chat.ended).toBe(137);
    await until(() => !chat.modes.paste);
    const [runId = ""] = rig.runIds();
    await until(() => rig.survivors().length === 0);

    const again = await talk(rig, [], { words: [process.execPath, CLI, "resume", runId] });
    const { argv } = await rig.called("start", 2);
    expect(argv.join(" ")).toContain(`--resume ${resumed}`);
    await rig.happens("attempt_judged");
    expect(rig.inputs()).toEqual(["one"]);
    expect(await again.leave()).toBe(0);
    expect(await again.lastLine()).toContain("1 accepted");
  });

  test("SIGKILL of the foreman of a script: resume asks for the review again, and does no work twice", async () => {
    const rig = chatRig({ reviews: [{ hang: true }, {}] });
    const running = rig.start(["chat", "--print", TASK]);
    await rig.called("review");
    running.child.kill("SIGKILL");
    await running.ended;
    await until(() => rig.survivors().length === 0);
    const [runId = ""] = rig.runIds();
    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect(rig.calls().map(({ kind }) => kind)).toEqual(["work", "review", "review"]);
    expect(rig.chatReport(runId)).toMatchObject({ final_status: "passed", tasks: [{ outcome: "accepted" }] });
  });
});
