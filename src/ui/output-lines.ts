import { TextDecoder } from "node:util";
import type { StreamName } from "../platform/process/write-turns.ts";
import { visible } from "../text/text.ts";
import type { Line } from "./page.ts";

const MAX_LINE = 2000;
const KEY_LINE = "[redacted]";

/** Joins an agent's output to lines, each stream on its own, made safe and bounded. */
export class OutputLines {
  readonly #redact: (line: string) => string;
  #inKey = false;
  readonly #streams: Readonly<Record<StreamName, LineBuffer>> = {
    stdout: new LineBuffer(),
    stderr: new LineBuffer(),
  };

  constructor(redact: (line: string) => string) {
    this.#redact = redact;
  }

  add(stream: StreamName, chunk: Buffer): Line[] {
    return this.#shown(this.#streams[stream].add(chunk));
  }

  flush(): Line[] {
    return this.#shown([...this.#streams.stdout.flush(), ...this.#streams.stderr.flush()]);
  }

  #shown(lines: readonly string[]): Line[] {
    return lines.map((line) => quoted(visible(this.#safe(line))));
  }

  /** A private key has several lines, of which only the first and the last look like one. */
  #safe(line: string): string {
    const inKey = this.#inKey;
    if (line.includes("PRIVATE KEY-----")) this.#inKey = line.includes("-----BEGIN");
    return inKey || this.#inKey ? KEY_LINE : this.#redact(line);
  }
}

/** Foreign text is behind a bar. So it cannot pass for a line of ours or begin with a command to a CI service. */
export function quoted(text: string): Line {
  return { text: `  | ${text}`, tone: "faint", mayBeCut: true };
}

class LineBuffer {
  #decoder = new TextDecoder();
  #partial = "";

  add(chunk: Buffer): string[] {
    return this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  flush(): string[] {
    const lines = this.#take(this.#decoder.decode());
    if (this.#partial !== "") lines.push(this.#closed());
    return lines;
  }

  #take(text: string): string[] {
    const lines: string[] = [];
    for (const [index, piece] of text.split("\n").entries()) {
      if (index > 0) lines.push(this.#closed());
      this.#partial += piece.slice(0, MAX_LINE + 1 - this.#partial.length);
    }
    return lines;
  }

  #closed(): string {
    const line = this.#partial.endsWith("\r") ? this.#partial.slice(0, -1) : this.#partial;
    this.#partial = "";
    return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} ...` : line;
  }
}
