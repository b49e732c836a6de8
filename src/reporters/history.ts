import type { RunEvent } from "../domain/event.ts";
import type { ExcerptLine } from "../domain/excerpt.ts";
import type { Leaked } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { splitLines, visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { clockTime } from "./format.ts";
import { quoted } from "./output-lines.ts";
import type { Line } from "./page.ts";

/** The telling part of the output of the check that failed in the attempt under way. */
export interface FailedOutput {
  readonly lines: readonly ExcerptLine[];
  readonly path: string;
}

/** What is known when an event is told. */
export interface Scene {
  /** With the event. */
  readonly state: RunState;
  /** Without it; undefined at the first event that is told. */
  readonly before: RunState | undefined;
  readonly failed: FailedOutput | undefined;
  /** What the reviewer said in the attempt under way. */
  readonly words: string | undefined;
  /** Somebody wants to see more than most do. */
  readonly verbose: boolean;
}

/** The lines an event adds to the history. */
export type History = (event: RunEvent, scene: Scene, texts: TerminalTexts) => readonly Line[];

/** Puts the time before lines; what is indented belongs to the line above it. */
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

/** A reviewer's first line says what it is about; the agent's question comes next, so that a long review cannot push it off. */
export function wordsWithQuestion(words: string, question: string | null): string {
  if (question === null || words === "") return question ?? words;
  const [first = "", ...rest] = splitLines(words);
  return [first, question, ...rest].join("\n");
}

export function processLines(processes: readonly Leaked[]): Line[] {
  return processes.map(({ pid, command }) => quoted(`${pid} ${visible(command)}`));
}

export function outputLines({ lines, path }: FailedOutput, texts: TerminalTexts): Line[] {
  const shown = lines.map((line) =>
    quoted("text" in line ? visible(line.text) : texts.leftOut(line.leftOut)),
  );
  return [...shown, { text: `  ${texts.allOutput(visible(path))}` }];
}
