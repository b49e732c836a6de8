import { spawn, type IPty } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { onTestFailed, onTestFinished } from "vitest";
import { CLI, until, type Rig } from "./rig.ts";

const COLUMNS = 80;
const ROWS = 24;

export const Key = {
  up: "\u001b[A",
  down: "\u001b[B",
  enter: "\r",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
} as const;

/** The built program in a terminal of 80 x 24. Tests read the text on the screen. */
export class TerminalSession {
  readonly pty: IPty;
  readonly ended: Promise<number>;
  readonly #screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  #raw = "";

  constructor(
    rig: Rig,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cleanRoom?: boolean,
  ) {
    this.pty = spawn(process.execPath, [CLI, ...rig.words(args, cleanRoom)], {
      name: "xterm-256color",
      cols: COLUMNS,
      rows: ROWS,
      cwd: rig.project,
      env: rig.env({ TERM: "xterm-256color", ...env }),
    });
    this.pty.onData((data) => {
      this.#raw += data;
      this.#screen.write(data);
    });
    let alive = true;
    this.ended = new Promise((resolve) => {
      this.pty.onExit(({ exitCode }) => {
        alive = false;
        // The screen parses asynchronously; an empty write completes after all others.
        this.#screen.write("", () => resolve(exitCode));
      });
    });
    onTestFailed(
      () => void process.stderr.write(`--- screen\n${this.text()}\n--- raw\n${JSON.stringify(this.#raw)}\n`),
    );
    onTestFinished(() => {
      if (alive) this.pty.kill("SIGKILL");
      this.#screen.dispose();
    });
  }

  /** The visible text, including scrolled lines. */
  text(): string {
    const { buffer } = this.#screen;
    const lines = Array.from(
      { length: buffer.active.length },
      (_, y) => buffer.active.getLine(y)?.translateToString(true) ?? "",
    );
    return lines.join("\n").trimEnd();
  }

  /** Waits until the text is on the screen. */
  async shows(what: string | RegExp): Promise<string> {
    return until(() => {
      const text = this.text();
      return (typeof what === "string" ? text.includes(what) : what.test(text)) && text;
    });
  }

  press(...keys: readonly string[]): void {
    for (const key of keys) this.pty.write(key);
  }
}
