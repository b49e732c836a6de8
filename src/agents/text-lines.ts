import { TextDecoder } from "node:util";

/** Enough for any error message; the rest of a longer line is dropped, so that memory stays flat. */
const MAX_LINE = 64 * 1024;

/** Splits a byte stream into lines of text and passes on each complete line once. */
export class TextLines {
  readonly #onLine: (line: string) => void;
  readonly #decoder = new TextDecoder();
  #partial = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    const [first = "", ...others] = this.#decoder.decode(chunk, { stream: true }).split("\n");
    this.#add(first);
    for (const piece of others) {
      this.#complete();
      this.#add(piece);
    }
  }

  /** A last line without a line feed counts, too. */
  end(): void {
    if (this.#partial !== "") this.#complete();
  }

  #add(piece: string): void {
    this.#partial += piece.slice(0, MAX_LINE - this.#partial.length);
  }

  #complete(): void {
    const line = this.#partial;
    this.#partial = "";
    this.#onLine(line);
  }
}
