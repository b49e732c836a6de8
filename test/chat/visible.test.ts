import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { talk, type LiveChat } from "../rig/chat-live.ts";
import type { ChatRig } from "../rig/chat.ts";
import { until } from "../rig/rig.ts";
import { chatRig, COMPLETED } from "./scene.ts";

const MISSING = "hello.txt says nothing about the world.\nIt should greet it.";
const BREAK_OFF = "\u001B";

/** The current output of claude's configured status line. */
function statusLine(rig: ChatRig): string {
  const { argv = [] } = rig.calls("start")[0] ?? {};
  const path = argv[argv.indexOf("--settings") + 1] ?? "";
  const { statusLine: line } = JSON.parse(fs.readFileSync(path, "utf8")) as {
    readonly statusLine: { readonly command: string };
  };
  return execFileSync("/bin/sh", ["-c", line.command], { encoding: "utf8" });
}

const notifications = ({ raw }: LiveChat): string[] =>
  [...raw.matchAll(/\u001B\]9;([^\u0007]*)\u0007/g)].map(([, text = ""]) => text);

async function shown(rig: ChatRig): Promise<string> {
  return (await rig.run(["show", rig.runIds()[0] ?? ""])).stdout;
}

describe("status without a window title", () => {
  test("that a review runs, and how it ended: claude's status line, and a notification", async () => {
    const rig = chatRig({ reviews: [{ wait: "go", say: COMPLETED }] });
    const chat = await talk(rig);
    expect(statusLine(rig)).toBe("");
    await chat.ask("write hello");
    await rig.called("review");
    await until(() => statusLine(rig) === "agent-foreman: review 1/5…\n");
    expect(notifications(chat)).toEqual([]);
    const during = chat.text();
    rig.open("go");
    await until(() => statusLine(rig) === "agent-foreman: accepted\n");
    expect(chat.text()).toBe(during);
    expect(await chat.leave()).toBe(0);
    expect(notifications(chat)).toEqual(["agent-foreman: accepted"]);
    expect(statusLine(rig)).toBe("");
  });

  test("the same of an agent that has no status line", async () => {
    const rig = chatRig();
    const chat = await talk(rig, ["--agent", "codex"]);
    await chat.ask("write hello");
    await rig.happens("attempt_judged");
    await until(() => notifications(chat).includes("agent-foreman: accepted"));
    expect(await chat.leave()).toBe(0);
  });

  test("the last review's feedback, which was not sent any more", async () => {
    const rig = chatRig({ reviews: [{ say: MISSING }] });
    const chat = await talk(rig, ["--max-reviews", "1", "--check", "false"]);
    await chat.ask("write hello");
    await rig.happens("review_dropped");
    const [runId = ""] = rig.runIds();
    const title = `not accepted: 1 review used; agent-foreman show ${runId}`;
    await until(() => statusLine(rig) === `agent-foreman: ${title}\n`);
    expect(await chat.leave()).toBe(1);
    expect(notifications(chat)).toEqual([`agent-foreman: ${title}`]);
    const parting = await chat.shows(
      "\n  | hello.txt says nothing about the world.\n  | It should greet it.\n",
    );
    expect(parting).toContain("\n  why     a check failed: false, exit 1 (check_failed)\n");
    expect(parting).toContain("\n          the reviewer did not call it completed (review_rejected)\n");
    expect(await chat.lastLine()).toBe(
      `agent-foreman: 1 task: 1 not accepted after 1 review; agent-foreman show ${runId}`,
    );
    expect((await rig.run(["runs"])).stdout).toMatch(new RegExp(`${runId}.*rejected`));
  });

  test("the previous review's feedback, if the person leaves during the next one", async () => {
    const rig = chatRig({ reviews: [{ say: MISSING }, { hang: true }] });
    const chat = await talk(rig, ["--max-reviews", "2"]);
    await chat.ask("write hello");
    await rig.called("review", 2);
    expect(await chat.leave()).toBe(1);
    const parting = await chat.shows("\n  | hello.txt says nothing about the world.\n");
    expect(parting).toContain("\n  why     the reviewer did not call it completed (review_rejected)\n");
    expect(await chat.lastLine()).toContain("1 review broken off");
  });
});

describe("counters", () => {
  test("shows a broken-off review as one that counts", async () => {
    const rig = chatRig({ reviews: [{ hang: true }, {}] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("review");
    await chat.ask("no, write other");
    await rig.happens("attempt_judged");
    expect(await chat.leave()).toBe(0);
    expect(await chat.lastLine()).toContain(
      "2 tasks: 1 accepted, 1 not accepted; 1 review broken off; agent-foreman show",
    );
    const story = await shown(rig);
    expect(story).toContain("review  review 1/5 was broken off; it counts");
    expect(story).not.toContain("(0 B)");
    expect(rig.chatReport(rig.runIds()[0] ?? "").tasks).toEqual([
      { task: 1, outcome: "not_accepted", reviews: 1, broken_off: 1 },
      { task: 2, outcome: "accepted", reviews: 1, broken_off: 0 },
    ]);
  });

  test("an agent that was killed is mentioned", async () => {
    const rig = chatRig({ work: [{ kill: "SIGKILL" }] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    expect(await chat.ended).toBe(1);
    expect(await chat.lastLine()).toContain(
      "1 task: 1 not reviewed; the agent was killed by SIGKILL; agent-foreman show",
    );
    expect(await shown(rig)).toContain("the agent left the terminal: killed by SIGKILL");
  });

  test("a message that the agent put back into its box is no task", async () => {
    const rig = chatRig({ work: [{ hang: true, back: true }, { write: { "hello.txt": "hello\n" } }] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("work");
    await rig.happens("input_given");
    chat.press(BREAK_OFF);
    expect(await rig.happens("input_taken_back")).toMatchObject({ task: 1 });
    await chat.shows(/^❯ write hello$/m);
    chat.press(" world");
    await chat.shows(/^❯ write hello world$/m);
    chat.press("\r");
    await rig.happens("attempt_judged");
    expect(rig.calls("review")[0]?.prompt).toContain("用户原始提问:\nwrite hello world\n");
    expect(await chat.leave()).toBe(0);
    expect(await chat.lastLine()).toContain("agent-foreman: 1 task: 1 accepted;");
    expect(rig.inputs()).toEqual(["write hello", "write hello world"]);
    expect(await shown(rig)).toContain("task 1 is back in the input box; nothing was done about it");
  });

  test("a turn that is interrupted and not put back stays a task, whatever is recalled from history", async () => {
    const rig = chatRig({ work: [{ hang: true }, {}] });
    const chat = await talk(rig);
    await chat.ask("write hello");
    await rig.called("work");
    await rig.happens("input_given");
    chat.press(BREAK_OFF);
    await chat.shows("Interrupted");
    await chat.ask("write hello");
    await rig.happens("attempt_judged");
    expect(rig.eventsOf("input_taken_back")).toEqual([]);
    expect(await chat.leave()).toBe(0);
    expect(await chat.lastLine()).toContain("2 tasks: 1 accepted, 1 not reviewed;");
  });
});
