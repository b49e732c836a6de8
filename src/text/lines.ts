/** The parts of Markdown that people and agents use in the board's files. Everything here takes time linear in the text. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** In a fenced code block, or one of its fences. */
  readonly fenced: boolean;
}

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/s;

export function linesOf(text: string): Line[] {
  let open: string | null = null;
  const lines = text.slice(text.startsWith("\ufeff") ? 1 : 0).split(/\r\n|\n|\r/);
  return lines.map((line, index) => {
    const [, fence, rest] = FENCE.exec(line) ?? [];
    const fenced = open !== null;
    if (open === null) {
      // A line like ```a``` is a code span, not a fence.
      if (fence !== undefined && !(fence.startsWith("`") && rest?.includes("`"))) open = fence;
    } else if (fence?.startsWith(open) && rest?.trim() === "") open = null;
    return { number: index + 1, text: line, fenced: fenced || open !== null };
  });
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/s;

export function headingOf(line: string): { readonly level: number; readonly title: string } | null {
  const [, marks, title] = HEADING.exec(line) ?? [];
  return marks === undefined || title === undefined ? null : { level: marks.length, title: title.trim() };
}

export interface Item {
  readonly indent: number;
  /** Null: a bullet. */
  readonly number: number | null;
  readonly body: string;
}

const ITEM = /^(\s*)(?:[-*+][ \t]+|(\d{1,4})(?:[.)][ \t]+|[、．]))(.*)$/s;

export function itemOf(line: string): Item | null {
  const [, indent, number, body] = ITEM.exec(line) ?? [];
  if (indent === undefined || body === undefined) return null;
  return { indent: indent.length, number: number === undefined ? null : Number(number), body: body.trim() };
}

/** A line without its heading or list marker. */
export function bodyOfLine(line: string): string {
  const text = headingOf(line)?.title ?? line;
  return (itemOf(text)?.body ?? text).trim();
}

const MAX_KEY = 80;

/** `- **Status:** TODO`. The key is in lower case; the colon may be the wide one. */
export function fieldOf(line: string): { readonly key: string; readonly value: string } | null {
  const body = bodyOfLine(line);
  const at = body.slice(0, MAX_KEY).search(/[:：]/);
  if (at < 0) return null;
  const before = body.slice(0, at);
  const key = bare(before).toLowerCase();
  return key === "" ? null : { key, value: closed(body.slice(at + 1).trim(), before.split("**").length) };
}

/** A value without the end of an emphasis that began in its key; an even number of `parts` means that one did. */
function closed(value: string, parts: number): string {
  if (parts % 2 === 1) return value;
  if (value.startsWith("**")) return value.slice(2).trim();
  return value.endsWith("**") ? value.slice(0, -2).trim() : value;
}

const AROUND = new Set(["*", "_", "`", " ", "\t"]);

/** Without emphasis, code marks and white space around it. */
export function bare(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && AROUND.has(text.charAt(from))) from += 1;
  while (from < to && AROUND.has(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Normalized for comparing titles and keys in either language. */
export function squashed(title: string): string {
  const named = bare(title.split(/[(（]/, 1)[0] ?? "");
  const name = /[:：]$/.test(named) ? bare(named.slice(0, -1)) : named;
  return name.replace(/[\s_-]+/g, "").toLowerCase();
}

const NOTHING = new Set(["", "none", "n/a", "na", "nil", "no", "nothing", "无", "沒有", "没有", "暂无"]);
const LONGEST_NOTHING = 40;

/** Empty, or a word such as "none". */
export function saysNothing(text: string): boolean {
  const said = text.trim();
  if (said.length > LONGEST_NOTHING) return false;
  return NOTHING.has(said.replace(/^[\s\-*_`.。()（）]+|[\s\-*_`.。()（）]+$/g, "").toLowerCase());
}

const CUT = " ...";

/** At most `max` UTF-16 units, line ends included. */
export function cutTo(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max - CUT.length);
  // Not between the halves of a character.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}${CUT}`;
}

export interface CodeSpan {
  readonly start: number;
  readonly end: number;
  readonly code: string;
}

/** Text in backticks, with as many at its end as at its beginning. */
export function codeSpans(text: string): CodeSpan[] {
  const runs = Array.from(text.matchAll(/`+/g), ({ 0: run, index }) => ({ index, length: run.length }));
  const next = nextOfSameLength(runs);
  const spans: CodeSpan[] = [];
  for (let at = 0; at < runs.length; at += 1) {
    const [open, closer] = [runs[at], next[at]];
    const close = closer === undefined ? undefined : runs[closer];
    if (open === undefined || closer === undefined || close === undefined) continue;
    const code = text.slice(open.index + open.length, close.index).trim();
    spans.push({ start: open.index, end: close.index + close.length, code });
    at = closer;
  }
  return spans;
}

/** Computed from the end: looking ahead from each would take quadratic time. */
function nextOfSameLength(runs: readonly { readonly length: number }[]): (number | undefined)[] {
  const seen = new Map<number, number>();
  return runs
    .map(({ length }, index) => ({ length, index }))
    .toReversed()
    .map(({ length, index }) => {
      const next = seen.get(length);
      seen.set(length, index);
      return next;
    })
    .toReversed();
}
