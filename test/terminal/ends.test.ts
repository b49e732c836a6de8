import fs from "node:fs";
import os from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTerminal } from "../../src/platform/terminal/open-terminal.ts";
import { until } from "../rig/rig.ts";
import { Desk } from "./desk.ts";

/** Switches on every mode that an agent may leave on, then waits. */
const MESSY = String.raw`printf '\033[?1049h\033[?25l\033[?1006;1003h\033[?2004h\033[>1u\033[5 q\033[31mready'; `;
const TIDIED = [
  "\u001b[?25h",
  "\u001b[?1006l",
  "\u001b[?1003l",
  "\u001b[?2004l",
  "\u001b[<1u",
  "\u001b[?1049l",
  "\u001b[0 q",
] as const;

function temporary(): string {
  const dir = fs.mkdtempSync(join(os.tmpdir(), "foreman-ends-"));
  onTestFinished(() => fs.rmSync(dir, { recursive: true, force: true }));
  return dir;
}

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

let naps = 0;

/** A unique sleep duration, even across parallel runs of these tests. */
function longNap(): string {
  return `5000.${process.pid}${naps++}`;
}

function sleepers(seconds: string): number[] {
  return fs.readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return fs.readFileSync(`/proc/${pid}/cmdline`, "latin1") === `sleep\0${seconds}\0` ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });
}

describe("the agent ends", () => {
  test("at once", async () => {
    const desk = await Desk.open();
    await desk.run(["true"]);
    expect(await desk.finish()).toEqual({ kind: "exited", code: 0 });
    expect(desk.seen.toString()).toBe("");
  });

  test("by a signal, with a shell's exit code and without a shell's message", async () => {
    const desk = await Desk.open();
    await desk.run(["sh", "-c", "kill -KILL $$"]);
    expect(await desk.finish()).toEqual({ kind: "signaled", signal: "SIGKILL" });
    expect(desk.seen.toString()).toBe("");
  });

  test.each([true, false])("while a grandchild holds its terminal (contained: %s)", async (contained) => {
    const seconds = longNap();
    const desk = await Desk.open();
    await desk.run(["sh", "-c", `trap '' HUP; sleep ${seconds} & echo started; exit 4`], contained);
    expect(await desk.finish()).toEqual({ kind: "exited", code: 4 });
    expect(desk.seen.toString()).toBe("started\r\n");
    await until(() => sleepers(seconds).length === 0);
  });

  test.each([true, false])("when asked to (contained: %s)", async (contained) => {
    const desk = await Desk.open();
    await desk.run(
      ["sh", "-c", "trap 'echo tidy; exit 9' TERM; echo ready; while :; do sleep 0.05; done"],
      contained,
    );
    await desk.shows("ready");
    desk.send({ do: "end" });
    expect(await desk.finish()).toEqual({ kind: "exited", code: 9 });
    expect(desk.seen.toString()).toContain("tidy");
  });

  test.each([true, false])("even if it refuses (contained: %s)", async (contained) => {
    const seconds = longNap();
    const desk = await Desk.open();
    await desk.run(["sh", "-c", `trap '' TERM HUP INT; echo ready; sleep ${seconds}`], contained);
    await desk.shows("ready");
    desk.send({ do: "end" });
    expect(await desk.finish()).toEqual({ kind: "signaled", signal: "SIGKILL" });
    await until(() => sleepers(seconds).length === 0);
  });

  test("though its output was stopped by Ctrl-S", async () => {
    const desk = await Desk.open();
    await desk.run(["sh", "-c", "echo ready; read -r _; while :; do echo more; done"]);
    await desk.shows("ready");
    await desk.press("\u0013\n");
    desk.send({ do: "end" });
    expect(await desk.finish()).toMatchObject({ kind: "signaled", signal: "SIGTERM" });
  });

  test("although the terminal no longer accepts output", async () => {
    const desk = await Desk.open();
    await desk.run(["sh", "-c", "echo ready; exec yes"]);
    await desk.shows("ready");
    desk.pty.reader.pause();
    desk.send({ do: "end" });
    expect(await desk.hears("ended")).toMatchObject({ ended: { kind: "signaled", signal: "SIGTERM" } });
  });
});

