import { randomBytes } from "node:crypto";

/**
 * A unique word in a stream that shows when all earlier output has come out. It is removed from the
 * stream. Digits and capitals pass a terminal's output settings unchanged.
 */
export class Sentinel {
  readonly bytes = Buffer.from(randomBytes(16).toString("hex").toUpperCase());
  #held: Buffer = Buffer.alloc(0);
  #seen = false;

  get seen(): boolean {
    return this.#seen;
  }

  /** Returns the bytes to pass on; holds back a possible beginning of the word. */
  pass(chunk: Buffer): Buffer {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = Buffer.alloc(0);
    if (this.#seen) return all;
    const at = all.indexOf(this.bytes);
    if (at >= 0) {
      this.#seen = true;
      return Buffer.concat([all.subarray(0, at), all.subarray(at + this.bytes.length)]);
    }
    const begun = this.#begunAtEnd(all);
    this.#held = all.subarray(all.length - begun);
    return all.subarray(0, all.length - begun);
  }

  /** The held-back bytes, once the word is no longer expected. */
  rest(): Buffer {
    return this.#held;
  }

  #begunAtEnd(all: Buffer): number {
    for (let length = Math.min(this.bytes.length - 1, all.length); length > 0; length--)
      if (all.subarray(all.length - length).equals(this.bytes.subarray(0, length))) return length;
    return 0;
  }
}
