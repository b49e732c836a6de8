import { describe, expect, test } from "vitest";
import { opencode } from "../../src/agents/opencode.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, recordedTable } from "./golden-tests.ts";

goldenTests(opencode, "opencode", recordedTable("opencode"), /"reason":"stop"/);

function reader(...lines: readonly object[]): ReturnType<typeof readerOf> {
  const made = readerOf(opencode);
  for (const line of lines) made.push("stdout", Buffer.from(`${JSON.stringify(line)}\n`));
  return made;
}

const text = (messageID: string, said: string): object => ({ type: "text", part: { messageID, text: said } });
const FINISH = { type: "step_finish", part: { reason: "stop" } };
const EXITED = { kind: "exited", code: 0 } as const;

describe("opencode: lines no recording has", () => {
  test("the last message is all its parts", () => {
    const lines = [text("m1", "I will look"), text("m2", "It is"), text("m2", "done.")];
    expect(reader(...lines, FINISH).end(EXITED).finalText).toBe("It is\ndone.");
  });

  test("when to come back", () => {
    const data = { message: "slow down", statusCode: 429, responseHeaders: { "retry-after": "90" } };
    const { failure } = reader({ type: "error", error: { name: "APIError", data } }).end({
      kind: "exited",
      code: 1,
    });
    expect(failure).toMatchObject({ class: "rate_limited", retryAt: "2026-11-15T10:01:30.000Z" });
  });

  test("after a step it has said its last word, unless another one begins", () => {
    expect(reader(FINISH).finished()).toBe(true);
    expect(reader(FINISH, { type: "step_start" }).finished()).toBe(false);
  });

  test("answers that break off again and again end it, unless one is whole", () => {
    const START = { type: "step_start" };
    const CUT = { type: "step_finish", part: { reason: "unknown" } };
    expect(reader(START, START, START, START).finished()).toBe(false);
    const cut = reader(START, START, START, START, START);
    expect(cut.finished()).toBe(true);
    expect(cut.end({ kind: "finished" }).failure?.class).toBe("unreachable");
    expect(reader(START, CUT, START, CUT, START, CUT, START, CUT).finished()).toBe(true);
    const whole = reader(START, START, START, START, START, text("m1", "Done."), FINISH);
    expect(whole.end(EXITED)).toMatchObject({ failure: null, finalText: "Done." });
    expect(reader(START, CUT).end(EXITED).failure?.class).toBe("unreachable");
  });

  test("tries to connect end it, unless it gets an answer", () => {
    const failed = Buffer.from(
      'level=ERROR message="stream error" agent=build error.error="AI_APICallError: Cannot connect to API: no"\n',
    );
    const trying = reader();
    for (const _ of [1, 2, 3]) trying.push("stderr", failed);
    expect(trying.finished()).toBe(false);
    trying.push("stderr", failed);
    expect(trying.finished()).toBe(true);
    trying.push("stdout", Buffer.from('{"type":"step_start"}\n'));
    expect(trying.finished()).toBe(false);
  });

  test.each([
    ["1 byte", 1],
    ["8 KB", 8192],
  ])("long error lines in chunks of %s count once each", (_, size) => {
    const failed = (url: string): Buffer =>
      Buffer.from(
        `level=ERROR message="stream error" agent=build error.error="AI_APICallError: Cannot connect to API: é ${url}"\n`,
      );
    const trying = reader();
    const pushAll = (bytes: Buffer): void => {
      for (let at = 0; at < bytes.length; at += size) trying.push("stderr", bytes.subarray(at, at + size));
    };
    const long = failed("x".repeat(5000));
    pushAll(Buffer.concat([long, long, long, long.subarray(0, -1)]));
    expect(trying.finished()).toBe(false);
    pushAll(Buffer.from("\n"));
    expect(trying.finished()).toBe(true);
    expect(trying.end({ kind: "finished" }).failure).toMatchObject({
      class: "unreachable",
      message: expect.stringContaining("Cannot connect to API: é xxx"),
    });
  });

  test("an error line of megabytes counts", () => {
    const trying = reader();
    const start = Buffer.from(
      'level=ERROR message="stream error" agent=build error.error="AI_APICallError: Cannot connect to API: ',
    );
    for (const _ of [1, 2, 3, 4]) {
      trying.push("stderr", start);
      for (let part = 0; part < 4; part += 1) trying.push("stderr", Buffer.alloc(1024 * 1024, "x"));
      trying.push("stderr", Buffer.from('"\n'));
    }
    expect(trying.finished()).toBe(true);
  });

  test("a summary of a compacted session is not its final message", () => {
    const overflow = {
      type: "error",
      error: { name: "ContextOverflowError", data: { message: "too long" } },
    };
    const lines = [overflow, { type: "step_start" }, text("m1", "so far"), FINISH];
    expect(reader(...lines).finished()).toBe(false);
    expect(reader(...lines).end(EXITED).failure?.class).toBe("own_limit");
  });

  test("calls that failed before the model answered are no cause of a later hang", () => {
    const hung = readerOf(opencode);
    hung.push(
      "stderr",
      Buffer.from('level=ERROR message="stream error" a=b error.error="Too many requests"\n'),
    );
    hung.push("stdout", Buffer.from('{"type":"step_start","part":{}}\n'));
    expect(hung.end({ kind: "timeout", afterMs: 1000 }).failure?.class).toBe("timeout");
  });

  test("its actions and its usage so far", () => {
    const state = { status: "completed", input: { command: "npm test" } };
    const tokens = { input: 10, output: 2, reasoning: 3, cache: { read: 7, write: 5 } };
    const running = reader(
      { type: "tool_use", part: { tool: "bash", callID: "1", state } },
      { type: "step_finish", part: { reason: "tool-calls", tokens, cost: 0.5 } },
    );
    expect(running.activity()).toBe("run npm test");
    expect(running.usageSoFar()).toEqual({ input: 15, cached: 7, output: 5, costUsd: 0.5 });
  });
});

