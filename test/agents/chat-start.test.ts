import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentOptions } from "../../src/agents/adapter.ts";
import { pasteOf, type ChatAdapter } from "../../src/agents/chat.ts";
import { claudeChat } from "../../src/agents/chat-claude.ts";
import { codexChat } from "../../src/agents/chat-codex.ts";
import { geminiChat } from "../../src/agents/chat-gemini.ts";
import { opencodeChat } from "../../src/agents/chat-opencode.ts";
import { chatAdapterFor } from "../../src/agents/chat-registry.ts";
import { goldenFile } from "./chat-golden.ts";
import { optionsFor } from "./golden.ts";

const HOME = fs.mkdtempSync(join(tmpdir(), "chat-start-"));

function start(
  adapter: ChatAdapter,
  more: Partial<AgentOptions> = {},
  resume: string | null = null,
  news = "/runs/1/news",
): ReturnType<ChatAdapter["start"]> {
  const options = optionsFor(adapter.name, more);
  return adapter.start({
    ...{ options, resume, cwd: join(HOME, "work"), dir: "/runs/1", news },
    ...{ status: "/runs/1/status", env: { HOME } },
  });
}

const words = (...args: Parameters<typeof start>): string => start(...args).words.join(" ");

describe("an agent in a terminal: how it is started", () => {
  test("claude: its hooks are a plugin of ours, the person's own settings stay", () => {
    expect(words(claudeChat, { args: ["--settings", "mine.json", "do it"] })).toBe(
      "claude --plugin-dir /runs/1/claude-plugin --settings mine.json do it",
    );
    expect(words(claudeChat, { model: "opus" }, "1")).toBe(
      "claude --plugin-dir /runs/1/claude-plugin --settings /runs/1/claude-settings.json --model opus --resume 1",
    );
    expect(start(claudeChat, { endpoint: "http://gate", env: { A: "b" } }).env).toEqual({
      ANTHROPIC_BASE_URL: "http://gate",
      A: "b",
    });
  });

  test.each([
    ["the person's", ".claude/settings.json"],
    ["the project's", "work/.claude/settings.json"],
    ["the person's for this project", "work/.claude/settings.local.json"],
  ])("claude: our status line, unless there is one already: %s", (_, name) => {
    expect(JSON.parse(start(claudeChat).files?.["/runs/1/claude-settings.json"] ?? "")).toEqual({
      statusLine: {
        type: "command",
        command: "cat '/runs/1/status' 2>/dev/null; exit 0",
        refreshInterval: 2,
      },
    });
    const path = join(HOME, name);
    onTestFinished(() => fs.rmSync(path));
    fs.mkdirSync(join(path, ".."), { recursive: true });
    fs.writeFileSync(path, "{ broken");
    expect(words(claudeChat)).toContain("--settings");
    fs.writeFileSync(path, JSON.stringify({ statusLine: { type: "command", command: "date" } }));
    expect(words(claudeChat)).toBe("claude --plugin-dir /runs/1/claude-plugin");
  });

  test("codex works by itself, not through its daemon", () => {
    expect(words(codexChat, { args: ["--search"] })).toBe(
      "codex -c features.daemon_auto_start=false --search",
    );
    expect(words(codexChat, { model: "gpt" }, "1")).toBe(
      "codex -c features.daemon_auto_start=false --model gpt resume 1",
    );
    expect(words(codexChat, { endpoint: "http://gate/v1" })).toContain('base_url="http://gate/v1"');
  });

  test("gemini", () => {
    expect(words(geminiChat, { model: "flash", args: ["--yolo"] }, "1")).toBe(
      "gemini --model flash --resume 1 --yolo",
    );
    expect(start(geminiChat, { endpoint: "http://gate" }).env).toEqual({
      GOOGLE_GEMINI_BASE_URL: "http://gate",
    });
  });

  test("opencode writes the log that is read", () => {
    expect(words(opencodeChat, { model: "a/b" }, "1")).toBe(
      "opencode --log-level=INFO --model a/b --session 1",
    );
    expect(words(opencodeChat, { args: ["--log-level", "DEBUG"] })).toBe("opencode --log-level DEBUG");
    const { env } = start(opencodeChat, { model: "m", endpoint: "http://gate/v1", env: { A: "b" } });
    expect(env["A"]).toBe("b");
    expect(env["OPENCODE_CONFIG_CONTENT"]).toContain('"baseURL":"http://gate/v1"');
  });

  test("of others it is not known how", () => {
    expect(chatAdapterFor("claude")).toBe(claudeChat);
    expect(chatAdapterFor("qwen")).toBeNull();
  });
});

