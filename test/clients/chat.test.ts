import { describe, expect, it } from "vitest";
import { Key } from "../rig/terminal.ts";
import { until } from "../rig/rig.ts";
import { ChatClientsRig, DONE, gate, MISSING, ofReviewer, reviewed, SUPERVISOR, TASK } from "./chat-rig.ts";
import { isLeftOut } from "./clients.ts";

const LONGER = "It should be longer.";
const STARS = "一★\n\n  two ★★\nthree ★★★";
const DELETE = "\u007F";
/** The last entry is a placeholder for searchable tools and does nothing. */
const ONLY_LOOKING = new Set(["Read", "Grep", "Glob", "DeferredToolPlaceholder"]);

describe.skipIf(isLeftOut("claude"))("chat --supervisor with the real claude", () => {
  it("C22: works on after the first review, and is done after the second", async () => {
    const rig = new ChatClientsRig();
    const second = gate();
    const { chat, model } = await rig.chat("claude", [
      rig.greets("hello"),
      { text: "I greeted." },
      reviewed(MISSING),
      rig.greets("hello world"),
      { text: "I greeted the world." },
      reviewed(DONE, { after: second.opened }),
    ]);
    await chat.ask(TASK);
    await model.asked(6);
    const sessions = rig.claudeSessions();
    second.open();
    await rig.happens("attempt_judged", 2);
    // The agent's input appears in the conversation with the sender's name.
    expect(chat.text()).toMatch(
      /^❯.\[agent-foreman review 1\/5\]\s+greeting.txt does not greet the world:\s/m,
    );
    expect(model.requests[3]?.prompt).toContain(`[agent-foreman review 1/5]\n${MISSING}\n`);
    expect(rig.read("greeting.txt")).toBe("hello world");
    // The reviewer follows SUPERVISOR.md, sees the person's inputs without its own reviews, and can only read.
    expect(model.requests.map(({ body }) => body.includes(SUPERVISOR))).toEqual([
      ...[false, false, true],
      ...[false, false, true],
    ]);
    for (const { body, tools, prompt } of ofReviewer(model)) {
      const { system } = JSON.parse(body) as { readonly system: readonly { readonly text: string }[] };
      expect(system.map(({ text }) => text).join("\n")).toContain(SUPERVISOR);
      expect(tools.filter((name) => !ONLY_LOOKING.has(name))).toEqual([]);
      expect(prompt).toMatch(new RegExp(`^用户原始提问:\n${TASK}\n`));
      expect(prompt).not.toContain("does not greet the world");
      expect(body).toContain("I greeted");
    }
    // The person's own session is unchanged.
    expect(rig.claudeSessions()).toEqual(sessions);
    expect(Object.keys(sessions)).toEqual([rig.eventsOf("input_given")[0]?.session]);

    await chat.ask("/exit");
    expect(await chat.ended).toBe(0);
    expect(chat.ownLines()).toEqual([expect.stringMatching(/^agent-foreman: .*1 accepted.* show \S+$/)]);
    expect(rig.inputs()).toEqual([TASK]);
    const reviewedTurn = ["live_turn_ended", "turn_started", "review_ended"];
    const seen = ["candidate_taken", "candidate_confirmed", "attempt_judged"];
    expect(rig.types()).toEqual([
      ...["run_started", "base_taken", "live_started", "input_given"],
      ...[...reviewedTurn, "attempt_judged", "feedback_sent", ...reviewedTurn, ...seen],
      ...["live_ended", "run_ended"],
    ]);
  });

  it("shows the review, and how it ended, in its status line", async () => {
    const rig = new ChatClientsRig();
    const [first, second] = [gate(), gate()];
    const { chat, model } = await rig.chat("claude", [
      { text: "Shall I greet in French?" },
      reviewed("[WAITING_FOR_USER]", { after: first.opened }),
      { text: "Bonjour." },
      reviewed(DONE, { after: second.opened }),
    ]);
    await chat.ask(TASK);
    await model.asked(2);
    await chat.shows(/^ *agent-foreman: review 1\/5…/m);
    first.open();
    await chat.shows(/^ *agent-foreman: waits for your answer/m);
    expect(rig.eventsOf("review_dropped")).toMatchObject([{ why: "waiting_for_user" }]);
    expect(rig.eventsOf("feedback_sent")).toEqual([]);
    await chat.ask("yes");
    await model.asked(4);
    await chat.shows(/^ *agent-foreman: review 1\/5…/m);
    second.open();
    await chat.shows(/^ *agent-foreman: accepted/m);
    await chat.ask("/exit");
    expect(await chat.ended).toBe(0);
  });

  it("leaves a status line alone that the person has", async () => {
    const rig = new ChatClientsRig();
    rig.settings({ statusLine: { type: "command", command: "echo mine" } });
    const { chat } = await rig.chat("claude", [{ text: "I greeted." }, reviewed(DONE)]);
    await chat.ask(TASK);
    await rig.happens("attempt_judged");
    await chat.shows(/^ *mine$/m);
    expect(chat.text()).not.toContain("agent-foreman:");
    await chat.ask("/exit");
    expect(await chat.ended).toBe(0);
  });

  it("waits with what the review said while something is typed, and keeps it for itself when that is a new task", async () => {
    const rig = new ChatClientsRig();
    const [first, second] = [gate(), gate()];
    const { chat, model } = await rig.chat("claude", [
      { text: "I greeted." },
      reviewed(MISSING, { after: first.opened }),
      { text: "I greeted the world." },
      reviewed(LONGER, { after: second.opened }),
      { text: "There are stars now." },
      reviewed(DONE),
    ]);
    await chat.ask(TASK);
    await model.asked(2);
    chat.press("add");
    await chat.drafts("add");
    const typed = performance.now();
    first.open();
    await rig.happens("attempt_judged");
    // The screen is redrawn with the draft.
    chat.resize(64, 20);
    await until(() => /^─{64}\n❯.add\s*\n─{64}$/m.test(chat.screen().join("\n")));
    // Longer than the wait for a person who has typed nothing.
    await until(() => performance.now() - typed > 3000);
    await chat.drafts("add");
    expect(rig.eventsOf("feedback_sent")).toEqual([]);
    chat.press(DELETE.repeat("add".length));
    await rig.happens("feedback_sent");

    await model.asked(4);
    chat.press("add stars:");
    await chat.drafts("add stars:");
    second.open();
    await rig.happens("attempt_judged", 2);
    chat.paste(` ${STARS}`);
    await chat.shows(/three ★★★|\[Pasted text/);
    chat.press(Key.enter);
    await rig.happens("attempt_judged", 3);
    expect(rig.inputs()).toEqual([TASK, `add stars: ${STARS}`]);
    expect(model.requests.filter(({ prompt }) => prompt.includes("agent-foreman review"))).toHaveLength(1);
    expect(model.requests.filter(({ body }) => body.includes(LONGER))).toEqual([]);
    expect(ofReviewer(model).at(-1)?.prompt).toContain(`1. ${TASK}\n2. add stars: ${STARS}\n`);

    chat.press(Key.ctrlC);
    await chat.shows("Press Ctrl-C again to exit");
    chat.press(Key.ctrlC);
    expect(await chat.ended).toBe(0);
    expect(rig.chatReport().attempts).toMatchObject([
      { task: 1, settled: "feedback_sent" },
      { task: 1, settled: "new_input" },
      { task: 2, settled: "accepted" },
    ]);
  });

  it("reviews the work at what was asked last, when that was asked while it worked", async () => {
    const rig = new ChatClientsRig();
    const first = gate();
    const { chat, model } = await rig.chat("claude", [
      { text: "I greeted.", after: first.opened },
      { text: "I greeted the world." },
      reviewed(DONE),
    ]);
    await chat.ask(TASK);
    await model.asked(1);
    await chat.ask("greet the world too");
    await rig.happens("input_given", 2);
    first.open();
    await rig.happens("attempt_judged");
    expect(rig.types().filter((type) => type === "live_turn_ended")).toHaveLength(1);
    expect(model.requests).toHaveLength(3);
    expect(ofReviewer(model)[0]?.prompt).toContain(`1. ${TASK}\n2. greet the world too\n`);
    await chat.ask("/clear");
    await chat.ask("greet anew");
    await rig.happens("attempt_judged", 2);
    expect(ofReviewer(model)[1]?.prompt).toMatch(/^用户原始提问:\ngreet anew\n/);
    await chat.ask("/exit");
    expect(await chat.ended).toBe(0);
  });

  it("does not review what the person broke off", async () => {
    const rig = new ChatClientsRig();
    const { chat, model } = await rig.chat("claude", [
      { hang: "stream" },
      { text: "I greeted." },
      reviewed(DONE),
    ]);
    await chat.ask(TASK);
    await model.asked(1);
    await until(() => chat.look().busy);
    chat.press("\u001B");
    await until(() => !chat.look().busy);
    // The interrupted input returns to the box and is no task any more.
    await chat.drafts(TASK);
    await rig.happens("input_taken_back");
    chat.press("\u0015");
    await chat.drafts("");
    await chat.ask("greet me");
    await rig.happens("attempt_judged");
    expect(rig.eventsOf("live_turn_ended")).toHaveLength(1);
    expect(rig.eventsOf("input_given")).toMatchObject([{ task: 1 }, { task: 1 }]);
    expect(rig.inputs()).toEqual([TASK, "greet me"]);
    await chat.ask("/exit");
    expect(await chat.ended).toBe(0);
    expect(chat.ownLines()).toEqual([expect.stringMatching(/^agent-foreman: 1 task: 1 accepted;/)]);
  });

  it("takes no message for a task that is taken back from those that wait", async () => {
    const rig = new ChatClientsRig();
    const first = gate();
    const { chat, model } = await rig.chat("claude", [
      { text: "I greeted.", after: first.opened },
      { text: "I greeted the world." },
      reviewed(DONE),
    ]);
    await chat.ask(TASK);
    await model.asked(1);
    await chat.ask("greet the world");
    await rig.happens("input_given", 2);
    await chat.shows("Press up to edit queued messages");
    await until(() => chat.look().queued === true);
    chat.press(Key.up);
    await rig.happens("input_taken_back");
    chat.press(" too");
    await until(() => chat.look().draft === "greet the world too");
    chat.press(Key.enter);
    await rig.happens("input_given", 3);
    first.open();
    await rig.happens("attempt_judged");
    expect(ofReviewer(model)[0]?.prompt).toContain(`1. ${TASK}\n2. greet the world too\n`);
    await chat.ask("/exit");
    expect(await chat.ended).toBe(0);
  });
});

describe.skipIf(isLeftOut("claude"))("chat --print with the real claude", () => {
  it("goes on in the same session until the task is completed", async () => {
    const rig = new ChatClientsRig();
    const model = await rig.client("claude", [
      { text: "I greeted." },
      reviewed(MISSING),
      rig.greets("hello world"),
      { text: "I greeted the world." },
      reviewed(DONE),
    ]);
    expect((await rig.print("claude")).code).toBe(0);
    expect(rig.verdicts()).toEqual([false, true]);
    const [one, other] = rig.eventsOf("turn_ended").map(({ agent }) => agent?.sessionId);
    expect(one).toMatch(/^[\da-f-]{36}$/);
    expect(other).toBe(one);
    expect(model.requests[2]?.prompt).toContain(`[agent-foreman review 1/5]\n${MISSING}\n`);
    for (const { prompt } of ofReviewer(model)) expect(prompt).not.toContain(MISSING);
    expect(rig.chatReport()).toMatchObject({ final_status: "passed" });
  });

  it("ends with 1 when the last review does not find the task completed", async () => {
    const rig = new ChatClientsRig();
    const model = await rig.client("claude", [{ text: "I greeted." }, reviewed(MISSING)]);
    expect((await rig.print("claude", ["--max-reviews", "2"])).code).toBe(1);
    expect(rig.verdicts()).toEqual([false, false]);
    expect(model.requests).toHaveLength(4);
  });
});
