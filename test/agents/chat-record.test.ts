import fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ChatAdapter, ChatNews, RecordPlace } from "../../src/agents/chat.ts";
import { codexChat } from "../../src/agents/chat-codex.ts";
import { geminiChat } from "../../src/agents/chat-gemini.ts";
import { opencodeChat } from "../../src/agents/chat-opencode.ts";
import { goldenFile } from "./chat-golden.ts";

const CWD = "/home/me/work";
const MULTI = "line one\nline /two with @file.txt\n\n  indented 漢字 wide\nlast line ends in @file.txt";

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-16T02:00:00Z"), toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A home directory with growing session files, and the news that each look finds. */
class Home {
  readonly path = fs.mkdtempSync(join(tmpdir(), "home-"));
  readonly #adapter: ChatAdapter;
  readonly #since: Date;
  #place: RecordPlace | null = null;

  constructor(adapter: ChatAdapter, since: string) {
    this.#adapter = adapter;
    this.#since = new Date(since);
    onTestFinished(() => fs.rmSync(this.path, { recursive: true }));
  }

  write(path: string, text: string, at = "2026-11-16T02:00:00Z"): void {
    const file = join(this.path, path);
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    fs.utimesSync(file, new Date(at), new Date(at));
  }

  look(cwd = CWD): readonly ChatNews[] {
    const found = this.#adapter.record?.({ cwd, env: { HOME: this.path }, since: this.#since }, this.#place);
    this.#place = found?.place ?? null;
    return found?.news ?? [];
  }
}

/** In the directory of the day, by the local clock. */
function rolloutPath(name: string): string {
  const day = new Date(Number.parseInt(name.slice(28).replace("-", "").slice(0, 12), 16));
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) =>
    String(part).padStart(2, "0"),
  );
  return join(".codex", "sessions", ...parts, name);
}

