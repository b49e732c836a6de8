import type { RunEvent } from "../domain/event.ts";
import type { ExcerptLine } from "../domain/excerpt.ts";
import type { RunState } from "../domain/state.ts";
import { splitLines, visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { quoted } from "./output-lines.ts";
import type { Line } from "./page.ts";

/** The telling part of the output of the check that failed in the attempt under way. */
export interface FailedOutput {
  readonly lines: readonly ExcerptLine[];
  readonly path: string;
}

/** The lines an event adds to the history. */
export type History = (
  event: RunEvent,
  state: RunState,
  failed: FailedOutput | undefined,
  texts: TerminalTexts,
) => readonly Line[];

/** Foreign text of any number of lines, behind a bar. */
export function quotedText(text: string, maxLines: number, texts: TerminalTexts): Line[] {
  const lines = splitLines(text);
  const left = lines.length - maxLines;
  const shown = lines.slice(0, maxLines).map((line) => quoted(visible(line)));
  return left > 0 ? [...shown, quoted(texts.moreLines(left))] : shown;
}