describe("opencode: its command", () => {
  const command = (more: Parameters<typeof requestFor>[1]): ReturnType<typeof opencode.command> =>
    opencode.command(requestFor("opencode", more));
  const config = ({ env }: ReturnType<typeof opencode.command>): unknown =>
    JSON.parse(env["OPENCODE_CONFIG_CONTENT"] ?? "null");

  test("a new session", () => {
    const { words, env } = command({});
    expect(words.join(" ")).toBe("opencode run --format=json --print-logs --log-level=ERROR --auto");
    expect(env).toEqual({ OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_PERMISSION: '{"question":"deny"}' });
  });

  test("forked, with a model", () => {
    const options = optionsFor("opencode", { model: "a/b", args: ["--thinking"] });
    expect(command({ options, session: { kind: "fork", id: "s" } }).words.join(" ")).toBe(
      "opencode run --format=json --print-logs --log-level=ERROR --model a/b --session s --fork --auto --thinking",
    );
  });

  test("adds an endpoint as a provider to the person's own", () => {
    const env = { OPENCODE_CONFIG_CONTENT: '{"theme":"x","provider":{"other":{"name":"o"}}}' };
    const made = command({
      options: optionsFor("opencode", { model: "m", endpoint: "http://gate/v1", env }),
    });
    expect(made.words.join(" ")).toContain("--model foreman/m");
    expect(config(made)).toEqual({
      theme: "x",
      provider: {
        other: { name: "o" },
        foreman: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: "http://gate/v1", apiKey: "{env:OPENAI_API_KEY}" },
          models: { m: {} },
        },
      },
    });
  });

  test.each([
    ["read", "foreman-read-only"],
    ["all", "foreman"],
  ] as const)("a system prompt is that of an agent of ours, with %s tools", (tools, name) => {
    const options = optionsFor("opencode", { args: ["--agent", "build"] });
    const made = command({ options, tools, system: "Be strict.", dir: "/turns/7" });
    expect(made.words.filter((word) => word.startsWith("--agent"))).toEqual([`--agent=${name}`]);
    expect(config(made)).toMatchObject({ agent: { [name]: { prompt: "{file:/turns/7/system.md}" } } });
    expect(made.files).toEqual({ "/turns/7/system.md": "Be strict." });
  });

  test("read-only overrides the person's arguments", () => {
    const env = {
      OPENCODE_CONFIG_CONTENT: '{"agent":{"foreman-read-only":{"permission":{"edit":"allow"}}}}',
    };
    const options = optionsFor("opencode", { args: ["--agent", "build", "--auto", "--thinking"], env });
    const made = command({ options, tools: "read" });
    expect(made.words.join(" ")).toBe(
      "opencode run --format=json --print-logs --log-level=ERROR --thinking --pure --agent=foreman-read-only",
    );
    expect(config(made)).toMatchObject({
      agent: {
        "foreman-read-only": { permission: { "*": "deny", edit: "deny", bash: "deny", task: "deny" } },
      },
    });
  });

  test("without tools, calls an agent that may do nothing", () => {
    const made = command({ tools: "none" });
    expect(made.words.slice(-2)).toEqual(["--pure", "--agent=foreman-no-tools"]);
    const { agent } = config(made) as { agent: Record<string, { permission: Record<string, string> }> };
    expect(new Set(Object.values(agent["foreman-no-tools"]?.permission ?? {}))).toEqual(new Set(["deny"]));
  });
});
