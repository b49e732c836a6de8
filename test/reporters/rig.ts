import { EventEmitter } from "node:events";
import xterm from "@xterm/headless";
import type { Lang } from "../../src/core/settings.ts";
import type { Clock } from "../../src/screens/clock.ts";
import { openReporter, type ReporterOptions } from "../../src/screens/open.ts";
import type { Reporter } from "../../src/engine/reporter.ts";

/** Nine o'clock in the local time zone. */
const NINE = new Date(2026, 10, 15, 9, 0, 0).getTime();

export class FakeClock implements Clock {
  #now = NINE;
  readonly #timers = new Set<{ ms: number; due: number; tick: () => void }>();

  readonly now = (): number => this.#now;
  readonly every = (ms: number, tick: () => void): (() => void) => {
    const timer = { ms, due: this.#now + ms, tick };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  };

  get running(): number {
    return this.#timers.size;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.due - b.due)[0];
      if (!next || next.due > end) break;
      this.#now = next.due;
      next.due += next.ms;
      next.tick();
    }
    this.#now = end;
  }
}

class FakeStream extends EventEmitter {
  readonly isTTY: boolean;
  columns: number | undefined;
  rows: number | undefined;
  readonly writes: string[] = [];
  /** Bytes that wait for a reader. */
  writableLength = 0;
  onWrite: (text: string) => void = () => undefined;

  constructor(size?: { columns: number; rows: number }) {
    super();
    this.isTTY = size !== undefined;
    this.columns = size?.columns;
    this.rows = size?.rows;
  }

  get text(): string {
    return this.writes.join("");
  }

  get stream(): NodeJS.WriteStream {
    return this as unknown as NodeJS.WriteStream;
  }

  write(text: string): boolean {
    this.writes.push(text);
    this.onWrite(text);
    return true;
  }
}

export const pipe = (): FakeStream => new FakeStream();
export const tty = (columns = 80, rows = 24): FakeStream => new FakeStream({ columns, rows });

/** A real terminal emulator that both streams write to. */
export class Screen {
  readonly stdout: FakeStream;
  readonly stderr: FakeStream;
  readonly #terminal;

  constructor(columns = 80, rows = 24, stdout = tty(columns, rows)) {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      scrollback: 10_000,
      allowProposedApi: true,
      convertEol: true,
    });
    this.stdout = stdout;
    this.stderr = tty(columns, rows);
    for (const stream of [this.stdout, this.stderr])
      if (stream.isTTY) stream.onWrite = (text) => this.#terminal.write(text);
  }

  onTitle(listener: (title: string) => void): void {
    this.#terminal.onTitleChange(listener);
  }

  async resize(columns: number, rows = 24): Promise<void> {
    await this.settled();
    this.#terminal.resize(columns, rows);
    for (const stream of [this.stdout, this.stderr]) Object.assign(stream, { columns, rows });
  }

  /** Every row, including scrolled ones, without empty ones at the end. */
  async rows(): Promise<string[]> {
    await this.settled();
    return withoutEmptyEnd(this.#lines().map((line) => line.translateToString(true)));
  }

  /** Like `rows`, but joins lines that the terminal wrapped. */
  async logicalLines(): Promise<string[]> {
    await this.settled();
    const lines: string[] = [];
    for (const line of this.#lines()) {
      const text = line.translateToString(false);
      if (line.isWrapped) lines.push((lines.pop() ?? "") + text);
      else lines.push(text);
    }
    return withoutEmptyEnd(lines.map((line) => line.trimEnd()));
  }

  async settled(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#terminal.write("", resolve);
    });
  }

  #lines(): xterm.IBufferLine[] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: active.length }, (_, y) => active.getLine(y)).filter(
      (line) => line !== undefined,
    );
  }
}

function withoutEmptyEnd(lines: string[]): string[] {
  return lines.slice(0, lines.findLastIndex((line) => line !== "") + 1);
}

export function open(
  streams: { stdout: FakeStream; stderr: FakeStream },
  options: Partial<Pick<ReporterOptions, "lang" | "mode" | "verbose" | "env" | "redact">> = {},
): { reporter: Reporter; clock: FakeClock } {
  const clock = new FakeClock();
  const defaults = {
    runId: "1115-k3f7",
    lang: "en" as Lang,
    mode: "auto" as const,
    verbose: false,
    env: { TERM: "xterm", NO_COLOR: "1" },
    redact: (text: string) => text,
  };
  const { stdout, stderr } = streams;
  return {
    clock,
    reporter: openReporter({ ...defaults, ...options, stdout: stdout.stream, stderr: stderr.stream }, clock),
  };
}
