import { join } from "node:path";
import { boxText, NO_BOX, type ChatAdapter, type ChatNews } from "./chat.ts";
import { linesFrom, sizeOf } from "./chat-record.ts";
import { unlessGiven } from "./flags.ts";
import { endpointEnv, modelName } from "./opencode.ts";

/** The log is shared by all its processes; they may write this much between its start and our first look. */
const LOG_BYTES = 1024 * 1024;
const BOTTOM = /^( *)╹▀{8,}/;
const PLACEHOLDER = /^(?:Ask anything|Run a command)(?:…|\.\.\.)/;
const BUSY = /\besc (?:again to )?interrupt\b/;

/** A plugin would report more, but makes it install packages into the person's own directory, and wait for them. */
export const opencodeChat: ChatAdapter = {
  name: "opencode",
  turns: "record",
  reportsInputs: false,
  fork: true,
  pasteMs: 0,

  start({ options, resume }) {
    const words = [options.program, ...unlessGiven(options.args, ["--log-level"], ["--log-level=INFO"])];
    const model = modelName(options);
    if (model !== null) words.push("--model", model);
    if (resume !== null) words.push("--session", resume);
    return { words: [...words, ...options.args], env: { ...options.env, ...endpointEnv(options) } };
  },

  /** Reads our process's lines in the log. Ours is the first process that began in the directory after the start. */
  record({ cwd, env, since }, from) {
    const data = env["XDG_DATA_HOME"] ?? join(env["HOME"] ?? "", ".local", "share");
    const path = join(data, "opencode", "log", "opencode.log");
    const { lines, offset } = linesFrom(path, from?.offset ?? Math.max(0, sizeOf(path) - LOG_BYTES));
    let of = from?.of ?? "";
    const news: ChatNews[] = [];
    for (const line of lines) {
      const [, time = "", run = "", message = ""] =
        /^timestamp=(\S+) .*?\brun=(\w+) message=(.*)$/.exec(line) ?? [];
      if (of === "" && Date.parse(time) >= since.getTime() && isBegunIn(cwd, message)) of = run;
      if (run === of) news.push(...newsIn(message));
    }
    return { news, place: { path, offset, of } };
  },

  /** The box has a bar on its left and a footer: an empty row, the draft, an empty row, and the model. */
  look({ rows, cursor }) {
    const bottom = rows.findIndex((row, at) => at > cursor.row && BOTTOM.test(row));
    const [foot = "", indent = ""] = BOTTOM.exec(rows[bottom] ?? "") ?? [];
    // Its suggestions, such as commands, are right above and have a bar on their right too.
    const isInside = (row: string): boolean => row.startsWith(`${indent}┃`) && !/┃.*┃\s*$/.test(row);
    const top = rows.findLastIndex((row, at) => at < bottom && !isInside(row));
    const left = indent.length + 3;
    if (bottom === -1 || cursor.row <= top || cursor.col < left) return NO_BOX;
    const text = boxText(rows.slice(top + 2, bottom - 2).map((row) => row.slice(left, foot.length)));
    return {
      busy: rows.slice(bottom + 1).some((row) => BUSY.test(row)),
      draft: PLACEHOLDER.test(text) ? "" : text,
      atStart: cursor.row === top + 2 && cursor.col === left,
    };
  },
};

function isBegunIn(cwd: string, message: string): boolean {
  const begun = '"creating instance" directory=';
  return message === `${begun}${cwd}` || message === `${begun}${JSON.stringify(cwd)}`;
}

function newsIn(message: string): readonly ChatNews[] {
  const [, what, session] =
    /^(loop|cancel|"exiting loop") session\.id=(\w+)(?: step=0)?$/.exec(message) ?? [];
  if (session === undefined) return [];
  if (what === "loop") return [{ kind: "session", id: session }];
  return [{ kind: "turn_ended", session, message: null, failed: what === "cancel" }];
}
