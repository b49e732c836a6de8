// Finds the markers in one output stream, as raw bytes, as they arrive. Almost all output is neither a marker
// nor a fence, so lines are not walked: needles are searched, and only lines that contain one are looked at.

import { contextBefore, EchoIndex, hasText, joinsChoices, LF, LOOKBACK } from "./context.ts";
import { type Entry, Ledger } from "./ledger.ts";
import { LineClock } from "./line-clock.ts";
import {
  type Marker,
  type MarkerKeys,
  markerKeys,
  MAX_LINE,
  parseFence,
  parseMarker,
  type StatusMarker,
} from "./line.ts";

export interface ScanOptions {
  /** Texts the agent was given and may repeat. */
  readonly instructions: readonly string[];
  /** With it, only markers that carry it count: GA_STATUS[nonce]=DONE. */
  readonly nonce?: string;
}

export interface Found<Value> {
  readonly value: Value;
  /** As written, fit for a message. */
  readonly text: string;
  /** Lines after it on its stream, an unfinished one included; Infinity when there were too many to count. */
  readonly linesAfter: number;
  readonly arrival: number;
}

/** The last status and the last evidence that count. */
export interface ScanResult {
  readonly status: Found<StatusMarker | "invalid"> | null;
  readonly evidence: Found<"evidence"> | null;
}

interface Needle {
  readonly bytes: Buffer;
  next: number;
}

/** Enough to look back from the start of an unfinished line. */
const HISTORY = LOOKBACK + MAX_LINE + 1;
const CAPACITY = HISTORY + 128 * 1024;
/** Buffer.indexOf runs at memchr speed for needles under 8 bytes, and ten times slower for longer ones. */
const MAX_NEEDLE = 7;
const LINE_END = Buffer.from([LF]);
/** A line that matters starts with one of these: a key, a fence, its indentation, or what is stripped. */
const FIRST_BYTES = new Set(Buffer.from("G`~ \r\u001B"));

export class StreamScanner {
  readonly #keys: MarkerKeys;
  readonly #needles: readonly Needle[];
  readonly #echoes: EchoIndex;
  readonly #ledger = new Ledger();
  readonly #clock = new LineClock();

  /** The end of the stream so far: bytes [#base, #base + #end) of it. All other indices are into #window. */
  readonly #window = Buffer.allocUnsafe(CAPACITY);
  #base = 0;
  #end = 0;
  #lineStart = 0;
  #lineIsOverlong = false;
  #arrival = 0;

  #lastMarker = { offset: -1, echo: false };
  #lastStatusEnd = -1;

