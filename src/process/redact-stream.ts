import type { Needles } from "../domain/needles.ts";
import { takeOut } from "../domain/redact.ts";

const NOTHING = Buffer.alloc(0);

/**
 * Takes known values out of a stream, however it is cut. Only what may be the beginning of a value is held back until more
 * arrives, so that a reader is not kept waiting for a line that is complete.
 */
export class RedactStream {
  readonly #known: Needles<Uint8Array>;
  #held: Buffer = NOTHING;

  constructor(known: Needles<Uint8Array>) {
    this.#known = known;
  }

  /** What may be passed on: possibly nothing, possibly the chunk itself. */
  push(chunk: Buffer): Buffer {
    if (this.#known.none) return chunk;
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk;
    const { clean, done } = takeOut(this.#known, bytes, false);
    // A copy: whoever reads into the chunk uses its memory again.
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
