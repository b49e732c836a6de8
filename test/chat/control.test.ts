import { describe, expect, test } from "vitest";
import { talk } from "../rig/chat-live.ts";
import { CLI } from "../rig/rig.ts";
import { chatRig } from "./scene.ts";

const MISSING = "hello.txt says nothing about the world.";

describe("control of the reviews", () => {
  test("chat skip: this review is over, and the next task is reviewed again", async () => {
    const rig = chatRig({ reviews: [{ hang: true }, {}] });
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.called("review");
    expect((await rig.run(["chat", "skip"])).code).toBe(0);
    expect(await rig.happens("review_dropped")).toMatchObject({ why: "skipped" });
    await chat.ask("two");
    await rig.happens("attempt_judged");
    expect(await chat.leave()).toBe(0);
    expect(await chat.lastLine()).toContain("1 accepted, 1 not accepted; 1 review broken off");
  });

  test("chat skip: what was found missing and waits for them is not said", async () => {
    const rig = chatRig({ reviews: [{ wait: "go", say: MISSING }] });
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.called("review");
    chat.press("and then");
    await chat.shows(/^❯ and then$/m);
    rig.open("go");
    await rig.happens("attempt_judged");
    expect((await rig.run(["chat", "skip"])).code).toBe(0);
    expect(await rig.happens("review_dropped")).toMatchObject({ why: "skipped" });
    chat.press("\u0015");
    expect(await chat.leave()).toBe(1);
    expect(rig.eventsOf("feedback_sent")).toEqual([]);
    expect(rig.calls("work")).toHaveLength(1);
  });

  test("chat pause and go-on: nothing is reviewed in between, then what is there is", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    expect((await rig.run(["chat", "pause"])).code).toBe(0);
    await chat.ask("one");
    await rig.happens("live_turn_ended");
    expect(rig.calls("review")).toEqual([]);
    expect((await rig.run(["chat", "go-on"])).code).toBe(0);
    await rig.happens("attempt_judged");
    expect(await chat.leave()).toBe(0);
  });

  test("chat stop, called from within the agent: no more reviews, and nothing is accepted", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    await chat.ask(`!${process.execPath} ${CLI} chat stop`);
    expect(await rig.happens("reviews_set")).toMatchObject({ to: "stopped" });
    await chat.ask("one");
    await rig.happens("live_turn_ended");
    expect(await chat.leave()).toBe(1);
    expect(rig.calls("review")).toEqual([]);
    expect(await chat.lastLine()).toContain("1 not reviewed");
  });
});
