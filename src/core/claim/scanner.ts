// Finds the markers in one output stream, as raw bytes, as they arrive. Almost all output is neither a marker nor a fence.
// So it searches for needles, and reads only lines that contain one.

import { contextBefore, EchoIndex, hasText, joinsChoices, LF, LOOKBACK } from "./context.ts";
import { type Entry, Ledger } from "./ledger.ts";
import { LineWindow } from "./line-window.ts";
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
  /** Texts that the agent received and may repeat. */
  readonly instructions: readonly string[];
  /** With it, only markers that carry it count: GA_STATUS[nonce]=DONE. */
  readonly nonce?: string;
}

export interface Found<Value> {
  readonly value: Value;
  /** The original text, safe for a message. */
  readonly text: string;
  /** Its line ends the stream. */
  readonly endsStream: boolean;
  readonly epoch: number;
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

/** Buffer.indexOf runs at memchr speed for needles under 8 bytes, and ten times slower for longer ones. */
const MAX_NEEDLE = 7;
/** A relevant line starts with one of these: a key, a fence, its indentation, or stripped characters. */
const FIRST_BYTES = new Set(Buffer.from("G`~ \r\u001B"));

export class StreamScanner {
  readonly #keys: MarkerKeys;
  readonly #needles: readonly Needle[];
  readonly #echoes: EchoIndex;
  readonly #ledger = new Ledger();

  readonly #window = new LineWindow({
    lines: (bytes, from) => this.#scan(bytes, from),
    overlongLine: (bytes, start) => {
      if (this.#ledger.awaitsText) this.#ledger.textFollows();
      this.#look(bytes, start, bytes.length);
    },
  });
  #epoch = 0;
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

  /** The chunk may be reused after the call. Output of a later epoch, on either stream, was written later. */
  push(chunk: Buffer, epoch: number): void {
    if (chunk.length > 0) this.#epoch = epoch;
    this.#window.push(chunk);
  }

  end(): ScanResult {
    this.#window.end();
    const { status, evidence } = this.#ledger.last();
    return {
      status: status === null ? null : this.#found(status),
      evidence: evidence === null ? null : this.#found(evidence),
    };
  }

  #found<Value>({ value, text, offset, epoch }: Entry<Value>): Found<Value> {
    return { value, text, epoch, endsStream: offset === this.#window.lastLineOffset };
  }

  /** Scans the whole lines from `from` to the end of `bytes`. */
  #scan(bytes: Buffer, from: number): void {
    this.#settleFence(bytes, from);
    for (const needle of this.#needles) needle.next = -1;
    let at = from;
    for (let hit = this.#nextHit(bytes, at); hit !== Infinity; hit = this.#nextHit(bytes, at)) {
      const start = bytes.lastIndexOf(LF, hit) + 1;
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
    const offset = this.#window.base + start;
    const echo = this.#isEcho(marker, bytes, start);
    const found = { text: marker.text, offset, epoch: this.#epoch };
    if (marker.kind === "evidence") {
      if (!echo) this.#ledger.evidence({ ...found, value: "evidence" });
      return;
    }
    const valid = marker.value !== "invalid";
    const adjoins = valid && this.#adjoinsStatus(bytes, start);
    this.#ledger.status({ ...found, value: marker.value }, { adjoins, echo });
    this.#lastStatusEnd = valid ? this.#window.base + end + 1 : -1;
  }

  #adjoinsStatus(bytes: Buffer, start: number): boolean {
    const previous = this.#lastStatusEnd - this.#window.base;
    return previous >= Math.max(0, start - LOOKBACK) && joinsChoices(bytes, previous, start);
  }

  /** After another marker it is an echo only if that one was too: a claim may use the very words of its example. */
  #isEcho(marker: Marker, bytes: Buffer, start: number): boolean {
    const { base } = this.#window;
    const context = contextBefore(bytes, start);
    const followsMarker = context.start >= 0 && base + context.start === this.#lastMarker.offset;
    const echo = this.#echoes.has(marker.line, context) && (!followsMarker || this.#lastMarker.echo);
    this.#lastMarker = { offset: base + start, echo };
    return echo;
  }
}