describe("the record of codex", () => {
  const TURNS = "rollout-2026-11-16T01-34-40-01a1e1fd-fb4c-7112-ba5f-01b53bfb5839.jsonl";
  const FAILED = "rollout-2026-11-16T01-50-29-01a1e20c-72f2-78d3-be82-ea10b618473a.jsonl";
  const turns = fs.readFileSync(goldenFile("codex", TURNS), "utf8");
  const failed = fs.readFileSync(goldenFile("codex", FAILED), "utf8");
  const session = "01a1e1fd-fb4c-7112-ba5f-01b53bfb5839";
  const input = (text: string): ChatNews => ({ kind: "input", session, text });
  const ended: ChatNews = { kind: "turn_ended", session, message: "A5", failed: false };
  const all = [
    { kind: "session", id: session },
    input("first"),
    input("queued q"),
    input(MULTI),
    ended,
    input("immediate\nenter"),
    ended,
  ];

  test("inputs and the ends of turns", () => {
    const home = new Home(codexChat, "2026-11-16T01:34:00Z");
    expect(home.look()).toEqual([]);
    home.write(rolloutPath(TURNS), turns);
    expect(home.look()).toEqual(all);
    expect(home.look()).toEqual([]);
  });

  test("however it is cut, each news appears exactly once", () => {
    const home = new Home(codexChat, "2026-11-16T01:34:00Z");
    const told: ChatNews[] = [];
    for (let length = 0; length < turns.length + 97; length += 97) {
      home.write(rolloutPath(TURNS), turns.slice(0, length));
      told.push(...home.look());
    }
    expect(told).toEqual(all);
  });

  test("a turn that was broken off, and one that failed", () => {
    const home = new Home(codexChat, "2026-11-16T01:34:00Z");
    home.write(rolloutPath(FAILED), failed);
    const over = { kind: "turn_ended", message: null, failed: true };
    expect(home.look()).toMatchObject([{ kind: "session" }, { text: "hang" }, over, { text: "fail" }, over]);
  });

  test("skips a line that is too long", () => {
    const home = new Home(codexChat, "2026-11-16T01:34:00Z");
    const [meta = "", ...rest] = turns.split("\n");
    home.write(rolloutPath(TURNS), [meta, `{"output":"${"x".repeat(5_000_000)}"}`, ...rest].join("\n"));
    const told = [...home.look(), ...home.look(), ...home.look(), ...home.look()];
    expect(told).toEqual(all);
  });

  test("ignores sessions of another directory, without a terminal, or old ones", () => {
    const home = new Home(codexChat, "2026-11-16T01:34:00Z");
    home.write(rolloutPath(TURNS), turns);
    expect(home.look("/home/me")).toEqual([]);
    home.write(rolloutPath(TURNS), turns.replace('"source":"cli"', '"source":"exec"'));
    expect(home.look()).toEqual([]);
    home.write(rolloutPath(TURNS), turns, "2026-11-16T01:00:00Z");
    expect(home.look()).toEqual([]);
  });

  test("the person changes to another session", () => {
    const home = new Home(codexChat, "2026-11-16T01:34:00Z");
    home.write(rolloutPath(TURNS), turns, "2026-11-16T01:55:00Z");
    expect(home.look()).toHaveLength(all.length);
    home.write(rolloutPath(FAILED), failed, "2026-11-16T01:56:00Z");
    expect(home.look()[0]).toMatchObject({ kind: "session", id: "01a1e20c-72f2-78d3-be82-ea10b618473a" });
  });

  test("an old session that continues: only new lines count", () => {
    vi.setSystemTime(new Date("2027-03-01T10:05:00Z"));
    const home = new Home(codexChat, "2027-03-01T10:00:00Z");
    const added = turns
      .trimEnd()
      .split("\n")
      .at(-1)
      ?.replace("2026-11-16", "2027-03-01")
      .replace("T01:", "T10:");
    home.write(rolloutPath(TURNS), `${turns}${added}\n`, "2027-03-01T10:04:00Z");
    expect(home.look()).toEqual([]);
    home.write(".codex/history.jsonl", `{"session_id":"${session}","ts":1803895440,"text":"go on"}\n`);
    expect(home.look()).toEqual([{ kind: "session", id: session }, ended]);
  });
});

