import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { claude } from "../../src/agents/claude.ts";
import { optionsFor, readerOf, requestFor } from "./golden.ts";
import { goldenTests, recordedTable } from "./golden-tests.ts";

const SUCCESS = /"is_error":false/;
goldenTests(claude, "claude", recordedTable("claude"), SUCCESS);
goldenTests(claude, "claude-2.1.197", recordedTable("claude-2.1.197"), SUCCESS);

function reader(...lines: readonly object[]): ReturnType<typeof readerOf> {
  const made = readerOf(claude);
  for (const line of lines) made.push("stdout", Buffer.from(`${JSON.stringify(line)}\n`));
  return made;
}

function assistant(...content: readonly object[]): object {
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 5,
    cache_read_input_tokens: 7,
    output_tokens: 2,
  };
  return { type: "assistant", message: { id: "m1", usage, content } };
}

const DONE = { type: "result", is_error: false, subtype: "success", stop_reason: "end_turn", result: "done" };
const OVER_LIMIT = {
  type: "result",
  is_error: true,
  subtype: "success",
  api_error_status: 429,
  result: "limit",
};
const EXITED = { kind: "exited", code: 0 } as const;

describe("claude: lines no recording has", () => {
  test("an exhausted limit has a reset time", () => {
    const info = { status: "rejected", resetsAt: 1_794_760_000, rateLimitType: "five_hour" };
    const { failure } = reader({ type: "rate_limit_event", rate_limit_info: info }, OVER_LIMIT).end(EXITED);
    expect(failure).toEqual({ class: "quota", message: "limit", retryAt: "2026-11-15T16:26:40.000Z" });
  });

  test("a limit that is only near is no failure", () => {
    const info = { status: "allowed_warning", resetsAt: 1_794_760_000 };
    const { failure } = reader({ type: "rate_limit_event", rate_limit_info: info }, OVER_LIMIT).end(EXITED);
    expect(failure).toMatchObject({ class: "rate_limited", retryAt: null });
  });

  test("a question without an answer", () => {
    const tool_input = { questions: [{ question: "Which colour?" }] };
    const asked = { ...DONE, permission_denials: [{ tool_name: "AskUserQuestion", tool_input }] };
    expect(reader(asked).end(EXITED)).toMatchObject({
      failure: { class: "question", message: "Which colour?" },
      denials: [],
    });
  });

  test("a denied tool is no failure if other work was done", () => {
    const denials = [{ tool_name: "Bash", tool_input: { command: "rm -rf /" } }];
    const summary = reader(
      assistant({ type: "tool_use", id: "t1", name: "Edit", input: { file_path: "src/a.ts" } }),
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1" }] } },
      assistant({ type: "text", text: "done" }),
      { ...DONE, permission_denials: denials },
    ).end(EXITED);
    expect(summary).toMatchObject({
      failure: null,
      filesTouched: ["src/a.ts"],
      denials: [{ tool: "Bash", about: "rm -rf /" }],
    });
  });

  test("an error in the guise of a message is no answer", () => {
    const retry = {
      type: "system",
      subtype: "api_retry",
      attempt: 1,
      error_status: 429,
      error: "rate_limit",
    };
    const killed = reader(retry, { ...assistant({ type: "text", text: "API Error" }), error: "rate_limit" });
    expect(killed.end({ kind: "timeout", afterMs: 1000 })).toMatchObject({
      failure: { class: "rate_limited" },
      usage: null,
    });
  });

  test("a service that does not answer at all is unreachable", () => {
    const retry = { type: "system", subtype: "api_retry", attempt: 1, error_status: null, error: "unknown" };
    expect(reader(retry).end({ kind: "stalled", afterMs: 1000 }).failure?.class).toBe("unreachable");
  });

  test("a subagent's text is not the last word", () => {
    const subagent = { ...assistant({ type: "text", text: "aside" }), parent_tool_use_id: "t1" };
    const { result: _, ...unreported } = DONE;
    const lines = [assistant({ type: "text", text: "mine" }), subagent, unreported];
    expect(reader(...lines).end(EXITED).finalText).toBe("mine");
  });

  test("text before a tool call, or before an empty answer, is not its last word", () => {
    const words = assistant({ type: "text", text: "GA_STATUS=DONE" });
    const call = assistant({ type: "tool_use", id: "t1", name: "Bash", input: { command: "x" } });
    const empty = assistant({ type: "text", text: "" });
    expect(reader(words, call, empty, { ...DONE, result: "" }).end(EXITED).finalText).toBe("");
    expect(reader(words, { ...DONE, result: "" }).end(EXITED).finalText).toBe("");
  });

  test("ignores a result that the agent's program forged", () => {
    const init = { type: "system", subtype: "init", session_id: "mine" };
    const call = assistant({ type: "tool_use", id: "t1", name: "Bash", input: { command: "x" } });
    const foreign = reader(init, { ...DONE, session_id: "other" });
    expect(foreign.finished()).toBe(false);
    const early = reader(init, call, { ...DONE, session_id: "mine" });
    expect(early.finished()).toBe(false);
    expect(early.end(EXITED).failure?.class).toBe("protocol");
  });

  test("a shell command that ran counts as work, whatever else was denied", () => {
    const call = assistant({ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } });
    const denied = assistant({ type: "tool_use", id: "t2", name: "Bash", input: { command: "curl x" } });
    const done = { ...DONE, permission_denials: [{ tool_name: "Bash", tool_input: { command: "curl x" } }] };
    const words = assistant({ type: "text", text: "done" });
    expect(reader(call, denied, words, done).end(EXITED).failure).toBeNull();
    expect(reader(denied, words, done).end(EXITED).failure?.class).toBe("permission");
  });

  test("an excuse instead of an answer is a service failure, if nothing was done", () => {
    const excuse = { ...DONE, result: "You've hit your limit · resets 3am (UTC)" };
    expect(reader(excuse).end(EXITED).failure?.class).toBe("quota");
    const call = assistant({ type: "tool_use", id: "t1", name: "Bash", input: { command: "x" } });
    expect(reader(call, assistant({ type: "text", text: "x" }), excuse).end(EXITED).failure).toBeNull();
    const essay = { ...DONE, result: `You've hit your limit · resets 3am (UTC)\n${"More. ".repeat(200)}` };
    expect(reader(essay).end(EXITED).failure).toBeNull();
  });

  test.each([
    ["a success with the status of an error", { api_error_status: 500 }, "overloaded"],
    ["a message that was cut off", { stop_reason: "max_tokens" }, "own_limit"],
    [
      "words of a test in an error of its own",
      {
        is_error: true,
        subtype: "error_during_execution",
        result: undefined,
        errors: ["the test printed: rate limit exceeded"],
      },
      "crashed",
    ],
  ])("%s", (_, fields, kind) => {
    expect(reader({ ...DONE, ...fields }).end(EXITED).failure?.class).toBe(kind);
  });

  test("uses the turn's own numbers if the models' are missing", () => {
    const reported = {
      ...DONE,
      modelUsage: undefined,
      total_cost_usd: 0.5,
      usage: { input_tokens: 100, output_tokens: 20 },
    };
    expect(reader(reported).end(EXITED).usage).toEqual({ input: 100, cached: 0, output: 20, costUsd: 0.5 });
  });

  test("names at most 200 files", () => {
    const edits = Array.from({ length: 300 }, (_, n) => [
      assistant({ type: "tool_use", id: `t${n}`, name: "Write", input: { file_path: `f${n}` } }),
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: `t${n}` }] } },
    ]);
    expect(reader(...edits.flat(), DONE).end(EXITED).filesTouched).toHaveLength(200);
  });

  test("an older version's limit of turns is no success although it is called no error", () => {
    const { failure } = reader({ ...DONE, subtype: "error_max_turns" }).end(EXITED);
    expect(failure?.class).toBe("own_limit");
  });

  test("a result without an error field is not trusted", () => {
    expect(reader({ type: "result", result: "done" }).end(EXITED).failure?.class).toBe("crashed");
  });

  test("a refusal is one although it is called no error", () => {
    expect(reader({ ...DONE, stop_reason: "refusal" }).end(EXITED).failure?.class).toBe("refused");
  });

  test("its actions and its usage so far", () => {
    const running = reader(
      assistant({ type: "text", text: "let me see" }),
      assistant({ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm  test" } }),
    );
    expect(running.activity()).toBe("run npm test");
    expect(running.usageSoFar()).toEqual({ input: 15, cached: 7, output: 2, costUsd: null });
    expect(running.finished()).toBe(false);
  });

  test("it has said its last word with its result", () => {
    expect(reader(DONE).finished()).toBe(true);
    expect(reader(DONE, assistant({ type: "text", text: "but" })).finished()).toBe(false);
  });

  test("a very long final message keeps its end", () => {
    const { finalText } = reader({ ...DONE, result: `${"x".repeat(2 ** 21)}THE END` }).end(EXITED);
    expect(finalText).toHaveLength(2 ** 20);
    expect(finalText.endsWith("THE END")).toBe(true);
  });
});

