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
  readonly next: string;
}

export function row(label: SummaryLabel, text: string, texts: TerminalTexts): Line {
  return labelled(texts.label[label], text);
}

export function labelled(label: string, text: string): Line {
  return { text: `  ${padToWidth(label, 7)} ${text}` };
}

export const continued = (text: string): Line => ({ text: `${" ".repeat(10)}${text}` });

export function noteLine(state: RunState, texts: TerminalTexts): Line[] {
  const note = state.decisions.at(-1)?.note ?? null;
  return note === null ? [] : [{ ...row("note", visible(note), texts), mayBeCut: true }];
}
