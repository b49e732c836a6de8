import type { TerminalTexts } from "./words/terminal.ts";
import type { Line, Tone } from "./page.ts";

export type Subject = keyof TerminalTexts["subject"];

/** One fact of an event. Every output has its own layout for it. */
export interface Statement {
  readonly subject: Subject;
  /** The attempt it is about. Each mode has its own form for the number. */
  readonly attempt?: number;
  readonly sign?: "✓" | "✗" | "!" | "~" | "?" | "-";
  readonly text: string;
  readonly tone?: Tone | undefined;
  readonly mayBeCut?: boolean;
  /** A gap separates the text from its head, so that only the head is coloured. */
  readonly isApart?: boolean;
  /** Part of the previous statement: `show` prints no time. */
  readonly isDetail?: boolean;
}

/** The description of an event. Lines are the same in every output: foreign text behind its bar, and lines that a document fixes to the letter. */
export type Description = readonly (Statement | Line)[];

export function isStatement(part: Statement | Line): part is Statement {
  return "subject" in part;
}

/** `! 2/6 the agent modified protected files` */
export function signed(statement: Statement, place: (attempt: number) => string): Line {
  const { sign, attempt, text, tone, isApart, isDetail } = statement;
  if (isDetail && sign === undefined && attempt === undefined)
    return { text: `  ${text}`, tone, mayBeCut: true };
  const head = [
    ...(sign === undefined ? [] : [sign]),
    ...(attempt === undefined ? [] : [place(attempt)]),
  ].join(" ");
  return { text: head === "" ? text : `${head}${isApart ? "  " : " "}${text}`, tone };
}

/** A statement that needs a person's attention. */
export function warns(subject: Subject, text: string, attempt?: number): Statement {
  return {
    subject,
    sign: "!",
    text,
    tone: "warn",
    isDetail: true,
    ...(attempt !== undefined && { attempt }),
  };
}
