import type { ExcerptLine } from "../text/excerpt.ts";
import type { Leaked } from "../platform/process/process-end.ts";
import { splitLines, visible } from "../text/text.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { clockTime } from "./format.ts";
import type { FailedOutput } from "./mode-view.ts";
import { quoted } from "./output-lines.ts";
import type { Line } from "./page.ts";

/** Puts the time before lines. An indented line belongs to the line above it. */
export function stamped(lines: readonly Line[], at: string | number): readonly Line[] {
  const time = `${clockTime(at)} `;
  return lines.map((line) =>
    line.text.startsWith("  ") ? line : { ...line, lead: `${time}${line.lead ?? ""}` },
  );
}

/** Foreign text of any number of lines, behind a bar. */
export function quotedText(text: string, maxLines: number, texts: TerminalTexts): Line[] {
  const lines = splitLines(text);
  const left = lines.length - maxLines;
  const shown = lines.slice(0, maxLines).map((line) => quoted(visible(line)));
  return left > 0 ? [...shown, quoted(texts.moreLines(left))] : shown;
}

/** A reviewer's first line is a summary. The agent's question comes next, so that a long review cannot hide it. */
export function wordsWithQuestion(words: string, question: string | null): string {
  if (question === null || words === "") return question ?? words;
  const [first = "", ...rest] = splitLines(words);
  return [first, question, ...rest].join("\n");
}

export function processLines(processes: readonly Leaked[]): Line[] {
  return processes.map(({ pid, command }) => quoted(`${pid} ${visible(command)}`));
}

export function outputLines({ lines, path }: FailedOutput, texts: TerminalTexts): Line[] {
  return [...excerptLines(lines, texts), { text: `  ${texts.allOutput(visible(path))}` }];
}

function excerptLines(lines: readonly ExcerptLine[], texts: TerminalTexts): Line[] {
  return lines.map((line) => quoted("text" in line ? visible(line.text) : texts.leftOut(line.leftOut)));
}
