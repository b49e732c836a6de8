import { LF } from "./context.ts";

/** Bytes after a marker in which line ends are counted; beyond, "many" has to do. */
const COUNTED_BYTES = 1024 * 1024;
const MANY_LINES = 2 ** 31;

/**
 * Numbers the lines that matter. Counting every line end of a gigabyte would cost more than the whole scan, so
 * it counts only in the stretch after each stamped line; what it did not count weighs as MANY_LINES.
 */
export class LineClock {
  #lines = 0;
  #counted = 0;
  #until = 0;

  /** The number of the line that starts at stream offset `start`; stamps come in stream order. */
  stamp(bytes: Buffer, base: number, start: number): number {
    this.read(bytes, base, start);
    if (start > this.#until) this.#lines += MANY_LINES;
    this.#counted = Math.max(this.#counted, start);
    this.#until = start + COUNTED_BYTES;
    return this.#lines + 1;
  }

  /** Takes note of the stream up to offset `end`; `bytes` begins at offset `base`. */
  read(bytes: Buffer, base: number, end: number): void {
    const to = Math.min(end, this.#until) - base;
    for (let at = this.#counted - base; at < to; at += 1) {
      if (bytes[at] === LF) this.#lines += 1;
    }
    this.#counted = Math.max(this.#counted, end);
  }

  /** How many lines end after line `stamp`, when the stream ends at offset `end`; Infinity if uncounted. */
  linesAfter(stamp: number, end: number): number {
    const lines = this.#lines - stamp;
    return end > this.#until || lines >= MANY_LINES ? Infinity : lines;
  }
}
