import picocolors from "picocolors";
import stringWidth from "fast-string-width";
import { cutToWidth, wrapToWidth } from "./format.ts";

export type Tone = "good" | "bad" | "warn" | "ask" | "busy" | "faint";

/** Keeps long foreign text from filling the screen. */
const MAX_ROWS = 4;
const MIN_WIDTH = 20;

/** A line to show. Only foreign text may be cut, and only on a terminal. Ids, commands and codes never are. */
export interface Line {
  /** Appears before the text and is never coloured. */
  readonly lead?: string;
  readonly text: string;
  readonly tone?: Tone | undefined;
  readonly mayBeCut?: boolean;
  /** The column in which its further rows begin; if left out, two behind the first one's. */
  readonly hanging?: number;
  /** A command or a path to be copied: only the terminal may break it. */
  readonly isWhole?: boolean;
}

interface PageStyle {
  readonly color: boolean;
  /** A person looks at it, so long foreign text is cut. Otherwise a log parser may read it. */
  readonly terminal: boolean;
}

/** Lines that scroll and stay. */
export class Page {
  readonly #stream: NodeJS.WriteStream;
  readonly #style: PageStyle;
  readonly #paint: Paint;

  constructor(stream: NodeJS.WriteStream, style: PageStyle) {
    this.#stream = stream;
    this.#style = style;
    this.#paint = painter(style.color);
  }

  print(lines: readonly Line[]): void {
    if (lines.length === 0) return;
    writeQuietly(this.#stream, lines.flatMap((line) => this.#rows(line)).join(""));
  }

  get isCongested(): boolean {
    return isCongested(this.#stream);
  }

  #rows(line: Line): readonly string[] {
    const { lead = "", text, tone } = line;
    const [first = "", ...rest] = this.#fitted(line);
    const below = " ".repeat(stringWidth(lead));
    // If a line has a head, only the head has the tone.
    const restTone = tone === "faint" || !text.includes("  ") ? tone : undefined;
    return [
      `${lead}${this.#paint(first, tone)}\n`,
      ...rest.map((row) => `${below}${this.#paint(row, restTone)}\n`),
    ];
  }

  #fitted({ lead = "", text, mayBeCut, hanging, isWhole }: Line): readonly string[] {
    if (!this.#style.terminal) return [disarmed(text)];
    if (isWhole === true) return [text];
    const width = Math.max(MIN_WIDTH, columnsOf(this.#stream) - 1 - stringWidth(lead));
    const rows = wrapToWidth(text, width, hanging, mayBeCut);
    const shown = mayBeCut === true && rows.length > MAX_ROWS ? cutRows(rows, width) : rows;
    return shown.map((row) => (mayBeCut === true ? cutToWidth(row, width) : row));
  }
}

/** Marks the last row if rows are left out. */
function cutRows(rows: readonly string[], width: number): readonly string[] {
  const last = rows[MAX_ROWS - 1] ?? "";
  return [...rows.slice(0, MAX_ROWS - 1), cutToWidth(`${last} ${" ".repeat(width)}`, width)];
}

/** CI services take `##[command]`, `##vso[…]`, `##teamcity[…]` for commands anywhere in a line. */
function disarmed(text: string): string {
  return text.replace(/##(?=\w*\[)/g, "# #");
}

/** The most output kept in memory for a slow reader. Further agent output is only in its transcript. */
const MAX_BACKLOG = 4 * 1024 * 1024;

export function isCongested(stream: NodeJS.WriteStream): boolean {
  return stream.writableLength > MAX_BACKLOG;
}

export function columnsOf(stream: NodeJS.WriteStream): number {
  return stream.columns > 0 ? stream.columns : 80;
}

/** Output may get lost, because a run never stops for it. */
export function writeQuietly(stream: NodeJS.WriteStream, text: string): void {
  try {
    stream.write(text);
  } catch {
    // The reader is gone; the journal has it all.
  }
}

const ignore = (): void => undefined;

/** Without a listener, a reader that has gone away (EPIPE) would end the process. */
export function ignoreWriteErrors(stream: NodeJS.WriteStream): void {
  if (!stream.listeners("error").includes(ignore)) stream.on("error", ignore);
}

export type Paint = (text: string, tone: Tone | undefined) => string;

/** Colours a line's head, up to the first gap. The words say the same without colour. */
export function painter(color: boolean): Paint {
  const colors = picocolors.createColors(color);
  const tones: Readonly<Record<Tone, (text: string) => string>> = {
    good: colors.green,
    bad: colors.red,
    warn: colors.yellow,
    ask: colors.cyan,
    busy: colors.cyan,
    faint: colors.dim,
  };
  return (text, tone) => {
    if (tone === undefined) return text;
    if (tone === "faint") return tones.faint(text);
    const gap = text.indexOf("  ");
    const head = gap === -1 ? text : text.slice(0, gap);
    return tones[tone](head) + text.slice(head.length);
  };
}
