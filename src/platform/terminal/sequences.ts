const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;

/** Longer control sequences and titles mean nothing to us; their rest is skipped. */
const MAX_KEPT = 4096;

/** Receives the sequences of an output stream. */
export interface SequenceListener {
  /** `CSI ? 1049 h`: the bytes from `from` up to `to` are the body, "?1049", and the one at `to` is the last, "h". */
  readonly csi: (bytes: Buffer, from: number, to: number) => void;
  /** `ESC ( 0` → "(0". */
  readonly esc: (body: string) => void;
  readonly osc: (text: string) => void;
}

type Inside = "ground" | "escape" | "csi" | "osc" | "string";

/**
 * Follows a program's output and knows at every moment whether the terminal is between two sequences and two characters.
 * Other text may be inserted only there. Plain text is skipped, so that it costs next to nothing.
 */
export class Sequences {
  readonly #listener: SequenceListener;
  #inside: Inside = "ground";
  #kept: number[] = [];
  /** Missing bytes of the last character. */
  #missing = 0;

  constructor(listener: SequenceListener) {
    this.#listener = listener;
  }

  get between(): boolean {
    return this.#inside === "ground" && this.#missing === 0;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length)
      at = this.#inside === "ground" ? this.#text(chunk, at) : this.#control(chunk, at);
  }

  #text(chunk: Buffer, from: number): number {
    const escape = nextEscape(chunk, from);
    if (escape < 0) {
      this.#missing = missingAtEnd(chunk, from, this.#missing);
      return chunk.length;
    }
    this.#missing = 0;
    const final = chunk[escape + 1] === 0x5b ? endOfCsi(chunk, escape + 2) : -1;
    if (final >= 0) {
      this.#listener.csi(chunk, escape + 2, final);
      return final + 1;
    }
    this.#begin("escape");
    return escape + 1;
  }

  #control(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === CAN || byte === SUB) this.#begin("ground");
      else if (byte === ESC) {
        if (this.#inside === "osc") this.#reportOsc();
        this.#begin("escape");
      } else if (this.#inside === "escape") this.#inEscape(byte);
      else if (this.#inside === "csi") this.#inCsi(byte);
      else if (this.#inside === "osc") this.#inOsc(byte);
      if (this.#inside === "ground") return at + 1;
    }
    return chunk.length;
  }

  #inEscape(byte: number): void {
    if (byte < 0x20) return;
    const first = this.#kept.length === 0;
    if (first && byte === 0x5b) this.#begin("csi");
    else if (first && byte === 0x5d) this.#begin("osc");
    else if (first && (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f))
      this.#begin("string");
    else if (byte < 0x30) this.#keep(byte);
    else {
      this.#keep(byte);
      this.#listener.esc(String.fromCodePoint(...this.#kept));
      this.#begin("ground");
    }
  }

  #inCsi(byte: number): void {
    if (byte >= 0x20 && byte < 0x40) this.#keep(byte);
    else if (byte >= 0x40 && byte < 0x7f) {
      this.#listener.csi(Buffer.from([...this.#kept, byte]), 0, this.#kept.length);
      this.#begin("ground");
    } else if (byte >= 0x80) this.#begin("ground");
  }

  #inOsc(byte: number): void {
    if (byte !== BEL) return this.#keep(byte);
    this.#reportOsc();
    this.#begin("ground");
  }

  #reportOsc(): void {
    this.#listener.osc(Buffer.from(this.#kept).toString("utf8"));
  }

  #keep(byte: number): void {
    if (this.#kept.length < MAX_KEPT) this.#kept.push(byte);
  }

  #begin(inside: Inside): void {
    this.#inside = inside;
    if (this.#kept.length > 0) this.#kept = [];
  }
}

/** Text between sequences is mostly short, and then a loop is quicker than a search. */
function nextEscape(chunk: Buffer, from: number): number {
  const near = Math.min(chunk.length, from + 64);
  for (let at = from; at < near; at++) if (chunk[at] === ESC) return at;
  return chunk.indexOf(ESC, near);
}

/** The end of a plain control sequence; -1: not in this chunk, or an unusual byte. */
function endOfCsi(chunk: Buffer, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const byte = chunk[at] ?? 0;
    if (byte >= 0x40) return byte < 0x7f ? at : -1;
    if (byte < 0x20) return -1;
  }
  return -1;
}

/** How many bytes of a UTF-8 character are still missing at the end of the chunk. */
function missingAtEnd(chunk: Buffer, from: number, missingBefore: number): number {
  let seen = 0;
  while (seen < 3 && chunk.length - 1 - seen >= from && isContinuation(chunk[chunk.length - 1 - seen]))
    seen++;
  const lead = chunk.length - 1 - seen;
  if (lead < from) return Math.max(0, missingBefore - seen);
  return Math.max(0, lengthBy(chunk[lead] ?? 0) - 1 - seen);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function lengthBy(lead: number): number {
  if (lead >= 0xf0 && lead < 0xf8) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xc0 && lead < 0xe0 ? 2 : 1;
}
