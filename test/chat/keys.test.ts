import { describe, expect, test } from "vitest";
import { talk } from "../rig/chat-live.ts";
import { chatRig } from "./scene.ts";

const MISSING = "hello.txt says nothing about the world.";

describe("the person's keyboard and window", () => {
  test("a key that begins a sequence, and is all there is of it, holds nothing up", async () => {
    const rig = chatRig({ reviews: [{ wait: "go", say: MISSING }, {}] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("review");
    chat.press("\u001B");
    rig.open("go");
    await rig.happens("feedback_sent");
    await rig.happens("attempt_judged", 2);
    expect(await chat.leave()).toBe(0);
  });

  test("Ctrl-C goes to the agent: what it broke off is not reviewed; twice, and the agent leaves", async () => {
    const rig = chatRig({ work: [{ hang: true }] });
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.called("work");
    chat.press("\u0003");
    await chat.shows("Interrupted");
    chat.press("\u0003");
    await chat.shows("Press Ctrl-C again to exit");
    chat.press("\u0003");
    expect(await chat.ended).toBe(1);
    expect(rig.eventsOf("live_turn_ended")).toEqual([]);
    expect(rig.eventsOf("live_ended")[0]?.process.end).toEqual({ kind: "exited", code: 0 });
  });

  test("the agent gets the new size and redraws itself", async () => {
    const chat = await talk(chatRig());
    chat.resize(100, 30);
    await chat.shows(/^─{100}$/m);
    expect(await chat.leave()).toBe(0);
  });

  test("a megabyte that is pasted is recorded whole", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    const text = `${"0123456789 abcdef\n".repeat(58_255)}end`;
    expect(text.length).toBeGreaterThan(1024 * 1024);
    chat.paste(text);
    await chat.shows("[Pasted text #1");
    chat.press("\r");
    await rig.happens("attempt_judged");
    expect(rig.inputs()[0]).toBe(text);
    expect(rig.calls("review")[0]?.prompt.length).toBeLessThan(100_000);
    expect(await chat.leave()).toBe(0);
  });
});