describe("claude: its command", () => {
  const words = (more: Parameters<typeof requestFor>[1]): string =>
    claude.command(requestFor("claude", more)).words.join(" ");

  test("a new session", () => {
    expect(words({})).toBe(
      "claude --print --output-format=stream-json --verbose --dangerously-skip-permissions",
    );
  });

  test("passes every option", () => {
    const options = optionsFor("/opt/claude", { model: "opus", args: ["--effort", "high"] });
    expect(words({ options, session: { kind: "fork", id: "1" }, maxCostUsd: 1.5 })).toBe(
      "/opt/claude --print --output-format=stream-json --verbose --model opus --resume 1 --fork-session --no-session-persistence --max-budget-usd 1.5 --dangerously-skip-permissions --effort high",
    );
  });

  test("a person who wants permissions kept has them kept", () => {
    const options = optionsFor("claude", { args: ["--permission-mode=acceptEdits"] });
    expect(words({ options })).not.toContain("--dangerously-skip-permissions");
  });

  test("read-only overrides the person's arguments", () => {
    const args = ["--tools", "Bash", "Write", "--dangerously-skip-permissions", "--effort", "high"];
    expect(words({ options: optionsFor("claude", { args }), tools: "read" })).toBe(
      'claude --print --output-format=stream-json --verbose --effort high --permission-mode=dontAsk --tools=Read,Grep,Glob --strict-mcp-config --setting-sources=user --settings={"disableAllHooks":true}',
    );
  });

  test("without tools, the person's servers are not offered either", () => {
    const args = ["--mcp-config", "a.json", "b.json", "--tools", "Bash", "--effort", "high"];
    expect(words({ options: optionsFor("claude", { args }), tools: "none" })).toBe(
      'claude --print --output-format=stream-json --verbose --effort high --permission-mode=dontAsk --tools= --strict-mcp-config --setting-sources=user --settings={"disableAllHooks":true}',
    );
  });

  test("a system prompt is a file, and takes the place of the person's own", () => {
    const options = optionsFor("claude", { args: ["--system-prompt", "mine", "--effort", "high"] });
    const made = claude.command(requestFor("claude", { options, system: "Be strict.", dir: "/turns/7" }));
    expect(made.words.join(" ")).toBe(
      "claude --print --output-format=stream-json --verbose --system-prompt-file /turns/7/system.md --dangerously-skip-permissions --effort high",
    );
    expect(made.files).toEqual({ "/turns/7/system.md": "Be strict." });
  });

  test.each([
    [
      "a version that would keep the session's first one",
      "--system-prompt-snapshot <on|off>",
      " --system-prompt-snapshot=off",
    ],
    ["a version that knows nothing of that", "--system-prompt <prompt>", ""],
  ])("a session gets another system prompt: %s", (_, help, added) => {
    const dir = fs.mkdtempSync(join(tmpdir(), "claude "));
    onTestFinished(() => fs.rmSync(dir, { recursive: true }));
    const program = join(dir, "claude");
    const script = `#!/bin/sh\nif [ "$*" = --help ]; then echo "${help}"; else echo "$@"; fi\n`;
    fs.writeFileSync(program, script, { mode: 0o755 });
    const session = { kind: "fork", id: "1" } as const;
    const { words: all } = claude.command(
      requestFor(program, { options: optionsFor(program), session, system: "x", dir: "/turns/7" }),
    );
    const { stdout } = spawnSync(all[0] ?? "", all.slice(1), { encoding: "utf8" });
    expect(stdout).toBe(
      `--print --output-format=stream-json --verbose --resume 1 --fork-session --no-session-persistence --system-prompt-file /turns/7/system.md --dangerously-skip-permissions${added}\n`,
    );
  });

  test("the environment: a person's own values win", () => {
    const options = optionsFor("claude", { endpoint: "http://gate", env: { DISABLE_AUTOUPDATER: "0" } });
    const { env } = claude.command(requestFor("claude", { options }));
    expect(env).toMatchObject({ ANTHROPIC_BASE_URL: "http://gate", DISABLE_AUTOUPDATER: "0" });
    expect(env["IS_SANDBOX"]).toBe(process.getuid?.() === 0 ? "1" : undefined);
  });
});
