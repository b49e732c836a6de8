import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TERMINAL_RESTORED, LiveChat, talk } from "../rig/chat-live.ts";
import { SUPERVISOR } from "../rig/chat.ts";
import { CLI } from "../rig/rig.ts";
import { chatRig, TASK } from "./scene.ts";

const asModule = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
/** Loaded before the program: simulates that the optional package is missing. */
const NO_PTY = asModule(`import { register } from "node:module";
register(${JSON.stringify(
  asModule(`export function resolve(name, context, next) {
  if (name === "@lydell/node-pty") throw new Error("Cannot find package");
  return next(name, context);
}`),
)});`);
const CCC = join(CLI, "..", "ccc.cjs");

describe("how chat is called", () => {
  test("C1: without --supervisor the agent is simply started: no run, nothing added, its own exit code", async () => {
    const rig = chatRig({ work: [{ say: "bye", exit: 7 }] });
    const words = [process.execPath, CLI, "chat", "--", "--model", "opus"];
    const chat = await talk(rig, [], { words, env: { MINE: "1" } });
    await chat.ask("one");
    expect(await chat.ended).toBe(7);
    const { argv, env } = await rig.called("start");
    expect(argv).toEqual(["--model", "opus"]);
    const given: Record<string, string> = {
      ...rig.env({ MINE: "1", TERM: "xterm-256color" }),
      PWD: rig.project,
    };
    const added = Object.keys(env).filter((name) => env[name] !== given[name]);
    expect(added.filter((name) => !["_", "OLDPWD", "SHLVL"].includes(name))).toEqual([]);
    expect(rig.runIds()).toEqual([]);
    expect(rig.calls("review")).toEqual([]);
  });

  test("C1: with --supervisor the work is reviewed; what follows -- goes to the agent", async () => {
    const rig = chatRig();
    const chat = await talk(rig, ["--", "write hello"]);
    await rig.happens("attempt_judged");
    expect(rig.calls("start")[0]?.argv.at(-1)).toBe("write hello");
    expect(rig.inputs()).toEqual(["write hello"]);
    expect(await chat.leave()).toBe(0);
  });

  test("a person at a terminal can chat where CI is set: chat asks nothing", async () => {
    const rig = chatRig();
    const chat = await talk(rig, [], { env: { CI: "true" } });
    await chat.ask("one");
    await rig.happens("attempt_judged");
    expect(await chat.leave()).toBe(0);
  });

  test("settings of the agent that are a pipe do not stop the start", async () => {
    const rig = chatRig();
    fs.mkdirSync(join(rig.project, ".claude"), { recursive: true });
    execFileSync("mkfifo", [join(rig.project, ".claude", "settings.json")]);
    const chat = await talk(rig);
    await chat.ask("one");
    await rig.happens("attempt_judged");
    expect(await chat.leave()).toBe(0);
  });

  test("C1: ccc --supervisor is the same", async () => {
    const rig = chatRig();
    const chat = await talk(rig, [], { words: [process.execPath, CCC, "--supervisor"] });
    await chat.ask("one");
    await rig.happens("attempt_judged");
    expect(await chat.leave()).toBe(0);
  });

  test("C18: no pty: an error, and nothing is started", async () => {
    const rig = chatRig();
    const chat = new LiveChat(rig, [], {
      words: [process.execPath, "--import", NO_PTY, CLI, "chat", "--supervisor"],
    });
    expect(await chat.ended).toBe(5);
    await chat.shows("Cannot find package");
    await chat.shows("chat --print");
    await chat.shows(TERMINAL_RESTORED);
    expect(rig.runIds()).toEqual([]);
    expect(rig.calls()).toEqual([]);
  });

  test("C21: where there are no ptys the loop works without a terminal, and plain chat as a child process", async () => {
    const rig = chatRig();
    const { code } = await rig.print(TASK, [], { preload: NO_PTY });
    expect(code).toBe(0);
    const chat = await talk(rig, [], { words: [process.execPath, "--import", NO_PTY, CLI, "chat"] });
    expect(await chat.leave()).toBe(0);
  });

  test("a terminal that is too small is refused", async () => {
    const rig = chatRig();
    const chat = new LiveChat(rig, [], { columns: 10, rows: 3 });
    expect(await chat.ended).toBe(2);
    expect(rig.runIds()).toEqual([]);
    expect(rig.calls()).toEqual([]);
  });

  test("the same work tree twice: the second chat is refused, the first goes on", async () => {
    const rig = chatRig();
    const chat = await talk(rig);
    const [first] = rig.runIds();
    const second = new LiveChat(rig);
    expect(await second.ended).toBe(6);
    await second.shows(first ?? "?");
    await chat.ask("one");
    await rig.happens("attempt_judged");
    expect(await chat.leave()).toBe(0);
    expect(rig.calls("start")).toHaveLength(1);
    expect(rig.runIds()).toEqual([first]);
  });

  test("codex, which calls no hooks: its record is read, and it gets the feedback", async () => {
    const rig = chatRig({ reviews: [{ say: "not yet" }, {}] });
    const chat = await talk(rig, ["--agent", "codex"]);
    await chat.ask("write hello");
    await rig.happens("attempt_judged", 2);
    expect(rig.inputs()).toEqual(["write hello"]);
    const [, feedback] = rig.calls("work");
    expect(feedback?.prompt).toContain("not yet");
    expect(rig.calls("review")[0]).toMatchObject({
      agent: "codex",
      resumed: rig.calls("start")[0]?.session,
      system: SUPERVISOR,
    });
    expect(await chat.leave()).toBe(0);
  });

  test("opencode, which does not report its inputs: they are seen; another agent reviews, from outside", async () => {
    const rig = chatRig({ reviews: [{ say: "not yet" }, {}] });
    const chat = new LiveChat(rig, ["--agent", "opencode", "--reviewer", "claude"]);
    await chat.shows("Ask anything");
    chat.press("write hello");
    await chat.shows(/^ {2}┃ {2}write hello$/m);
    chat.press("\r");
    await rig.happens("attempt_judged", 2);
    expect(rig.inputs()).toEqual(["write hello"]);
    expect(rig.calls("work")[1]?.prompt).toContain("not yet");
    expect(rig.calls("review")[0]).toMatchObject({ agent: "claude", resumed: null, system: SUPERVISOR });
    chat.press("\u0003");
    chat.press("\u0003");
    expect(await chat.ended).toBe(0);
  });
});
