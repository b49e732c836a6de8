import { columnsOf, painter, writeQuietly, type Line, type Paint } from "../ui/page.ts";
import { cutToWidth, rowsAt } from "../ui/format.ts";

const SYNC_BEGIN = "\u001b[?2026h";
const SYNC_END = "\u001b[?2026l";
const ERASE_BELOW = "\u001b[J";

/**
 * The few lines that are redrawn below the history. The cursor rests on an empty line under them.
 * Terminals differ in whether they reflow the cursor's line, so that line must be empty.
 */
export class Frame {
  readonly #stream: NodeJS.WriteStream;
  readonly #paint: Paint;
  #shown: readonly string[] = [];

  constructor(stream: NodeJS.WriteStream, color: boolean) {
    this.#stream = stream;
    this.#paint = painter(color);
  }

  draw(lines: readonly Line[]): void {
    const width = columnsOf(this.#stream) - 1;
    const fitted = lines
      .slice(0, this.#room())
      .map(({ text, tone }) => ({ text: cutToWidth(text, width), tone }));
    const text = fitted.map((line) => `${this.#paint(line.text, line.tone)}\n`).join("");
    writeQuietly(this.#stream, SYNC_BEGIN + this.#erasure() + text + SYNC_END);
    this.#shown = fitted.map((line) => line.text);
  }

  erase(): void {
    if (this.#shown.length === 0) return;
    writeQuietly(this.#stream, this.#erasure());
    this.#shown = [];
  }

  /** A narrower window has reflowed the drawn lines, so count the rows they take now. */
  #erasure(): string {
    const columns = columnsOf(this.#stream);
    const rows = this.#shown.reduce((sum, line) => sum + rowsAt(line, columns), 0);
    return rows === 0 ? "" : `\r\u001b[${rows}A${ERASE_BELOW}`;
  }

  /** Lines that scroll out at the top can never be erased again. */
  #room(): number {
    return this.#stream.rows > 0 ? this.#stream.rows - 1 : Number.POSITIVE_INFINITY;
  }
}
