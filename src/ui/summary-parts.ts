import type { RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import type { SummaryLabel } from "./words/terminal-labels.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { padToWidth } from "./format.ts";
import type { Line } from "./page.ts";

/** A mode's description of how a run was left. */
export interface End {
  readonly head: Line;
  readonly facts: readonly Line[];
  /** Other ways to go on. */
  readonly ways?: readonly Line[];
  /** Null: the error message after the summary says it. */
  readonly next: string | null;
}

const TONES = { "✓": "good", "✗": "bad", "!": "warn", "?": "ask", "-": undefined } as const;

/** `✗ CANCELLED`, with the command to type next. */
export function endWith(
  sign: keyof typeof TONES,
  text: string,
  next: string | null,
  facts: readonly Line[] = [],
): End {
  return { head: { text: `${sign} ${text}`, tone: TONES[sign] }, facts, next };
}

export function interruptedEnd(text: string, { runId }: RunState, facts: readonly Line[] = []): End {
  return endWith("!", text, `agent-foreman resume ${runId}`, facts);
}

/** The column behind the label. */
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

/** One row for several texts; none for no text. */
export function labelledList(label: string, texts: readonly string[]): readonly Line[] {
  const [first, ...rest] = texts.filter((text) => text !== "");
  return first === undefined ? [] : [labelled(label, first), ...rest.map(continued)];
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

/** Ways to go on after attempts that went in circles. */
export function afterStuckLines(where: string, agentFlag: string, texts: TerminalTexts): readonly Line[] {
  const [first = "", ...ways] = texts.afterStuck(where, agentFlag);
  return [row("goOn", first, texts), ...ways.map(continued)];
}
