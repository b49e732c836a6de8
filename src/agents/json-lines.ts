import { isAscii } from "node:buffer";

const LF = 0x0a;
const END = Buffer.from("\n");
/** No agent needs a longer line to report the end of a turn. Longer ones are skipped, so that memory stays flat. */
const MAX_LINE = 8 * 1024 * 1024;
const MAX_TEXT = 8 * 1024;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Splits a stream into lines, at line feeds alone (a JSON string may contain U+2028), and passes on those that are JSON
 * objects. Keeps the last other lines, because agents print some errors as text.
 */
export class JsonLines {
  readonly #onObject: (object: JsonObject) => void;
  readonly #wanted: (line: string) => boolean;
  #parts: Buffer[] = [];
  #length = 0;
  #skipping = false;
  #text = "";
  #objects = 0;
  #skipped = 0;
  #strays = 0;

  /** `wanted` avoids parsing lines whose bytes (one per character) show that nothing in them matters. */
  constructor(onObject: (object: JsonObject) => void, wanted: (line: string) => boolean = () => true) {
    this.#onObject = onObject;
    this.#wanted = wanted;
  }

  /** Number of JSON lines, wanted or not. */
  get objects(): number {
    return this.#objects;
  }

  /** Number of lines that were too long. */
  get skipped(): number {
    return this.#skipped;
  }

  /** Number of lines that are not JSON, or broken. */
  get strays(): number {
    return this.#strays;
  }

  /** The last lines that are not JSON. */
  get text(): string {
    return this.#text;
  }

  push(chunk: Buffer): void {
    const last = chunk.lastIndexOf(LF);
    let start = 0;
    if (last !== -1 && this.#length > 0) {
      start = chunk.indexOf(LF) + 1;
      this.#line(chunk.subarray(0, start - 1));
    }
    if (last >= start) this.#lines(chunk.subarray(start, last + 1));
    this.#keep(chunk.subarray(Math.max(start, last + 1)));
  }

  /** A last line without an end counts, too. */
  end(): void {
    if (this.#length > 0) this.#line(Buffer.alloc(0));
  }

  /** Copies, because the next read reuses the chunk's memory. */
  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#length > MAX_LINE) this.#skipping = true;
    if (this.#skipping) this.#parts = [];
    else this.#parts.push(Buffer.from(part));
  }

  #line(rest: Buffer): void {
    const tooLong = this.#skipping || this.#length + rest.length > MAX_LINE;
    const parts = this.#parts;
    this.#parts = [];
    this.#length = 0;
    this.#skipping = false;
    if (tooLong) this.#skipped += 1;
    else this.#lines(Buffer.concat([...parts, rest, END]));
  }

  /**
   * For short lines, decoding one by one costs more than parsing. So they are inspected as single bytes, which is almost free. Only
   * a wanted line with non-ASCII bytes is decoded.
   */
  #lines(bytes: Buffer): void {
    const text = bytes.toString("latin1");
    const ascii = isAscii(bytes);
    let start = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", start)) {
      const from = start;
      const line = text.slice(from, at);
      start = at + 1;
      if (line !== "" && line.length <= MAX_LINE)
        this.#read(line, () => (ascii ? line : bytes.toString("utf8", from, at)));
    }
  }

  #read(line: string, decoded: () => string): void {
    if (line.startsWith("{")) {
      if (!this.#wanted(line)) {
        this.#objects += 1;
        return;
      }
      const object = parseObject(decoded());
      if (object) {
        this.#objects += 1;
        this.#onObject(object);
        return;
      }
    }
    this.#strays += 1;
    this.#text = `${this.#text}${decoded().slice(0, MAX_TEXT)}\n`.slice(-MAX_TEXT);
  }
}

/** A JSON object, or undefined. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Agents change their formats, so a value of an unexpected type counts as absent. */
export function objectIn(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const found = value?.[key];
  return isObject(found) ? found : undefined;
}

export function stringIn(value: JsonObject | undefined, key: string): string | undefined {
  const found = value?.[key];
  return typeof found === "string" ? found : undefined;
}

export function numberIn(value: JsonObject | undefined, key: string): number | undefined {
  const found = value?.[key];
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

export function listIn(value: JsonObject | undefined, key: string): readonly unknown[] {
  const found = value?.[key];
  return Array.isArray(found) ? found : [];
}

/** The joined texts of a list of parts. */
export function textIn(value: JsonObject | undefined, key: string): string {
  return listIn(value, key)
    .flatMap((part) => (isObject(part) ? [stringIn(part, "text") ?? ""] : []))
    .join("");
}
