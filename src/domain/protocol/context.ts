// Looking around a line in a buffer. Every look backwards is bounded by LOOKBACK bytes, so that what a
// scanner has to remember is bounded and does not depend on how the stream was cut into chunks.

import { MAX_LINE, type MarkerKeys, parseFence, parseMarker, stripLine } from "./line.ts";

export const LF = 10;
export const LOOKBACK = 32 * 1024;

/** Lines of context are compared by their end: it is what stands next to the marker. */
const MAX_COMPARED = 4 * 1024;
const CHOICE_JOINER = /^[ \t]*(?:or|或)?$/;

export interface Context {
  readonly text: string;
  /** Where the preceding non-blank line starts, or -1. */
  readonly start: number;
}

/**
 * What precedes the line at `start`: the non-blank line before it. A code fence looks the same everywhere,
 * so it identifies a place only together with the non-blank line before the fence.
 */
export function contextBefore(bytes: Buffer, start: number): Context {
  const from = Math.max(0, start - LOOKBACK);
  const line = precedingLine(bytes, from, start);
  if (line.start < 0 || parseFence(line.text) === null) return line;
  return { text: `${precedingLine(bytes, from, line.start).text}\n${line.text}`, start: line.start };
}

/** Whether any line among the whole lines in [from, to) is not blank. */
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

/** Whether the whole lines in [from, to) are blank or say no more than "or". */
export function joinsChoices(bytes: Buffer, from: number, to: number): boolean {
  for (let start = from; start < to;) {
    const end = bytes.indexOf(LF, start);
    if (end - start > MAX_LINE || !CHOICE_JOINER.test(stripLine(bytes.toString("utf8", start, end))))
      return false;
    start = end + 1;
  }
  return true;
}

/** Too short an end of a line may be anybody's. */
const MIN_SUFFIX = 4;

/** Marker lines of the instructions, each with what precedes it there. */
export class EchoIndex {
  readonly #places = new Map<string, Set<string>>();

  constructor(instructions: readonly string[], keys: MarkerKeys) {
    for (const text of instructions) this.#add(Buffer.from(`${text}\n`, "utf8"), keys);
  }

  /** Whoever repeats a text may put words of their own before it: "Task: …", or `GA_TASK=` in a list of variables. */
  has(markerLine: string, context: Context): boolean {
    const places = this.#places.get(markerLine);
    if (!places) return false;
    if (places.has(context.text)) return true;
    return [...places].some((place) => place.length >= MIN_SUFFIX && context.text.endsWith(place));
  }

  #add(bytes: Buffer, keys: MarkerKeys): void {
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(LF, start);
      const raw = bytes.toString("latin1", start, Math.min(end, start + MAX_LINE));
      const marker = parseMarker(raw, keys, end - start > MAX_LINE);
      if (marker !== null) this.#note(marker.line, contextBefore(bytes, start).text);
      start = end + 1;
    }
  }

  #note(markerLine: string, context: string): void {
    const places = this.#places.get(markerLine) ?? new Set();
    this.#places.set(markerLine, places.add(context));
  }
}

function precedingLine(bytes: Buffer, from: number, before: number): Context {
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