describe("claude: its hooks", () => {
  const place = (): string => {
    const news = fs.mkdtempSync(join(tmpdir(), "it's $HOME "));
    onTestFinished(() => fs.rmSync(news, { recursive: true, force: true }));
    return news;
  };
  const commands = (news: string): readonly string[] => {
    const [text = ""] = Object.values(start(claudeChat, {}, null, news).files ?? {});
    return [...text.matchAll(/"command":("(?:[^"\\]|\\.)*")/g)].map(
      ([, json]) => JSON.parse(json ?? "") as string,
    );
  };
  const run = (command: string, input: string): ReturnType<typeof spawnSync> =>
    spawnSync("/bin/sh", ["-c", command], { input, encoding: "utf8" });

  test("a message is in its own file, appears only when complete, and prints nothing", () => {
    const news = place();
    for (const command of commands(news))
      expect(run(command, '{"a":"ä"}')).toMatchObject({ status: 0, stdout: "", stderr: "" });
    const names = fs.readdirSync(news);
    expect(names).toHaveLength(4);
    for (const name of names) {
      expect(name).toMatch(/^\d+-\d+\.json$/);
      expect(fs.readFileSync(join(news, name), "utf8")).toBe('{"a":"ä"}');
    }
  });

  test("the agent continues without us if the directory is gone", () => {
    const news = place();
    fs.rmSync(news, { recursive: true });
    for (const command of commands(news))
      expect(run(command, "x".repeat(200_000))).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test("news in the recorded messages", () => {
    const lines = fs.readFileSync(goldenFile("claude", "hooks.jsonl"), "utf8").trimEnd().split("\n");
    const news = lines.flatMap((line) => claudeChat.hook?.(JSON.parse(line)) ?? []);
    const [first, second] = ["173ebc", "ef6502"].map((id) => expect.stringMatching(`^${id}`) as string);
    expect(news.slice(0, 4)).toEqual([
      { kind: "session", id: first },
      { kind: "input", session: first, text: "hang please" },
      { kind: "input", session: first, text: "go401" },
      {
        kind: "turn_ended",
        session: first,
        message: "API Error: Request rejected (429) · scripted error 429",
        failed: true,
      },
    ]);
    expect(news).toContainEqual({
      kind: "input",
      session: first,
      text: "line one\nline /two with @file.txt\n\n  indented 漢字 wide\nlast line ends in @file.txt",
    });
    // Compact keeps the session, clear starts another, resume returns to the first.
    expect(news.filter(({ kind }) => kind === "session").map((each) => "id" in each && each.id)).toEqual([
      first,
      first,
      second,
      first,
    ]);
    expect(news.at(-2)).toEqual({ kind: "turn_ended", session: second, message: "A9", failed: false });
  });

  test.each([
    null,
    "Stop",
    [],
    {},
    { hook_event_name: "Stop" },
    { session_id: "1", hook_event_name: "Other" },
  ])("ignores %j", (message) => {
    expect(claudeChat.hook?.(message)).toEqual([]);
  });
});

test("a pasted text cannot end the paste or contain keys", () => {
  expect(pasteOf("one\r\ntwo\rthree\n\tfour")).toBe("\u001B[200~one\ntwo\nthree\n\tfour\u001B[201~");
  expect(pasteOf("a\u001B[201~\u0003b\u007F\u009B201~c")).toBe("\u001B[200~a[201~b201~c\u001B[201~");
});