describe("the agent cannot be started", () => {
  test("a missing program", async () => {
    const desk = await Desk.open();
    desk.send({ do: "open", words: ["no-such-agent"], contained: true });
    expect(await desk.hears("problem")).toEqual({ problem: "not_runnable", detail: "no-such-agent" });
  });

  test("a program without its interpreter", async () => {
    const program = join(temporary(), "agent");
    fs.writeFileSync(program, "#!/no/such/interpreter\n", { mode: 0o755 });
    const desk = await Desk.open();
    await desk.run([program]);
    expect(await desk.finish()).toEqual({ kind: "not_started", message: `${program}: cannot be run (127)` });
  });

  test("a missing directory", async () => {
    const desk = await Desk.open();
    desk.send({ do: "open", words: ["true"], contained: true, cwd: "/no/such/directory" });
    expect(await desk.finish()).toMatchObject({ kind: "not_started" });
  });

  test("no terminal", async () => {
    const opened = await openTerminal({
      words: ["true"],
      env: process.env,
      cwd: "/",
      contain: (script, args) => ({ file: "/bin/sh", args: ["-c", script, "sh", ...args] }),
      stdout: process.stdout,
    });
    expect(opened).toMatchObject({ problem: "no_terminal" });
  });
});

describe("restores the user's terminal", () => {
  test("when the agent was killed and left its modes on", async () => {
    const desk = await Desk.open();
    const before = desk.stty("-g");
    await desk.run(["sh", "-c", `${MESSY} kill -KILL $$`]);
    await desk.finish();
    // The output appears before it is read here.
    const after = await until(() => desk.seen.toString().split("ready")[1] || false);
    expect(after).toBe(`${TIDIED.join("")}\u001b[m`);
    expect(desk.stty("-g")).toBe(before);
  });

  test("adds nothing if the agent restored everything itself", async () => {
    const desk = await Desk.open();
    await desk.run(["printf", String.raw`\033[?1049h\033[?25l\033[31mx\033[0m\033[?25h\033[?1049l`]);
    await desk.finish();
    expect(desk.seen.toString()).toBe("\u001b[?1049h\u001b[?25l\u001b[31mx\u001b[0m\u001b[?25h\u001b[?1049l");
  });

  test.each([
    ["SIGTERM", (desk: Desk): boolean => process.kill(desk.hostPid, "SIGTERM")],
    ["SIGHUP", (desk: Desk): boolean => process.kill(desk.hostPid, "SIGHUP")],
    ["SIGKILL", (desk: Desk): boolean => process.kill(desk.hostPid, "SIGKILL")],
    ["an exit", (desk: Desk): void => desk.send({ do: "exit" })],
    ["an error", (desk: Desk): void => desk.send({ do: "throw" })],
  ] as const)("when the foreman ends by %s", async (_, end) => {
    const seconds = longNap();
    const desk = await Desk.open();
    const before = desk.stty("-g");
    await desk.run(["sh", "-c", `${MESSY} sleep ${seconds}`]);
    await desk.shows("ready");
    await until(() => sleepers(seconds).length === 1);
    expect(desk.stty("-g")).not.toBe(before);
    desk.forget();
    end(desk);
    for (const sequence of TIDIED) await desk.shows(sequence);
    await until(() => desk.stty("-g") === before);
    await until(() => !alive(desk.hostPid) && sleepers(seconds).length === 0);
  });

  test("ends the agent when the terminal is closed", async () => {
    const seconds = longNap();
    const desk = await Desk.open();
    await desk.run(["sleep", seconds]);
    await until(() => sleepers(seconds).length === 1);
    desk.pty.close();
    await until(() => sleepers(seconds).length === 0);
    await until(() => !alive(desk.hostPid));
    expect(desk.seen.toString()).toBe("");
  });
});
