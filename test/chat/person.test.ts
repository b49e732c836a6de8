import { describe, expect, test } from "vitest";
import { talk } from "../rig/chat-live.ts";
import { until } from "../rig/rig.ts";
import { chatRig, completed } from "./scene.ts";

const MISSING = "hello.txt says nothing about the world.";

describe("the person at the terminal goes first", () => {
  test("feedback waits while they type, and does not get into what they have typed", async () => {
    // Longer than the pauses of a person who types.
    const rig = chatRig({ reviews: [{ wait: "go", run: "sleep 2", say: MISSING }, {}] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("review");
    chat.press("and then");
    await chat.shows(/^❯ and then$/m);
    rig.open("go");
    await rig.happens("attempt_judged");
    await until(() => chat.title.includes("waits"));
    await rig.run(["runs"]);
    // The person changes their mind, and only then is the feedback sent.
    expect(rig.eventsOf("feedback_sent")).toEqual([]);
    expect(chat.text()).toMatch(/^❯ and then$/m);
    chat.press("\u0015");
    await rig.happens("feedback_sent");
    expect(rig.calls("work")[1]?.prompt).toMatch(/^\[agent-foreman review 1\/5\]/);
    expect(rig.inputs()).toEqual(["write hello"]);
    await rig.happens("attempt_judged", 2);
    expect(await chat.leave()).toBe(0);
  });

  test("a new input in the middle of a review drops it, and is the task from now on", async () => {
    const rig = chatRig({ work: [{}, { write: { "other.txt": "other\n" } }], reviews: [{ hang: true }, {}] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("review");
    await chat.ask("no, write other");
    await rig.happens("attempt_judged");
    expect(rig.inputs()).toEqual(["write hello", "no, write other"]);
    expect(completed(rig)).toEqual([true]);
    expect(await chat.leave()).toBe(0);
    expect(await chat.lastLine()).toContain("2 tasks: 1 accepted, 1 not accepted; 1 review broken off");
  });

  test("text typed while the agent works waits for it, and there is one review when it has stopped", async () => {
    const rig = chatRig({ work: [{ wait: "go" }, { write: { "two.txt": "2\n" } }] });
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.called("work");
    await chat.ask("two");
    // Its hook may end after those of the whole work, and an input cancels an earlier stop.
    await rig.happens("input_given", 2);
    rig.open("go");
    await rig.happens("attempt_judged");
    expect(rig.inputs()).toEqual(["one", "two"]);
    expect(rig.calls("review")).toHaveLength(1);
    expect(rig.calls("work")).toHaveLength(2);
    expect(await chat.leave()).toBe(0);
  });
});
