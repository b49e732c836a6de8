import { describe, expect, it } from "vitest";
import { Key } from "../rig/terminal.ts";
import { ChatClientsRig, DONE, MISSING, ofReviewer, reviewed, SUPERVISOR, TASK } from "./chat-rig.ts";
import { isLeftOut, type ClientName } from "./clients.ts";

const OTHERS: readonly ClientName[] = ["codex", "gemini", "opencode"];

describe("chat --supervisor with other real clients", () => {
  it.each(OTHERS.filter((name) => !isLeftOut(name)))("sends %s the review's feedback", async (name) => {
    const rig = new ChatClientsRig();
    const { chat, model } = await rig.chat(name, [
      { text: "I greeted." },
      reviewed(MISSING),
      rig.greets("hello world"),
      { text: "I greeted the world." },
      reviewed(DONE),
    ]);
    await chat.ask(TASK);
    await rig.happens("attempt_judged", 2);
    await chat.shows("[agent-foreman review 1/5]");
    expect(rig.read("greeting.txt")).toBe("hello world");
    expect(model.requests[2]?.prompt).toContain(`[agent-foreman review 1/5]\n${MISSING}\n`);
    expect(rig.verdicts()).toEqual([false, true]);
    expect(rig.inputs()).toEqual([TASK]);
    expect(model.requests.map(({ body }) => body.includes(SUPERVISOR))).toEqual([
      ...[false, true],
      ...[false, false, true],
    ]);
    for (const { prompt } of ofReviewer(model)) {
      expect(prompt).toContain(`用户原始提问:\n${TASK}\n`);
      expect(prompt).not.toContain("does not greet the world");
    }
    if (name === "gemini") await chat.ask("/quit");
    else chat.press(Key.ctrlC);
    expect(await chat.ended).toBe(0);
    expect(chat.ownLines()).toEqual([expect.stringMatching(/^agent-foreman: .*1 accepted.* show \S+$/)]);
  });
});
