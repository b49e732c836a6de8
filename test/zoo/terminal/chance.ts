/** Reproducible random numbers: the same seed gives the same sequence. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 up to, not including, the limit. */
  below(limit: number): number {
    return this.#next() % limit;
  }

  bytes(length: number): Buffer {
    const words = new Uint32Array(Math.ceil(length / 4));
    for (let at = 0; at < words.length; at++) words[at] = this.#next();
    return Buffer.from(words.buffer, 0, length);
  }

  #next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  }
}
