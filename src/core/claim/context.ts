// Looks around a line in a buffer. Every look backwards is bounded by LOOKBACK bytes. So a scanner's memory is bounded, and the
// result does not depend on how the stream was cut into chunks.

import { MAX_LINE, type MarkerKeys, parseFence, parseMarker, stripLine } from "./line.ts";

export const LF = 10;
export const LOOKBACK = 32 * 1024;

/** Lines of context are compared by their end, which is next to the marker. */
const MAX_COMPARED = 4 * 1024;
const CHOICE_JOINER = /^[ \t]*(?:or|或)?$/;

export interface Context {
  readonly line: string;
  /** The code fence between that line and the place, or "". */
  readonly fence: string;
  /** Start of the preceding non-blank line, including a fence, or -1. */
  readonly start: number;
}

/**
 * The non-blank line before the line at `start`. Code fences all look the same, so one identifies a place only together with
 * the non-blank line before the fence.
 */
export function contextBefore(bytes: Buffer, start: number): Context {
  const from = Math.max(0, start - LOOKBACK);
  const nearest = precedingLine(bytes, from, start);
  if (nearest.start < 0 || parseFence(nearest.text) === null)
    return { line: nearest.text, fence: "", start: nearest.start };
  const above = precedingLine(bytes, from, nearest.start);
  return { line: above.text, fence: nearest.text, start: nearest.start };
}

/** Whether any of the whole lines in [from, to) is not blank. */
export function hasText(bytes: Buffer, from: number, to: number): boolean {
  let start = from;
  for (let at = from; at < to;) {
    const byte = bytes[at];
    if (byte === LF) start = at + 1;
    else if (at - start >= MAX_LINE) return true;
    if (isBlankByte(byte)) {
      at += 1;
      continue;
    }
    const end = bytes.indexOf(LF, at);
    if (end - start > MAX_LINE || stripLine(bytes.toString("latin1", start, end)) !== "") return true;
    start = end + 1;
    at = start;
  }
  return false;
}

/** Whether the whole lines in [from, to) are blank or only say "or". */
export function joinsChoices(bytes: Buffer, from: number, to: number): boolean {
  for (let start = from; start < to;) {
    const end = bytes.indexOf(LF, start);
    if (end - start > MAX_LINE || !CHOICE_JOINER.test(stripLine(bytes.toString("utf8", start, end))))
      return false;
    start = end + 1;
  }
  return true;
}

/** Marker lines of the instructions, each with its preceding line there. */
export class EchoIndex {
  readonly #places = new Map<string, Endings>();

  constructor(instructions: readonly string[], keys: MarkerKeys) {
    for (const text of instructions) this.#add(Buffer.from(`${text}\n`, "utf8"), keys);
  }

  has(markerLine: string, { line, fence }: Context): boolean {
    return this.#places.get(`${fence}\n${markerLine}`)?.fit(line) ?? false;
  }

  #add(bytes: Buffer, keys: MarkerKeys): void {
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(LF, start);
      const raw = bytes.toString("latin1", start, Math.min(end, start + MAX_LINE));
      const marker = parseMarker(raw, keys, end - start > MAX_LINE);
      if (marker !== null) this.#note(marker.line, contextBefore(bytes, start));
      start = end + 1;
    }
  }

  #note(markerLine: string, { line, fence }: Context): void {
    const place = `${fence}\n${markerLine}`;
    const endings = this.#places.get(place) ?? new Endings();
    this.#places.set(place, endings);
    endings.add(line);
  }
}

/** A shorter ending is too common. In characters. */
const MIN_ENDING = 4;
const UTF8_CONTINUATION = /[\u0080-\u00BF]/g;

/**
 * Lines of the instructions. An agent that repeats one may prefix it: "Task: …", or `GA_TASK=` in a list of variables. An agent
 * may write the plan, and so thousands of lines, so they are looked up by length.
 */
class Endings {
  readonly #whole = new Set<string>();
  readonly #byLength = new Map<number, Set<string>>();

  add(line: string): void {
    this.#whole.add(line);
    if (line.replaceAll(UTF8_CONTINUATION, "").length < MIN_ENDING) return;
    const alike = this.#byLength.get(line.length) ?? new Set();
    this.#byLength.set(line.length, alike.add(line));
  }

  /** Whether the line is one of them, or ends with one that is long enough. */
  fit(line: string): boolean {
    if (this.#whole.has(line)) return true;
    for (const [length, alike] of this.#byLength)
      if (length < line.length && alike.has(line.slice(-length))) return true;
    return false;
  }
}

function precedingLine(bytes: Buffer, from: number, before: number): { text: string; start: number } {
  for (let end = before; end > from;) {
    if (isBlankByte(bytes[end - 1])) {
      end -= 1;
      continue;
    }
    const start = Math.max(from, bytes.lastIndexOf(LF, end - 1) + 1);
    const text = stripLine(bytes.toString("latin1", Math.max(start, end - MAX_COMPARED), end));
    if (text !== "") return { text, start };
    end = start;
  }
  return { text: "", start: -1 };
}

function isBlankByte(byte: number | undefined): boolean {
  return byte === LF || byte === 13 || byte === 32 || byte === 9;
}
