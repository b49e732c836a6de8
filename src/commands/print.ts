import { safeJson, visible } from "../domain/text.ts";
import { columnsOf, Page, writeQuietly, type Line } from "../reporters/page.ts";
import { isTerminal, wantsColor } from "../reporters/terminal.ts";
import type { Io } from "./io.ts";

/** One JSON value. Escaped so that it cannot steer a terminal, it still means the very same text. */
export function printJson(io: Io, value: unknown): void {
  writeQuietly(io.stdout, `${safeJson(JSON.stringify(value, null, 2))}\n`);
}

export interface Paper {
  readonly print: (lines: readonly Line[]) => void;
  /** Null: no terminal, and nothing is cut. */
  readonly columns: number | null;
}

/** Standard output, for people. Whatever stands in a journal, nothing printed here can steer the terminal. */
export function openPaper(io: Io): Paper {
  const terminal = isTerminal(io.stdout, io.env);
  const page = new Page(io.stdout, { terminal, color: wantsColor(io.env, terminal) });
  return {
    print: (lines) => page.print(lines.map(madeSafe)),
    columns: terminal ? columnsOf(io.stdout) : null,
  };
}

function madeSafe(line: Line): Line {
  return { ...line, text: visible(line.text), lead: visible(line.lead ?? "") };
}
