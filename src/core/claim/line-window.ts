// Turns arbitrary chunks into whole lines, each with a bounded piece of the text before it.

import { LF, LOOKBACK } from "./context.ts";
import { MAX_LINE } from "./line.ts";

export interface LineReader {
  /** Reads the whole lines from `from` to the end of `bytes`; earlier bytes are context. */
  lines(bytes: Buffer, from: number): void;
  /** The last line of `bytes`, from `start`, is unfinished and overlong; the rest of it is not passed on. */
  overlongLine(bytes: Buffer, start: number): void;
}

/** Enough to look back from the start of an unfinished line. */
const HISTORY = LOOKBACK + MAX_LINE + 1;
const CAPACITY = HISTORY + 128 * 1024;
const LINE_END = Buffer.from([LF]);

export class LineWindow {
  readonly #reader: LineReader;
  /** Holds bytes [base, base + #end) of the stream. */
  readonly #bytes = Buffer.allocUnsafe(CAPACITY);
  #base = 0;
  #end = 0;
  /** May be negative, when the line is overlong. */
  #lineStart = 0;
  #lineIsOverlong = false;
  #lastLineOffset = 0;

  constructor(reader: LineReader) {
    this.#reader = reader;
  }

  /** The stream offset of index 0 of the bytes given to the reader. */
  get base(): number {
    return this.#base;
  }

  /** The stream offset at which the last whole line starts. */
  get lastLineOffset(): number {
    return this.#lastLineOffset;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      if (CAPACITY - this.#end < chunk.length - at) this.#forget();
      const fresh = this.#end;
      const taken = chunk.copy(this.#bytes, fresh, at);
      this.#end += taken;
      this.#read(fresh);
      at += taken;
    }
  }

  /** An unfinished last line counts as a line. */
  end(): void {
    if (this.#end > 0 && this.#bytes[this.#end - 1] !== LF) this.push(LINE_END);
  }

  #forget(): void {
    const dropped = Math.max(0, this.#end - HISTORY);
    this.#bytes.copyWithin(0, dropped, this.#end);
    this.#base += dropped;
    this.#end -= dropped;
    this.#lineStart -= dropped;
  }

  #read(fresh: number): void {
    const lastLf = fresh + this.#bytes.subarray(fresh, this.#end).lastIndexOf(LF);
    if (lastLf >= fresh) {
      const from = this.#lineIsOverlong ? this.#bytes.indexOf(LF, fresh) + 1 : this.#lineStart;
      const previousLf = this.#bytes.subarray(0, lastLf).lastIndexOf(LF);
      this.#lastLineOffset = this.#base + (previousLf < 0 ? this.#lineStart : previousLf + 1);
      this.#lineStart = lastLf + 1;
      this.#lineIsOverlong = false;
      this.#reader.lines(this.#bytes.subarray(0, this.#lineStart), from);
    }
    if (!this.#lineIsOverlong && this.#end - this.#lineStart > MAX_LINE) {
      this.#lineIsOverlong = true;
      this.#reader.overlongLine(this.#bytes.subarray(0, this.#end), this.#lineStart);
    }
  }
}
