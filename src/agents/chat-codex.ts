import { join } from "node:path";
import { boxText, NO_BOX, type ChatAdapter, type ChatNews, type RecordSearch } from "./chat.ts";
import { changedAt, firstBytes, lastLines, namesIn, newsOf } from "./chat-record.ts";
import { provider } from "./codex.ts";
import { isObject, objectIn, parseObject, stringIn, textIn } from "./json-lines.ts";

const HISTORY_BYTES = 256 * 1024;
const META_BYTES = 4096;
const DAY_MS = 86_400_000;
const PLACEHOLDER = "Ask Codex to do anything";
const BUSY = /^\S .*esc to interrupt\)$/;

export const codexChat: ChatAdapter = {
  name: "codex",
  turns: "record",
  reportsInputs: true,
  fork: true,
  pasteMs: 0,

  start({ options, resume }) {
    // Its daemon would do the work outside of our containment, and outlive it, because it serves the person's other chats too.
    const words = [options.program, "-c", "features.daemon_auto_start=false"];
    if (options.model !== null) words.push("--model", options.model);
    if (options.endpoint !== null) words.push(...provider(options.endpoint));
    words.push(...options.args);
    if (resume !== null) words.push("resume", resume);
    return { words, env: options.env };
  },

  /** Reads the file of the most recently used session, because a person may switch at any time. */
  record(where, from) {
    const path = latestRollout(where);
    if (path === null) return { news: [], place: from };
    const id = idOf(path);
    return newsOf(id, path, from, (line) => newsIn(line, id, where.since));
  },

  /** The box has no frame: it begins with the prompt sign above the cursor and ends with the empty row before the last lines. */
  look({ rows, cursor }) {
    const top = rows.findLastIndex((row, at) => at <= cursor.row && /^[›!] ?/.test(row));
    const between = rows.slice(top + 1, cursor.row + 1);
    const last = rows.findLastIndex((row) => row.trim() !== "");
    const bottom = rows.findLastIndex((row, at) => at < last && row.trim() === "");
    // In a question the same sign is before an answer, but the cursor is somewhere below.
    if (top === -1 || bottom <= cursor.row || cursor.col < 2 || between.some((row) => /^\S/.test(row)))
      return NO_BOX;
    const text = boxText(rows.slice(top, bottom).map((row) => row.slice(2).replace(/ {2,}↑$/, "")));
    return {
      busy: rows.slice(0, top).some((row) => BUSY.test(row.trimEnd())),
      draft: text === PLACEHOLDER ? "" : text,
      atStart: cursor.row === top && cursor.col === 2,
    };
  },
};

function latestRollout({ cwd, env, since }: RecordSearch): string | null {
  const home = env["CODEX_HOME"] ?? join(env["HOME"] ?? "", ".codex");
  const recent = daysSince(since).flatMap((day) => rolloutsIn(home, day));
  const found = [...new Set([...recent, ...fromHistory(home, since)])]
    .map((path) => ({ path, at: changedAt(path) ?? 0 }))
    .filter(({ at }) => at >= since.getTime())
    .sort((one, other) => other.at - one.at);
  return found.find(({ path }) => isChatIn(path, cwd))?.path ?? null;
}

/** Resumed sessions of other days: an id begins with the time, which gives the place of the file. */
function fromHistory(home: string, since: Date): readonly string[] {
  return lastLines(join(home, "history.jsonl"), HISTORY_BYTES).flatMap((line) => {
    const [, id, seconds] = /^\{"session_id":"([\da-f-]{36})","ts":(\d+)/.exec(line) ?? [];
    if (id === undefined || Number(seconds) * 1000 < since.getTime() - 1000) return [];
    const begun = Number.parseInt(id.replace("-", "").slice(0, 12), 16);
    return rolloutsIn(home, new Date(begun)).filter((path) => idOf(path) === id);
  });
}

function daysSince(since: Date): readonly Date[] {
  const days = [];
  for (let at = since.getTime(); at < Date.now() + DAY_MS; at += DAY_MS) days.push(new Date(at));
  return days.slice(-3);
}

function rolloutsIn(home: string, day: Date): readonly string[] {
  const parts = [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  const dir = join(home, "sessions", ...parts.map((part) => String(part).padStart(2, "0")));
  return namesIn(dir).flatMap((name) => (name.endsWith(".jsonl") ? [join(dir, name)] : []));
}

function idOf(path: string): string {
  return path.slice(-"01234567-89ab-cdef-0123-456789abcdef.jsonl".length, -".jsonl".length);
}

/** Excludes sessions without a terminal, such as a review. */
function isChatIn(path: string, cwd: string): boolean {
  const meta = firstBytes(path, META_BYTES);
  return meta.includes(`"cwd":${JSON.stringify(cwd)}`) && meta.includes('"source":"cli"');
}

function newsIn(line: string, session: string, since: Date): readonly ChatNews[] {
  if (!/"type":"(?:UserMessage|task_complete|turn_aborted)"/.test(line)) return [];
  const entry = parseObject(line);
  const payload = objectIn(entry, "payload");
  if (Date.parse(stringIn(entry, "timestamp") ?? "") < since.getTime()) return [];
  switch (stringIn(payload, "type")) {
    case "item_completed": {
      const item = objectIn(payload, "item");
      if (item?.["type"] !== "UserMessage") return [];
      return [{ kind: "input", session, text: textIn(item, "content") }];
    }
    case "task_complete": {
      const message = stringIn(payload, "last_agent_message") ?? null;
      return [{ kind: "turn_ended", session, message, failed: isObject(payload?.["error"]) }];
    }
    case "turn_aborted":
      return [{ kind: "turn_ended", session, message: null, failed: true }];
    default:
      return [];
  }
}