  constructor(options: ScanOptions) {
    this.#keys = markerKeys(options.nonce);
    this.#echoes = new EchoIndex(options.instructions, this.#keys);
    this.#needles = [this.#keys.status, this.#keys.evidence, "```", "~~~"].map((needle) => ({
      bytes: Buffer.from(needle.slice(0, MAX_NEEDLE), "latin1"),
      next: 0,
    }));
  }

  /** The chunk may be reused after the call. `arrival` grows from chunk to chunk over both streams. */
  push(chunk: Buffer, arrival: number): void {
    if (chunk.length > 0) this.#arrival = arrival;
    for (let at = 0; at < chunk.length;) at += this.#take(chunk, at);
  }

  end(): ScanResult {
    // An unfinished last line is a line like any other.
    if (this.#end > 0 && this.#window[this.#end - 1] !== LF) this.#take(LINE_END, 0);
    const { status, evidence } = this.#ledger.last();
    return {
      status: status === null ? null : this.#found(status),
      evidence: evidence === null ? null : this.#found(evidence),
    };
  }

  #found<Value>({ value, text, line, arrival }: Entry<Value>): Found<Value> {
    return { value, text, arrival, linesAfter: this.#clock.linesAfter(line, this.#base + this.#end) };
  }

  #take(chunk: Buffer, at: number): number {
    if (CAPACITY - this.#end < chunk.length - at) this.#forget();
    const fresh = this.#end;
    const taken = chunk.copy(this.#window, fresh, at);
    this.#end += taken;
    this.#readLines(fresh);
    this.#clock.read(this.#window, this.#base, this.#base + this.#end);
    return taken;
  }

  #forget(): void {
    const dropped = Math.max(0, this.#end - HISTORY);
    this.#window.copyWithin(0, dropped, this.#end);
    this.#base += dropped;
    this.#end -= dropped;
    this.#lineStart -= dropped;
  }

  #readLines(fresh: number): void {
    const lastLineEnd = this.#window.subarray(fresh, this.#end).lastIndexOf(LF);
    if (lastLineEnd >= 0) {
      const from = this.#lineIsOverlong ? this.#window.indexOf(LF, fresh) + 1 : this.#lineStart;
      this.#lineStart = fresh + lastLineEnd + 1;
      this.#lineIsOverlong = false;
      this.#scan(this.#window.subarray(0, this.#lineStart), from);
    }
    if (!this.#lineIsOverlong && this.#end - this.#lineStart > MAX_LINE) {
      this.#lineIsOverlong = true;
      if (this.#ledger.awaitsText) this.#ledger.textFollows();
      this.#look(this.#window.subarray(0, this.#end), this.#lineStart, this.#end);
    }
  }

  /** Scans the whole lines from `from` to the end of `bytes`. */
  #scan(bytes: Buffer, from: number): void {
    this.#settleFence(bytes, from);
    for (const needle of this.#needles) needle.next = -1;
    for (let at = from, hit = 0; (hit = this.#nextHit(bytes, at)) !== Infinity;) {
      const start = Math.max(at, bytes.lastIndexOf(LF, hit) + 1);
      const end = bytes.indexOf(LF, hit);
      this.#look(bytes, start, end);
      at = end + 1;
    }
  }

  #nextHit(bytes: Buffer, from: number): number {
    let first = Infinity;
    for (const needle of this.#needles) {
      if (needle.next < from) {
        const hit = bytes.indexOf(needle.bytes, from);
        needle.next = hit < 0 ? Infinity : hit;
      }
      if (needle.next < first) first = needle.next;
    }
    return first;
  }

  #look(bytes: Buffer, start: number, end: number): void {
    if (!FIRST_BYTES.has(bytes[start] ?? LF)) return;
    const overlong = end - start > MAX_LINE;
    const raw = bytes.toString("latin1", start, Math.min(end, start + MAX_LINE));
    const marker = parseMarker(raw, this.#keys, overlong);
    if (marker !== null) {
      this.#note(marker, bytes, start, end);
      return;
    }
    const fence = overlong ? null : parseFence(raw);
    if (fence === null) return;
    this.#ledger.fenceLine(fence);
    this.#settleFence(bytes, end + 1);
  }

  #settleFence(bytes: Buffer, from: number): void {
    if (this.#ledger.awaitsText && hasText(bytes, from, bytes.length)) this.#ledger.textFollows();
  }

  #note(marker: Marker, bytes: Buffer, start: number, end: number): void {
    const { text } = marker;
    const line = this.#clock.stamp(bytes, this.#base, this.#base + start);
    const echo = this.#isEcho(marker, bytes, start);
    const arrival = this.#arrival;
    if (marker.kind === "evidence") {
      if (!echo) this.#ledger.evidence({ value: "evidence", text, line, arrival });
      return;
    }
    const previous = this.#lastStatusEnd - this.#base;
    const adjoins = previous >= Math.max(0, start - LOOKBACK) && joinsChoices(bytes, previous, start);
    this.#ledger.status({ value: marker.value, text, line, arrival }, { adjoins, echo });
    this.#lastStatusEnd = marker.value === "invalid" ? -1 : this.#base + end + 1;
  }

  /** After another marker, only if that one was an echo too: a claim may use the very words of its example. */
  #isEcho(marker: Marker, bytes: Buffer, start: number): boolean {
    const context = contextBefore(bytes, start);
    const followsMarker = context.start >= 0 && this.#base + context.start === this.#lastMarker.offset;
    const echo = this.#echoes.has(marker.line, context) && (!followsMarker || this.#lastMarker.echo);
    this.#lastMarker = { offset: this.#base + start, echo };
    return echo;
  }
}
