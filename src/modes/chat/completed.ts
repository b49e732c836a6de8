import { codeSpans, itemOf, linesOf, type Line } from "../../text/lines.ts";

/** The default line by which a reviewer marks a task as completed. */
export const DEFAULT_MARKER = "[TASK_COMPLETED]";
/** The default line by which a reviewer reports that the agent needs an answer of the user. */
export const DEFAULT_WAITING_MARKER = "[WAITING_FOR_USER]";
const MAX_MARKER = 200;

export interface Markers {
  readonly marker: string;
  readonly waitingMarker: string;
}

export interface ReviewVerdict {
  readonly completed: boolean;
  /** The agent asked the user something. A task with an open question is not completed, so this wins over `completed`. */
  readonly waiting: boolean;
  /** The message in the marker that decided: `[TASK_COMPLETED: message]`. */
  readonly note: string | null;
  /** The rest of the answer, without any line that looks like a marker. */
  readonly words: string;
}

/** Reads the verdict from a reviewer's last words. In doubt the task is not completed. */
export function readVerdict(text: string, { marker, waitingMarker }: Markers): ReviewVerdict {
  const lines = linesOf(text).map((line) => ({
    ...line,
    completed: noteIn(line.text.trim(), marker.trim()),
    waiting: noteIn(line.text.trim(), waitingMarker.trim()),
  }));
  const quoted = quotedLines(lines);
  const counted = lines.filter(({ number }) => !quoted.has(number));
  const completed = counted.flatMap((line) => (line.completed === undefined ? [] : [line.completed]));
  const waiting = counted.flatMap((line) => (line.waiting === undefined ? [] : [line.waiting]));
  const words = lines.filter((line) => line.completed === undefined && line.waiting === undefined);
  return {
    completed: completed.length > 0 && waiting.length === 0,
    waiting: waiting.length > 0,
    note: (waiting.length > 0 ? waiting : completed).at(-1) ?? null,
    words: words
      .map((line) => line.text)
      .join("\n")
      .trim(),
  };
}

export type MarkerProblem = "empty" | "several_lines" | "control_character" | "too_long" | "no_word" | "code";

/** Why a marker is unusable: it looks like other text, or can never be recognised. */
export function markerProblem(marker: string): MarkerProblem | null {
  const text = marker.trim();
  if (text === "") return "empty";
  if (/[\n\r\u2028\u2029]/.test(text)) return "several_lines";
  if (/\p{Cc}/u.test(text)) return "control_character";
  if (text.length > MAX_MARKER) return "too_long";
  if (text.includes("`") || text.startsWith("~~~")) return "code";
  // Rules and similar lines appear in any text.
  return /[\p{L}\p{N}]/u.test(text) ? null : "no_word";
}

/** Whether a reader of `line` would take it for `marker`, with or without a note. */
export function isMarkerLine(line: string, marker: string): boolean {
  return noteIn(line.trim(), marker.trim()) !== undefined;
}

/** Undefined: the line is no marker; null: a marker without a note. */
function noteIn(line: string, marker: string): string | null | undefined {
  for (const form of plainForms(line)) {
    const note = noteInPlain(form, marker);
    if (note !== undefined) return note;
  }
  return undefined;
}

const FULL_STOP = /[.。]$/;
const MAX_EMPHASIS = 3;

/** Yields the line as it is, then with less and less emphasis, each also without its full stop: `**DONE.**`, `DONE.`, `DONE`. */
function* plainForms(line: string): Generator<string> {
  let text = line;
  for (let level = 0; level <= MAX_EMPHASIS; level += 1) {
    yield text;
    if (FULL_STOP.test(text)) yield (text = text.slice(0, -1));
    if (!/^[*_]/.test(text) || text.at(0) !== text.at(-1)) return;
    text = text.slice(1, -1);
  }
}

function noteInPlain(line: string, marker: string): string | null | undefined {
  if (isSame(line, marker)) return null;
  const open = marker.slice(0, -1);
  if (!/^\[[^[\]]+\]$/.test(marker) || !isSame(line.slice(0, open.length), open)) return undefined;
  const [, note] = /^[:：](.*)\]$/.exec(line.slice(open.length)) ?? [];
  return note === undefined || !isBalanced(note) ? undefined : note.trim() || null;
}

function isSame(text: string, other: string): boolean {
  return text.toLowerCase() === other.toLowerCase();
}

/** Whether the bracket at the end of the line closes the one at its beginning, and not one in between. */
function isBalanced(note: string): boolean {
  let depth = 0;
  for (const char of note) {
    if (char === "[") depth += 1;
    if (char === "]") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Lines of code or of list items: the reviewer quotes them and does not claim them. */
function quotedLines(lines: readonly Line[]): ReadonlySet<number> {
  const quoted = new Set<number>();
  let inItem = false;
  let paragraph: Line[] = [];
  for (const line of lines) {
    const { number, text, fenced } = line;
    const indent = text.length - text.trimStart().length;
    const isBlank = indent === text.length;
    if (!isBlank && (indent === 0 || itemOf(text))) inItem = itemOf(text) !== null;
    if (fenced || (indent > 0 && inItem) || /^ {0,3}\t| {4}/.test(text.slice(0, indent))) quoted.add(number);
    if (isBlank || fenced) {
      addCode(paragraph, quoted);
      paragraph = [];
    } else paragraph.push(line);
  }
  addCode(paragraph, quoted);
  return quoted;
}

/** Adds lines of the paragraph within backticks that open on an earlier line and close on a later one. */
function addCode(paragraph: readonly Line[], quoted: Set<number>): void {
  const text = paragraph.map((line) => line.text).join("\n");
  const lineEnds = (from: number, to: number): number => text.slice(from, to).split("\n").length - 1;
  let [number, at] = [paragraph[0]?.number ?? 0, 0];
  for (const { start, end } of codeSpans(text)) {
    number += lineEnds(at, start);
    const last = number + lineEnds(start, end);
    for (number += 1; number < last; number += 1) quoted.add(number);
    [number, at] = [last, end];
  }
}
