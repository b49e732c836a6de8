import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { ReadStream } from "node:tty";
import { messageOf } from "../failure.ts";
import { findTool } from "../files/tools.ts";
import { Guardian } from "./guardian.ts";
import type { Size } from "./screen.ts";
import type { Sized, TerminalProblem } from "./terminal.ts";

/** Every byte unchanged, both ways. Node's own raw mode turns line ends on output into two characters. */
const UNTOUCHED = ["raw", "-echo", "-iexten"];
/** The assumed size of a terminal that does not know its own. */
const USUAL: Size = { columns: 80, rows: 24 };

/** The user's terminal. */
export class UserTerminal {
  /** For its settings. Not the stream's descriptor, because Node makes a program's standard input blocking, here and there. */
  readonly #fd: number;
  /**
   * For both directions. Node's own stream for output blocks the whole program within each write while a terminal takes nothing.
   * The descriptor stays open to the end of the process: libuv may use it, or have reopened the device.
   */
  readonly #stream: ReadStream;
  readonly #stdout: Sized;
  readonly #guardian: Guardian;
  readonly settings: string;
  #gone = false;
  #closed = false;
  #unsent = 0;
  #resets = "";

  private constructor(fd: number, settings: string, stdout: Sized) {
    this.#fd = fd;
    this.settings = settings;
    this.#stdout = stdout;
    this.#stream = new ReadStream(openDevice());
    this.#stream.on("error", () => undefined);
    this.#guardian = new Guardian(fd, settings);
    process.on("exit", this.#atExit);
  }

  static open(stdout: Sized): UserTerminal | TerminalProblem {
    try {
      const fd = openDevice();
      const { status, stdout: settings } = stty(fd, ["-g"]);
      if (status === 0) return new UserTerminal(fd, settings.trim(), stdout);
      fs.closeSync(fd);
      return { problem: "no_terminal", detail: "stty cannot read its settings" };
    } catch (error) {
      return { problem: "no_terminal", detail: messageOf(error) };
    }
  }

  get size(): Size {
    return {
      columns: this.#stdout.columns || USUAL.columns,
      rows: this.#stdout.rows || USUAL.rows,
    };
  }

  /** Bytes that the terminal has not taken yet. */
  get unsent(): number {
    return this.#unsent;
  }

  onResize(listener: () => void): void {
    this.#stdout.on("resize", listener);
    this.#stream.once("close", () => this.#stdout.off("resize", listener));
  }

  onKeys(listener: (chunk: Buffer) => void): void {
    this.#stream.on("data", listener);
  }

  /** The terminal was hung up. */
  onGone(listener: () => void): void {
    this.#stream.once("close", () => {
      this.#gone = true;
      if (!this.#closed) listener();
    });
  }

  write(bytes: Buffer, taken: () => void): void {
    if (this.#gone || this.#closed) return taken();
    this.#unsent += bytes.length;
    this.#stream.write(bytes, () => {
      this.#unsent -= bytes.length;
      taken();
    });
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    if (!this.#closed) this.#stream.resume();
  }

  /** Keys and output pass unchanged. */
  takeOver(): void {
    this.#guardian.watch(this.#resets);
    stty(this.#fd, UNTOUCHED);
  }

  /** Restores the settings; the agent's output stays on the screen. */
  giveBack(): void {
    stty(this.#fd, [this.settings]);
    this.#guardian.disarm();
  }

  /** Passes the resets to the guardian, in case we are killed. */
  remember(resets: string): void {
    this.#resets = resets;
    this.#guardian.watch(resets);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    process.off("exit", this.#atExit);
    this.giveBack();
    this.#guardian.close();
    this.#stream.destroy();
    fs.closeSync(this.#fd);
  }

  readonly #atExit = (): void => {
    try {
      fs.writeSync(this.#fd, this.#resets);
    } catch {
      // Hung up, or it takes nothing: the guardian may have more luck.
      return;
    }
    this.close();
  };
}

function openDevice(): number {
  return fs.openSync("/dev/tty", fs.constants.O_RDWR | fs.constants.O_NOCTTY);
}

function stty(terminal: number, args: readonly string[]): { status: number | null; stdout: string } {
  return spawnSync(findTool("stty"), args, { stdio: [terminal, "pipe", "ignore"], encoding: "utf8" });
}
