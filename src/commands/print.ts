import { visible } from "../domain/text.ts";
import { columnsOf, Page, writeQuietly, type Line } from "../reporters/page.ts";
import type { Io } from "./io.ts";

/** C1 codes and what reorders text; JSON itself escapes only C0. */
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const UNSAFE = /[\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** One JSON value. Escaped so that it cannot steer a terminal, it still means the very same text. */
export function printJson(io: Io, value: unknown): void {
  const text = JSON.stringify(value, null, 2);
  const safe = text.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
  writeQuietly(io.stdout, `${safe}\n`);
}

export interface Paper {
  readonly print: (lines: readonly Line[]) => void;
  /** Null: no terminal, and nothing is cut. */
  readonly columns: number | null;
}

/** Standard output, for people. Whatever stands in a journal, nothing printed here can steer the terminal. */
export function openPaper(io: Io): Paper {
  const terminal = isTerminal(io);
  const page = new Page(io.stdout, { terminal, color: wantsColor(io.env, terminal) });
  return {
    print: (lines) => page.print(lines.map(madeSafe)),
    columns: terminal ? columnsOf(io.stdout) : null,
  };
}

function madeSafe(line: Line): Line {
  return { ...line, text: visible(line.text), lead: visible(line.lead ?? "") };
}

function isTerminal({ stdout, env }: Io): boolean {
  return stdout.isTTY && env["TERM"] !== "dumb" && !isOn(env["CI"]);
}

/** NO_COLOR beats FORCE_COLOR. */
function wantsColor(env: NodeJS.ProcessEnv, terminal: boolean): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"] ?? "";
  return forced === "" ? terminal : isOn(forced);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}
