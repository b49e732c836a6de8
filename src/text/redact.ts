import { Needles } from "./multi-pattern-search.ts";
import { MARK, needlesOf, type Secret } from "./secret.ts";
import { SECRET_PATTERNS, type SecretPattern } from "./secret-patterns.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Removes secrets from text: known values, and keys with a known form. */
export class Redactor {
  /** For callers that search bytes. */
  readonly known: Needles<Uint8Array>;
  readonly #anchors: Needles<SecretPattern>;

  constructor(secrets: readonly Secret[], patterns: readonly SecretPattern[] = SECRET_PATTERNS) {
    this.known = needlesOf(secrets);
    this.#anchors = new Needles(
      patterns.flatMap((pattern) =>
        pattern.anchors.map((anchor) => ({ bytes: encoder.encode(anchor), meaning: pattern })),
      ),
    );
  }

  text(text: string): string {
    const bytes = encoder.encode(text);
    const { clean } = takeOut(this.known, bytes, true);
    let result = clean === bytes ? text : decoder.decode(clean);
    const patterns = this.#patternsIn(clean);
    // Repeats while something is found: a removal may uncover the beginning of a word.
    for (let before = ""; before !== result;) {
      before = result;
      for (const { form } of patterns)
        result = result.replace(form, (_, kept: unknown) => (typeof kept === "string" ? kept : "") + MARK);
    }
    return result;
  }

  holds(text: string): boolean {
    return this.text(text) !== text;
  }

  /** The patterns whose fixed letters occur: nearly always none, so none is tried. */
  #patternsIn(bytes: Uint8Array): ReadonlySet<SecretPattern> {
    const found = new Set<SecretPattern>();
    for (let at = this.#anchors.find(bytes, 0); at; at = this.#anchors.find(bytes, at.start + 1))
      found.add(at.meaning);
    return found;
  }
}

interface TakenOut {
  /** The very same bytes if there was nothing to remove. */
  readonly clean: Uint8Array;
  /** How many of the bytes are done; the rest may be the beginning of a value. */
  readonly done: number;
}

/** `complete`: nothing follows these bytes. */
export function takeOut(known: Needles<Uint8Array>, bytes: Uint8Array, complete: boolean): TakenOut {
  const limitFrom = (from: number): number => (complete ? bytes.length : known.unfinished(bytes, from));
  let done = limitFrom(0);
  let kept = 0;
  const pieces: Uint8Array[] = [];
  for (let found = known.find(bytes, 0); found && found.start < done; found = known.find(bytes, kept)) {
    pieces.push(bytes.subarray(kept, found.start), found.meaning);
    kept = found.end;
    if (kept > done) done = limitFrom(kept);
  }
  if (pieces.length > 0) return { clean: joined([...pieces, bytes.subarray(kept, done)]), done };
  return { clean: done === bytes.length ? bytes : bytes.subarray(0, done), done };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
