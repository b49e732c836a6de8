import { safeJson, visible } from "../text/text.ts";
import { columnsOf, Page, writeQuietly, type Line } from "../ui/page.ts";
import { isTerminal, wantsColor } from "../screens/terminal.ts";
import type { Io } from "./io.ts";

/** Prints one JSON value. Escapes keep it from steering a terminal without changing its meaning. */
export function printJson(io: Io, value: unknown): void {
  writeQuietly(io.stdout, `${safeJson(JSON.stringify(value, null, 2))}\n`);
}

export interface Paper {
  readonly print: (lines: readonly Line[]) => void;
  /** Null: no terminal, so nothing is cut. */
  readonly columns: number | null;
}

/** Standard output for people. Text from a journal cannot steer the terminal. */
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