describe("the record of gemini", () => {
  const golden = (id: string): readonly [name: string, text: string, log: string] => {
    const dir = dirname(goldenFile("gemini", "x"));
    const name = fs.readdirSync(dir).find((file) => file.endsWith(`-${id}.jsonl`)) ?? "";
    return [
      name,
      fs.readFileSync(join(dir, name), "utf8"),
      fs.readFileSync(join(dir, `logs-${id}.json`), "utf8"),
    ];
  };
  const put = (home: Home, [name, text, log]: ReturnType<typeof golden>): void => {
    home.write(".gemini/projects.json", JSON.stringify({ projects: { [CWD]: "work" } }));
    home.write(`.gemini/tmp/work/chats/${name}`, text);
    home.write(".gemini/tmp/work/logs.json", log);
  };

  test("reports inputs as typed, and the ends of turns", () => {
    const home = new Home(geminiChat, "2026-11-16T01:38:00Z");
    expect(home.look()).toEqual([]);
    put(home, golden("bbd693a0"));
    const session = "bbd693a0-3c37-4c64-9ddd-24788042f640";
    const input = (text: string): ChatNews => ({ kind: "input", session, text });
    const ended = (message: string): ChatNews => ({ kind: "turn_ended", session, message, failed: false });
    expect(home.look()).toEqual([
      { kind: "session", id: session },
      input("first"),
      ended("A1 live"),
      input("queued q"),
      ended("A2 live"),
      input(MULTI),
      ended("A3 live"),
    ]);
    expect(home.look()).toEqual([]);
  });

  test("tool calls are neither inputs nor ends", () => {
    const home = new Home(geminiChat, "2026-11-16T01:38:00Z");
    put(home, golden("3de8bd92"));
    expect(home.look()).toMatchObject([
      { kind: "session" },
      { text: "go" },
      { message: "Done answer.", failed: false },
    ]);
  });

  test("text before a tool call is not its final message", () => {
    const home = new Home(geminiChat, "2026-11-16T01:38:00Z");
    const [name, text, log] = golden("3de8bd92");
    const calls = text
      .split("\n")
      .filter((line) => !line.includes('"type":"gemini"') || line.includes("toolCalls"));
    put(home, [name, calls.join("\n").replaceAll('"content":"",', '"content":"Let me see.",'), log]);
    expect(home.look()).toMatchObject([{ kind: "session" }, { text: "go" }]);
  });

  test("a turn that was broken off, and one that failed", () => {
    const home = new Home(geminiChat, "2026-11-16T01:38:00Z");
    put(home, golden("f6ffd129"));
    const over = { kind: "turn_ended", message: null, failed: true };
    expect(home.look()).toMatchObject([{ kind: "session" }, { text: "hang" }, over, { text: "fail" }, over]);
  });

  test("a session without newly typed input is not ours", () => {
    const home = new Home(geminiChat, "2026-11-16T01:45:00Z");
    put(home, golden("bbd693a0"));
    expect(home.look()).toEqual([]);
    const typed = new Home(geminiChat, "2026-11-16T01:38:00Z");
    const [name, text] = golden("3de8bd92");
    put(typed, golden("bbd693a0"));
    // Like a review's session: later, and without a terminal.
    typed.write(`.gemini/tmp/work/chats/${name}`, text);
    expect(typed.look()[0]).toMatchObject({ kind: "session", id: "bbd693a0-3c37-4c64-9ddd-24788042f640" });
  });
});

describe("the record of opencode", () => {
  const LOG = ".local/share/opencode/log/opencode.log";
  const log = fs.readFileSync(goldenFile("opencode", "opencode.log"), "utf8");
  const first = "ses_e1dfce424ffehYi0ZZZJrAyXas";
  const began: ChatNews = { kind: "session", id: first };
  const ended: ChatNews = { kind: "turn_ended", session: first, message: null, failed: false };

  test("the first process that began in the directory is ours, and no other", () => {
    const home = new Home(opencodeChat, "2026-11-16T01:40:00Z");
    expect(home.look()).toEqual([]);
    home.write(LOG, log);
    expect(home.look()).toEqual([began, ended, began, ended, began, ended]);
    expect(home.look()).toEqual([]);
  });

  test("earlier sessions are not ours; an interrupted turn", () => {
    const home = new Home(opencodeChat, "2026-11-16T01:50:00Z");
    home.write(LOG, log);
    const session = "ses_e1df1be99ffero5cYxxUuvLEEN";
    expect(home.look()).toEqual([
      { kind: "session", id: session },
      { kind: "turn_ended", session, message: null, failed: true },
      { kind: "session", id: session },
    ]);
  });

  test("however it is cut, each news appears exactly once", () => {
    const home = new Home(opencodeChat, "2026-11-16T01:40:00Z");
    const told: ChatNews[] = [];
    for (let length = 0; length < log.length + 97; length += 97) {
      home.write(LOG, log.slice(0, length));
      told.push(...home.look());
    }
    expect(told).toEqual([began, ended, began, ended, began, ended]);
  });

  test("a directory with a space, and another one", () => {
    const home = new Home(opencodeChat, "2026-11-16T01:40:00Z");
    home.write(LOG, log.replaceAll("directory=/home/me/work", 'directory="/home/me/my work"'));
    expect(home.look(CWD)).toEqual([]);
    const other = new Home(opencodeChat, "2026-11-16T01:40:00Z");
    other.write(LOG, log.replaceAll("directory=/home/me/work", 'directory="/home/me/my work"'));
    expect(other.look("/home/me/my work")).toHaveLength(6);
  });
});
