import type { Terminal as Model } from "@xterm/headless";

/** The content of the agent's screen. */
export interface Screen {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly col: number };
}

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Beyond this, older output is dropped: the last part draws the whole screen. */
const MAX_WAITING = 1024 * 1024;
/** Parses after this much silence, so that an answer is ready without burdening a busy stream. */
const IDLE_MS = 200;

/** A model of the screen that costs nothing while the agent writes and no caller looks. */
export class ScreenModel {
  #size: Size;
  #model: Model | undefined;
  #waiting: (Buffer | Size)[] = [];
  #bytes = 0;
  #lost = false;
  #parsed: Promise<void> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  constructor(size: Size) {
    this.#size = size;
  }

  push(chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#bytes += chunk.length;
    while (this.#bytes > MAX_WAITING) this.#dropOldest();
    if (this.#idle === undefined) this.#idle = setTimeout(() => this.#whenIdle(), IDLE_MS).unref();
    else this.#idle.refresh();
  }

  resize(size: Size): void {
    this.#waiting.push(size);
  }

  async read(): Promise<Screen> {
    await this.#parse();
    const model = await this.#opened();
    const { active } = model.buffer;
    const rows = Array.from(
      { length: model.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    );
    return { rows, cursor: { row: active.cursorY, col: active.cursorX } };
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#waiting = [];
    this.#model?.dispose();
  }

  #whenIdle(): void {
    void this.#parse();
  }

  #dropOldest(): void {
    const oldest = this.#waiting.shift();
    if (oldest === undefined) return;
    if (Buffer.isBuffer(oldest)) {
      this.#bytes -= oldest.length;
      this.#lost = true;
    } else this.#size = oldest;
  }

  /** One after the other, because a resize must not overtake earlier output. */
  #parse(): Promise<void> {
    this.#parsed = this.#parseAfter(this.#parsed);
    return this.#parsed;
  }

  async #parseAfter(before: Promise<void>): Promise<void> {
    await before;
    const model = await this.#opened();
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    if (this.#lost) model.reset();
    this.#lost = false;
    setSize(model, this.#size);
    for (const item of joined(waiting))
      if (Buffer.isBuffer(item)) await written(model, item);
      else setSize(model, (this.#size = item));
  }

  async #opened(): Promise<Model> {
    if (this.#model) return this.#model;
    const { default: xterm } = await import("@xterm/headless");
    const { columns: cols, rows } = this.#size;
    // It fails at a resize without any lines of scrollback.
    const quiet = { scrollback: 100, logLevel: "off", allowProposedApi: true } as const;
    // Otherwise it logs to the user's screen what it did not understand.
    // Its warnings about late tasks ignore `logLevel`, and this program prints nothing by `console` itself.
    // oxlint-disable-next-line no-console
    console.warn = () => undefined;
    return (this.#model ??= new xterm.Terminal({ cols, rows, ...quiet }));
  }
}

/** Moves the cursor from within a picture to the first line below it; empty if it is on an empty line below everything. */
export function belowPicture({ rows, cursor }: Screen): string {
  const down = rows.findLastIndex((row) => row !== "") - cursor.row;
  if (down < 0 && cursor.col === 0) return "";
  return `${down > 0 ? `\u001b[${down}B` : ""}\r\n`;
}

/** Joins adjacent chunks, because the model takes a break after each. */
function joined(items: readonly (Buffer | Size)[]): (Buffer | Size)[] {
  const result: (Buffer | Size)[] = [];
  let run: Buffer[] = [];
  const finish = (): void => {
    if (run.length > 0) result.push(Buffer.concat(run));
    run = [];
  };
  for (const item of items) {
    if (Buffer.isBuffer(item)) {
      run.push(item);
      continue;
    }
    finish();
    result.push(item);
  }
  finish();
  return result;
}

function setSize(model: Model, { columns, rows }: Size): void {
  if (model.cols !== columns || model.rows !== rows) model.resize(columns, rows);
}

function written(model: Model, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => model.write(chunk, resolve));
}
