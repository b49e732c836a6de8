import type { RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { SummaryLabel } from "../i18n/terminal-labels.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { padToWidth } from "./format.ts";
import type { Line } from "./page.ts";

/** What a mode has to say about how a run was left. */
export interface End {
  readonly head: Line;
  readonly facts: readonly Line[];
  /** Null: the error message after the summary says it. */
  readonly next: string | null;
}

/** Behind the label. */
const TEXT_AT = 10;

export function row(label: SummaryLabel, text: string, texts: TerminalTexts): Line {
  return labelled(texts.label[label], text);
}

/** A path that a person may copy. */
export function pathRow(label: SummaryLabel, path: string, texts: TerminalTexts): Line {
  return { ...row(label, visible(path), texts), isWhole: true };
}

export function labelled(label: string, text: string): Line {
  return { text: `  ${padToWidth(label, 7)} ${text}`, hanging: TEXT_AT };
}

export const continued = (text: string): Line => ({ text: `${" ".repeat(TEXT_AT)}${text}` });

/** Foreign text below a labelled row. */
export function quotedBelow(text: string): Line {
  return { text: `${" ".repeat(TEXT_AT)}| ${text}`, tone: "faint", mayBeCut: true };
}

export function noteLine(state: RunState, texts: TerminalTexts): Line[] {
  const note = state.decisions.at(-1)?.note ?? null;
  return note === null ? [] : [{ ...row("note", visible(note), texts), mayBeCut: true }];
}

/** How to go on after attempts that went in circles. */
export function afterStuckLines(where: string, agentFlag: string, texts: TerminalTexts): readonly Line[] {
  const [first = "", ...ways] = texts.afterStuck(where, agentFlag);
  return [row("goOn", first, texts), ...ways.map(continued)];
}
