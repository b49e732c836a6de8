import { stripVTControlCharacters } from "node:util";
import stringWidth from "fast-string-width";
import { twoDigits } from "../text/time-text.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const ELLIPSIS = "...";

/** The elapsed time in the largest unit alone: `8s`, `4m`, `2h`. */
export function roughly(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))}s`;
  return ms < HOUR ? `${Math.floor(ms / MINUTE)}m` : `${Math.floor(ms / HOUR)}h`;
}

/** A time that counts up in place, so it keeps its width: `02:41`, `1:05:09`. */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND));
  const hours = Math.floor(seconds / 3600);
  const rest = `${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return hours === 0 ? rest : `${hours}:${rest}`;
}

/** Local time of day, `09:16:16`. */
export function clockTime(at: string | number): string {
  const date = new Date(at);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(":");
}

export function byteSize(bytes: number): string {
  const units = ["B", "KB", "MB", "GB"] as const;
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || Number.isInteger(size) || size >= 100 ? 0 : 1;
  return `${size.toFixed(digits)} ${units[unit] ?? ""}`;
}

// Built at first use: each takes milliseconds, and most output is plain ASCII.
let graphemes: Intl.Segmenter | undefined;
let unspacedWords: Intl.Segmenter | undefined;

function graphemesIn(text: string): Intl.Segments {
  graphemes ??= new Intl.Segmenter();
  return graphemes.segment(text);
}

/** Some Chinese terminals draw ambiguous characters two cells wide. Counting two for all but ASCII cuts early rather than late. */
export function widestOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[ -~]*$/u.test(plain)) return plain.length;
  let width = 0;
  for (const { segment } of graphemesIn(plain)) width += /^[ -~]/u.test(segment) ? 1 : 2;
  return width;
}

export function cutToWidth(text: string, width: number): string {
  const flat = text.replaceAll("\t", "    ");
  let used = 0;
  let fits = 0;
  for (const { segment, index } of graphemesIn(flat)) {
    const next = used + widestOf(segment);
    if (next > width) return flat.slice(0, fits) + ELLIPSIS.slice(0, width);
    if (next <= width - ELLIPSIS.length) fits = index + segment.length;
    used = next;
  }
  return flat;
}

/** Chinese and Japanese have no blanks between words. A closing mark never begins a row. */
const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
const CLOSING = "[、。，．：；！？）」』】〉》”’]";
/** A person copies a command about a run, so it stays whole. */
const COMMAND = String.raw`agent-foreman \w+ \d{4}-\w+`;
/** So does a path, whatever the language of its names. */
const PATH = String.raw`(?<![^\s：])\/(?:(?!${CLOSING})\S)+${CLOSING}*`;
const RUNS = new RegExp(
  String.raw`\s+|${PATH}|(?<unspaced>${UNSPACED}+)${CLOSING}*|(?:${COMMAND}|(?!${UNSPACED}|${CLOSING})\S)+${CLOSING}*|${CLOSING}+`,
  "gu",
);

function wordsIn(text: string): readonly string[] {
  return [...text.matchAll(RUNS)].flatMap(({ 0: run, groups }) => {
    const unspaced = groups?.["unspaced"];
    if (unspaced === undefined) return [run];
    unspacedWords ??= new Intl.Segmenter("zh", { granularity: "word" });
    const words = [...unspacedWords.segment(unspaced)].map(({ segment }) => segment);
    const last = words.pop() ?? "";
    return [...words, last + run.slice(unspaced.length)];
  });
}

/**
 * Breaks a line into rows between words. A word that is longer than a row is either broken or left to the terminal. Further rows are indented below
 * the first; those of a quotation are behind its bar, too.
 */
export function wrapToWidth(
  text: string,
  width: number,
  hangingAt?: number,
  breaksWords = false,
): readonly string[] {
  const flat = text.replaceAll("\t", "    ");
  if (widestOf(flat) <= width) return [flat];
  const [lead = ""] = /^ *(?:\| *)?/.exec(flat) ?? [];
  const below = lead.includes("|") ? lead : " ".repeat(hangingAt ?? lead.length + 2);
  const hanging = below.slice(0, Math.floor(width / 2));
  const rows: string[] = [];
  let row = lead;
  let isEmpty = true;
  const words = wordsIn(flat.slice(lead.length));
  for (const word of breaksWords ? words.flatMap((one) => pieces(one, width - hanging.length)) : words) {
    const isBlank = word.trim() === "";
    if (!isEmpty && widestOf(row + (isBlank ? "" : word)) > width) {
      rows.push(row.trimEnd());
      row = hanging;
      isEmpty = true;
    }
    if (isEmpty && isBlank) continue;
    row += word;
    isEmpty = false;
  }
  return isEmpty ? rows : [...rows, row.trimEnd()];
}

function pieces(word: string, width: number): readonly string[] {
  if (widestOf(word) <= width) return [word];
  const parts: string[] = [];
  let part = "";
  let used = 0;
  for (const { segment } of graphemesIn(word)) {
    const next = widestOf(segment);
    if (used + next > width && part !== "") {
      parts.push(part);
      part = "";
      used = 0;
    }
    part += segment;
    used += next;
  }
  return [...parts, part];
}

/** The number of rows that a terminal of this width takes for a line: a wide character never spans two rows. */
export function rowsAt(text: string, columns: number): number {
  let rows = 1;
  let column = 0;
  for (const { segment } of graphemesIn(text)) {
    const width = stringWidth(segment);
    if (column + width > columns) {
      rows += 1;
      column = 0;
    }
    column += width;
  }
  return rows;
}

export function padToWidth(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}
