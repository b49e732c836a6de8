export interface Needle<T> {
  readonly bytes: Uint8Array;
  readonly meaning: T;
}

interface Found<T> {
  readonly start: number;
  readonly end: number;
  readonly meaning: T;
}

/**
 * Finds many byte strings in one pass (the idea of Wu and Manber). One search per needle would cost a pass each. Here most bytes are
 * skipped: if two adjacent bytes occur in no needle, the search jumps ahead by the length of the shortest.
 */
export class Needles<T> {
  readonly #needles: readonly Needle<T>[];
  /** Keyed by the last two bytes of a window as long as the shortest needle: needles that may begin at the window's start. */
  readonly #candidates = new Map<number, Needle<T>[]>();
  /** Keyed by the same two bytes: how far to jump. 0: look closer. */
  readonly #shifts = new Uint8Array(0x1_0000);
  readonly #window: number;
  readonly #longest: number;
  readonly #firstBytes: ReadonlySet<number>;

  /** Needles need at least two bytes. */
  constructor(needles: readonly Needle<T>[]) {
    this.#needles = needles.toSorted((a, b) => b.bytes.length - a.bytes.length);
    this.#longest = this.#needles[0]?.bytes.length ?? 0;
    this.#window = Math.min(0xff, this.#needles.at(-1)?.bytes.length ?? 0);
    this.#firstBytes = new Set(this.#needles.map(({ bytes }) => byteAt(bytes, 0)));
    this.#shifts.fill(this.#window - 1);
    for (const needle of this.#needles) this.#enter(needle);
  }

  get none(): boolean {
    return this.#needles.length === 0;
  }

  /** The first needle at or after `from`; of several that begin there, the longest. */
  find(bytes: Uint8Array, from: number): Found<T> | undefined {
    if (this.none) return undefined;
    const shifts = this.#shifts;
    const reach = this.#window - 1;
    const { length } = bytes;
    for (let last = from + reach; last < length;) {
      const shift = shifts[pairAt(bytes, last)] ?? 0;
      if (shift === 0) {
        const found = this.#at(bytes, last - reach, pairAt(bytes, last));
        if (found) return found;
      }
      last += shift || 1;
    }
    return undefined;
  }

  /** The place at or after `from` where the bytes end with the beginning of a needle; their length if there is none. */
  unfinished(bytes: Uint8Array, from: number): number {
    const { length } = bytes;
    for (let at = Math.max(from, length - this.#longest + 1); at < length; at++)
      if (this.#firstBytes.has(byteAt(bytes, at)) && this.#begins(bytes, at)) return at;
    return length;
  }

  #enter(needle: Needle<T>): void {
    const reach = this.#window - 1;
    for (let last = 1; last <= reach; last++) {
      const pair = pairAt(needle.bytes, last);
      this.#shifts[pair] = Math.min(this.#shifts[pair] ?? 0, reach - last);
    }
    const pair = pairAt(needle.bytes, reach);
    this.#candidates.set(pair, [...(this.#candidates.get(pair) ?? []), needle]);
  }

  #at(bytes: Uint8Array, start: number, pair: number): Found<T> | undefined {
    const needle = this.#candidates.get(pair)?.find((candidate) => matchesAt(bytes, start, candidate.bytes));
    return needle && { start, end: start + needle.bytes.length, meaning: needle.meaning };
  }

  #begins(bytes: Uint8Array, at: number): boolean {
    const rest = bytes.length - at;
    return this.#needles.some(
      (needle) => needle.bytes.length > rest && matchesAt(bytes, at, needle.bytes.subarray(0, rest)),
    );
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function pairAt(bytes: Uint8Array, last: number): number {
  return (byteAt(bytes, last - 1) << 8) | byteAt(bytes, last);
}

function matchesAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  if (start + wanted.length > bytes.length) return false;
  for (let index = 0; index < wanted.length; index++)
    if (bytes[start + index] !== wanted[index]) return false;
  return true;
}
