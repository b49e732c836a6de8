import type { Needles } from "../../text/multi-pattern-search.ts";
import { takeOut } from "../../text/redact.ts";

const NOTHING = Buffer.alloc(0);

/**
 * Removes known values from a stream, however it is cut. It holds back only a possible beginning of a value, so that a reader
 * gets a complete line at once.
 */
export class RedactStream {
  readonly #known: Needles<Uint8Array>;
  #held: Buffer = NOTHING;

  constructor(known: Needles<Uint8Array>) {
    this.#known = known;
  }

  /** Returns the bytes to pass on: possibly none, possibly the chunk itself. */
  push(chunk: Buffer): Buffer {
    if (this.#known.none) return chunk;
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    const { clean, done } = takeOut(this.#known, bytes, false);
    // A copy, because the reader reuses the chunk's memory.
    this.#held = done < bytes.length ? Buffer.from(bytes.subarray(done)) : NOTHING;
    return asBuffer(clean);
  }

  end(): Buffer {
    const { clean } = takeOut(this.#known, this.#held, true);
    this.#held = NOTHING;
    return asBuffer(clean);
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
