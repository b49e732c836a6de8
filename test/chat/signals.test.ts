import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TERMINAL_RESTORED, talk } from "../rig/chat-live.ts";
import type { ChatRig } from "../rig/chat.ts";
import { CLI, until } from "../rig/rig.ts";
import { chatRig } from "./scene.ts";

const MISSING = "hello.txt says nothing about the world.";

/** The agent's process in the terminal. */
function agentOf(rig: ChatRig): number {
  const lines = rig.survivors().filter((line) => line.includes("--plugin-dir"));
  // All matching ancestors have lower ids.
  return Math.max(...lines.map((line) => Number.parseInt(line, 10)));
}

/** Makes later hooks wait for the gate `hooks`. */
function delayHooks(rig: ChatRig, script: Parameters<ChatRig["script"]>[0] = {}): void {
  rig.script({ ...script, hooks: "late" });
}

describe("a conversation that ends in the middle of an endless review", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s to the foreman: the review is ended, that is recorded, and the run can be resumed",
    async (signal) => {
      const rig = chatRig({ reviews: [{ hang: true }, {}] });
      const chat = await talk(rig);
      await chat.ask("one");
      const { resumed } = await rig.called("review");
      process.kill(chat.foreman(), signal);
      expect(await chat.ended).toBe({ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal]);
      await chat.shows(TERMINAL_RESTORED);
      expect(chat.modes).toEqual({ paste: false, focus: false });
      expect(rig.eventsOf("run_stopped")).toMatchObject([{ by: signal }]);
      expect(rig.eventsOf("attempt_judged")).toEqual([]);
      expect(rig.eventsOf("run_ended")).toEqual([]);

      const [runId = ""] = rig.runIds();
      const again = await talk(rig, [], { words: [process.execPath, CLI, "resume", runId] });
      expect((await rig.called("start", 2)).argv.join(" ")).toContain(`--resume ${resumed}`);
      await rig.happens("attempt_judged");
      expect(await again.leave()).toBe(0);
      expect(await again.lastLine()).toContain("1 task: 1 accepted");
    },
  );

  test("an agent that ends with the foreman was not left by the person: the run can be resumed", async () => {
    const rig = chatRig({ reviews: [{ run: "trap '' TERM; sleep 1000" }] });
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.called("review");
    process.kill(chat.foreman(), "SIGTERM");
    process.kill(agentOf(rig), "SIGKILL");
    expect(await chat.ended).toBe(143);
    expect(rig.eventsOf("live_ended")).toEqual([]);
    expect(rig.eventsOf("run_stopped")).toMatchObject([{ by: "SIGTERM" }]);
  });

  test("a window that is closed: the same", async () => {
    const rig = chatRig({ reviews: [{ hang: true }, {}] });
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.called("review");
    chat.close();
    await rig.happens("run_stopped");
    await until(() => rig.survivors().length === 0);
    expect(rig.eventsOf("run_ended")).toEqual([]);

    const [runId = ""] = rig.runIds();
    const again = await talk(rig, [], { words: [process.execPath, CLI, "resume", runId] });
    await rig.happens("attempt_judged");
    expect(await again.leave()).toBe(0);
  });
});

describe("an agent that exits, or reports, at an awkward moment", () => {
  test("it exits during the feedback: the feedback was not delivered, and the conversation is over", async () => {
    const script = { reviews: [{ wait: "go", say: MISSING }] };
    const rig = chatRig(script);
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.called("review");
    delayHooks(rig, script);
    rig.open("go");
    // The input was entered and the agent has begun, but no hook has reported it.
    await chat.shows(/Done\.[\s\S]*esc to interrupt/);
    process.kill(agentOf(rig), "SIGKILL");
    expect(await chat.ended).toBe(1);
    await chat.shows(TERMINAL_RESTORED);
    expect(chat.modes).toEqual({ paste: false, focus: false });
    expect(rig.eventsOf("feedback_sent")).toEqual([]);
    expect(rig.eventsOf("live_ended")).toHaveLength(1);
    expect(await chat.lastLine()).toContain("1 not accepted");
  });

  test("two inputs that are reported at once are both recorded", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    await chat.ask("zero");
    await rig.happens("attempt_judged");
    delayHooks(rig);
    await chat.ask("one");
    await chat.ask("two");
    await chat.shows("Press up to edit queued messages");
    rig.open("hooks");
    await rig.happens("attempt_judged", 2);
    // Concurrent hooks run in any order.
    expect(rig.inputs().sort()).toEqual(["one", "two", "zero"]);
    expect(rig.calls("review")).toHaveLength(2);
    expect(await chat.leave()).toBe(0);
  });
});

describe("invalid uses of the actions of chat", () => {
  test.each([
    [["init", "extra"], "unexpected argument extra"],
    [["init", "--print", "x"], "--print"],
    [["init", "--check", "true"], "--check"],
    [["init", "--", "x"], "--"],
    [["--global"], "--global"],
    [["--print", "x", "--global"], "--global"],
    [["--supervisor", "--json"], "--print"],
    [["--supervisor", "--quiet"], "--print"],
    [["stop", "--supervisor"], "--supervisor"],
  ])("%j is refused, and nothing is written or started", async (words, said) => {
    const rig = chatRig();
    fs.rmSync(join(rig.project, "SUPERVISOR.md"));
    const { code, stderr } = await rig.run(["chat", ...words]);
    expect([code, rig.exists("SUPERVISOR.md"), rig.runIds(), rig.calls()]).toEqual([2, false, [], []]);
    expect(stderr).toContain(said);
  });
});
