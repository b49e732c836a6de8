import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { plainChat } from "../../src/cli/chat-plain.ts";
import type { AgentProfile } from "../../src/core/agent-profile.ts";
import { Failure } from "../../src/platform/failure.ts";
import { profile } from "../rig/story.ts";
import { fakeIo, type FakeIo } from "./fixtures.ts";

/** An agent that is a shell command. */
function agent(io: FakeIo, script: string, more: Partial<AgentProfile> = {}): AgentProfile {
  const program = join(io.home, "..", "agent");
  fs.writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { ...profile("claude"), program, ...more };
}

const PRINT_CALL = 'for word in "$@"; do echo "$word"; done > words; env > env; pwd > where';
const lines = (io: FakeIo, name: string): readonly string[] =>
  fs.readFileSync(join(io.cwd, name), "utf8").trimEnd().split("\n");

describe("C1 the agent is simply started", () => {
  test("with the person's arguments, in the work directory, and without additions", async () => {
    const io = fakeIo();
    expect(await plainChat(agent(io, PRINT_CALL), ["--continue", "a b", ""], io.cwd, io)).toBe(0);
    expect(fs.readFileSync(join(io.cwd, "words"), "utf8")).toBe("--continue\na b\n\n");
    expect(lines(io, "where")).toEqual([io.cwd]);
    const names = new Set(lines(io, "env").map((line) => line.split("=")[0]));
    for (const own of ["_", "PWD", "OLDPWD", "SHLVL"]) names.delete(own);
    expect(names).toEqual(new Set(Object.keys(io.env)));
  });

  test("with the profile's arguments before them", async () => {
    const io = fakeIo({ env: { KEY: "hunter2" } });
    const more = { args: ["--verbose"], model: "big", env: { MINE: "x ${env:KEY}" } };
    await plainChat(agent(io, PRINT_CALL, more), ["-c"], io.cwd, io);
    expect(lines(io, "words")).toEqual(["--model", "big", "--verbose", "-c"]);
    expect(lines(io, "env")).toContain("MINE=x hunter2");
  });

  test("a shell command takes no model", async () => {
    const io = fakeIo();
    const command = {
      adapter: "command",
      command: 'echo "$0 $*" > words',
      program: null,
      model: "m",
    } as const;
    await plainChat({ ...profile("mine"), ...command, args: ["a"] }, ["b"], io.cwd, io);
    expect(lines(io, "words")).toEqual(["a b"]);
  });

  test.each<[string, number]>([
    ["exit 0", 0],
    ["exit 7", 7],
    ["kill -TERM $$", 143],
    ["kill -KILL $$", 137],
  ])("after %j the exit code is %i", async (script, code) => {
    const io = fakeIo();
    expect(await plainChat(agent(io, script), [], io.cwd, io)).toBe(code);
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("%s is passed on to it", async (signal) => {
    const io = fakeIo();
    const script = "trap 'exit 9' TERM HUP; mkfifo held; : > begun; { read line < held; } 2>/dev/null";
    const code = plainChat(agent(io, script), [], io.cwd, io);
    await expect.poll(() => fs.existsSync(join(io.cwd, "begun"))).toBe(true);
    process.emit(signal);
    expect(await code).toBe(9);
  });

  test.each(["SIGINT", "SIGQUIT"] as const)("%s is the agent's affair", async (signal) => {
    const io = fakeIo();
    const before = process.listenerCount(signal);
    const script = "trap 'exit 9' INT QUIT; : > begun; mkfifo held; read line < held; exit 3";
    const code = plainChat(agent(io, script), [], io.cwd, io);
    await expect.poll(() => fs.existsSync(join(io.cwd, "held"))).toBe(true);
    // Without a listener the signal would end this process.
    expect(process.listenerCount(signal)).toBe(before + 1);
    process.emit(signal);
    fs.writeFileSync(join(io.cwd, "held"), "go\n");
    expect(await code).toBe(3);
    expect(process.listenerCount(signal)).toBe(before);
  });
});

describe("commands that cannot start", () => {
  const failure = async (of: AgentProfile, io: FakeIo): Promise<Failure> => {
    try {
      await plainChat(of, [], io.cwd, io);
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
    throw new Error("it was started");
  };

  test("C17 a missing program, with the way to install it", async () => {
    const program = "/nowhere/claude";
    const missing = await failure({ ...profile("claude"), program }, fakeIo());
    expect(missing).toMatchObject({ code: "agent_missing", exitCode: 5 });
    expect(missing.about).toEqual({
      agent: "claude",
      program,
      install: "npm install -g @anthropic-ai/claude-code",
    });
  });

  test("a variable that is not set", async () => {
    const io = fakeIo();
    const needs = agent(io, PRINT_CALL, { env: { A: "${env:UNSET_VARIABLE}" } });
    expect(await failure(needs, io)).toMatchObject({ code: "env_variable_missing" });
  });

  test("an endpoint: without it the words would go to another service", async () => {
    const io = fakeIo();
    const elsewhere = agent(io, PRINT_CALL, { endpoint: "http://localhost:1" });
    expect(await failure(elsewhere, io)).toMatchObject({ code: "chat_endpoint", exitCode: 2 });
    expect(fs.existsSync(join(io.cwd, "words"))).toBe(false);
  });
});
