// The grammar of one line. Lines are latin1 strings, one char per byte, so that invalid UTF-8 survives comparison and slicing.
// Only values shown to people are decoded.

export const STATUS_MARKERS = ["DONE", "NEEDS_WORK", "BLOCKED"] as const;
export type StatusMarker = (typeof STATUS_MARKERS)[number];

export type Marker =
  | {
      readonly kind: "status";
      readonly value: StatusMarker | "invalid";
      readonly text: string;
      readonly line: string;
    }
  | { readonly kind: "evidence"; readonly text: string; readonly line: string };

export interface MarkerKeys {
  readonly status: string;
  readonly evidence: string;
}

export interface Fence {
  readonly mark: string;
  readonly length: number;
  /** The text after the marks: an info string opens a fence but never closes one. */
  readonly info: string;
}

/** Only this many bytes of a line are read; a longer line is never a status, a fence or blank. */
export const MAX_LINE = 16 * 1024;

const MAX_EVIDENCE = 2000;
const MAX_STATUS_TEXT = 200;

const ESC = "\u001B";
const BEL = "\u0007";
const CSI = String.raw`\[[^${ESC}\n@-~]*[@-~]?`;
const CONTROL_STRING = String.raw`[\]PX^_](?:[^\n]*?(?:${BEL}|${ESC}\\)|[^\n]*)`;
// Also covers charset designations such as ESC ( B, which `tput sgr0` prints.
const SHORT_ESCAPE = "[ -/]*[0-~]?";
const ESCAPE = `${ESC}(?:${CSI}|${CONTROL_STRING}|${SHORT_ESCAPE})`;

const ESCAPES = new RegExp(ESCAPE, "g");
const INVISIBLE_PREFIX = new RegExp(`^(?:\r|${ESCAPE})*`);
const UNPRINTABLE = /[\p{Cc}\u2028\u2029]/gu;

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s;

const QUOTED = /^["'`“‘](.*)["'`”’]$/s;
// Braces or brackets around a quoted string are JSON, and so real evidence; likewise a number: `[12/12 passed]`.
const PLACEHOLDER = /^(?:<+[^<>\d]*>+|\$?\{+[^{}"\d]*\}+|\[+[^[\]"\d]*\]+|\.{3,}|…+)$/;
const CHOICE_WRAPPERS = /[<>[\]{}()"'`“”‘’]/g;
const CHOICE_SEPARATORS = /(?:[\s|/,、，]|or|或)+/;

/** Removes terminal escape sequences; an unfinished one is removed up to the end of its line. */
export function stripAnsi(text: string): string {
  return text.includes(ESC) ? text.replace(ESCAPES, "") : text;
}

/** A line for comparison: no escapes, no carriage returns, no trailing blanks. */
export function stripLine(raw: string): string {
  const text = stripAnsi(raw).replaceAll("\r", "");
  // Not /[ \t]+$/, which is quadratic for a run of blanks before other text.
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
  return text.slice(0, end);
}

export function markerKeys(nonce: string | undefined): MarkerKeys {
  const tag = nonce === undefined ? "" : `[${nonce}]`;
  return { status: asBytes(`GA_STATUS${tag}=`), evidence: asBytes(`GA_EVIDENCE${tag}=`) };
}

/** `raw` is the line, or the first MAX_LINE bytes of an overlong one. */
export function parseMarker(raw: string, keys: MarkerKeys, overlong: boolean): Marker | null {
  const keyAt = INVISIBLE_PREFIX.exec(raw)?.[0].length ?? 0;
  if (raw.startsWith(keys.status, keyAt)) {
    return overlong ? null : parseStatus(stripLine(raw.slice(keyAt + keys.status.length)), keys.status);
  }
  if (raw.startsWith(keys.evidence, keyAt)) {
    return parseEvidence(stripLine(raw.slice(keyAt + keys.evidence.length)), keys.evidence);
  }
  return null;
}

export function parseFence(raw: string): Fence | null {
  const [, marks, info] = FENCE.exec(stripLine(raw)) ?? [];
  // Contiguous in the raw bytes, as marker keys are, so that a needle search finds every fence.
  if (marks === undefined || info === undefined || !raw.includes(marks.slice(0, 3))) return null;
  return { mark: marks.charAt(0), length: marks.length, info };
}

function parseStatus(value: string, key: string): Marker | null {
  const line = key + value;
  if (isStatusMarker(value)) return { kind: "status", value, text: value, line };
  const decoded = decode(value).trim();
  if (isPlaceholder(decoded) || isListOfChoices(decoded)) return null;
  return { kind: "status", value: "invalid", text: printable(decoded, MAX_STATUS_TEXT), line };
}

function parseEvidence(value: string, key: string): Marker | null {
  const decoded = decode(value);
  const text = printable(decoded, MAX_EVIDENCE);
  if (text === "" || isPlaceholder(decoded.trim())) return null;
  return { kind: "evidence", text, line: key + value };
}

function isStatusMarker(value: string): value is StatusMarker {
  return value === "DONE" || value === "NEEDS_WORK" || value === "BLOCKED";
}

function isPlaceholder(value: string): boolean {
  return PLACEHOLDER.test(QUOTED.exec(value)?.[1] ?? value);
}

function isListOfChoices(value: string): boolean {
  const words = value.replaceAll(CHOICE_WRAPPERS, " ").split(CHOICE_SEPARATORS).filter(Boolean);
  return new Set(words).size > 1 && words.every(isStatusMarker);
}

function printable(decoded: string, limit: number): string {
  const text = decoded.replaceAll(UNPRINTABLE, " ").trim();
  const cutsPair = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1));
  return text.slice(0, cutsPair ? limit - 1 : limit);
}

function asBytes(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function decode(latin1: string): string {
  return Buffer.from(latin1, "latin1").toString("utf8");
}
