import { join } from "node:path";
import { boxText, NO_BOX, type ChatAdapter, type ChatNews, type RecordSearch } from "./chat.ts";
import { firstBytes, lastLines, namesIn, newsOf } from "./chat-record.ts";
import { listIn, objectIn, parseObject, stringIn, textIn } from "./json-lines.ts";

const INDEX_BYTES = 1024 * 1024;
const LOG_BYTES = 64 * 1024;
const TOP = /^▄{8,}/;
const BOTTOM = /^▀{8,}/;
const PLACEHOLDER = /^ {1,2}Type your message or @path\/to\/file$/;
const BUSY = /\(esc to cancel\b/;
const NEAR = 12;
const CANCELLED = "Request cancelled.";

/** We use no hooks: it shows them on the screen, and needs a file that replaces the machine's own settings. */
export const geminiChat: ChatAdapter = {
  name: "gemini",
  turns: "record",
  reportsInputs: true,
  // It removes sessions that continue elsewhere.
  fork: false,
  // Its own limit is 40 ms, and it may be slow.
  pasteMs: 500,

  start({ options, resume }) {
    const words = [options.program];
    if (options.model !== null) words.push("--model", options.model);
    if (resume !== null) words.push("--resume", resume);
    return {
      words: [...words, ...options.args],
      env: {
        ...(options.endpoint === null ? {} : { GOOGLE_GEMINI_BASE_URL: options.endpoint }),
        ...options.env,
      },
    };
  },

  record(where, from) {
    const dir = projectDir(where);
    const id = dir === null ? null : latestSession(dir, where.since);
    if (dir === null || id === null) return { news: [], place: from };
    const name = namesIn(join(dir, "chats")).find((file) => file.endsWith(`-${id.slice(0, 8)}.jsonl`));
    if (name === undefined) return { news: [], place: from };
    const path = join(dir, "chats", name);
    return newsOf(id, path, from, (line) => newsIn(line, id, where.since));
  },

  /** Earlier messages are in such boxes too, so look for the one with the cursor. */
  look({ rows, cursor }) {
    const top = rows.findLastIndex((row, at) => at < cursor.row && TOP.test(row));
    const bottom = rows.findIndex((row, at) => at > cursor.row && BOTTOM.test(row));
    const box = rows.slice(top + 1, bottom);
    if (top === -1 || bottom === -1 || box.some((row) => TOP.test(row) || BOTTOM.test(row))) return NO_BOX;
    const text = boxText(box.map((row) => row.slice(3)));
    return {
      busy: rows.slice(Math.max(0, top - NEAR), top).some((row) => BUSY.test(row)),
      draft: PLACEHOLDER.test(text) ? "" : text,
      atStart: cursor.row === top + 1 && cursor.col <= 3,
    };
  },
};

/** It gives each directory a short name. */
function projectDir({ cwd, env }: RecordSearch): string | null {
  const home = join(env["GEMINI_CLI_HOME"] ?? env["HOME"] ?? "", ".gemini");
  const projects = objectIn(parseObject(firstBytes(join(home, "projects.json"), INDEX_BYTES)), "projects");
  const name = stringIn(projects, cwd);
  return name === undefined ? null : join(home, "tmp", name);
}

/** The session with the latest typed input: without a terminal, it does not write there. */
function latestSession(dir: string, since: Date): string | null {
  const log = lastLines(join(dir, "logs.json"), LOG_BYTES).join("\n");
  const [, id, time] =
    [...log.matchAll(/"sessionId": "([^"]+)"(?:(?!"sessionId": )[^])*?"timestamp": "([^"]+)"/g)].at(-1) ?? [];
  return id !== undefined && Date.parse(time ?? "") >= since.getTime() ? id : null;
}

function newsIn(line: string, session: string, since: Date): readonly ChatNews[] {
  const entry = parseObject(line);
  if (!(Date.parse(stringIn(entry, "timestamp") ?? "") >= since.getTime())) return [];
  const over = (message: string | null): readonly ChatNews[] => [
    { kind: "turn_ended", session, message, failed: message === null },
  ];
  const said = stringIn(entry, "content");
  switch (stringIn(entry, "type")) {
    case "user": {
      const text = textIn(entry, "displayContent") || textIn(entry, "content");
      return text === "" ? [] : [{ kind: "input", session, text }];
    }
    case "gemini":
      // It writes the message again if a tool call follows; until then the screen shows that it is still busy.
      return said === undefined || said === "" || listIn(entry, "toolCalls").length > 0 ? [] : over(said);
    case "error":
      return over(null);
    case "info":
      return said === CANCELLED ? over(null) : [];
    default:
      return [];
  }
}
