import { spawnSync } from "node:child_process";
import fs from "node:fs";
import type { ReadStream } from "node:tty";
import { messageOf } from "../failure.ts";
import { holdPrivate } from "../files/private-fd.ts";
import { findTool } from "../files/tools.ts";
import { FdWriter } from "./fd-writer.ts";
import type { Size } from "./screen.ts";
import type { TerminalProblem } from "./terminal.ts";

const { O_RDWR, O_NOCTTY, O_NONBLOCK } = fs.constants;

/** The used parts of `@lydell/node-pty` that its own types omit. */
interface Binding {
  readonly open: (options: { cols: number; rows: number; encoding: null }) => Opened;
}

interface Opened {
  readonly master: ReadStream;
  readonly slave: ReadStream;
  readonly fd: number;
  readonly ptsName: string;
  readonly resize: (columns: number, rows: number) => void;
}

/**
 * A pseudoterminal. The native module only makes and resizes it. Its own way to start a program closes the master 200 ms after
 * the program's exit and loses unread output.
 */
export class Pty {
  readonly #opened: Opened;
  readonly #slave: number;
  readonly #input: FdWriter;
  readonly #output: FdWriter;
  readonly #giveUp: () => void;
  #closed = false;

  /**
   * Holds the slave open to the end. Otherwise, once its last user is gone, libuv takes the first short read for the end of the
   * stream and loses the rest.
   */
  constructor(opened: Opened) {
    this.#opened = opened;
    this.#giveUp = holdPrivate(opened.fd);
    this.#slave = fs.openSync(opened.ptsName, O_RDWR | O_NOCTTY | O_NONBLOCK);
    // Otherwise it would read input meant for the agent.
    opened.slave.destroy();
    this.#input = new FdWriter(opened.fd);
    this.#output = new FdWriter(this.#slave);
    opened.master.removeAllListeners("error").on("error", () => undefined);
  }

  /** The path by which the agent opens it. */
  get name(): string {
    return this.#opened.ptsName;
  }

  /** The number of the device. */
  get device(): number {
    return fs.fstatSync(this.#slave).rdev;
  }

  /** Output of the agent. */
  get reader(): ReadStream {
    return this.#opened.master;
  }

  /** Input of the agent. */
  get input(): FdWriter {
    return this.#input;
  }

  /** Bytes written here come out of the reader after all earlier output. */
  get output(): FdWriter {
    return this.#output;
  }

  resize({ columns, rows }: Size): void {
    if (!this.#closed) this.#opened.resize(columns, rows);
  }

  /** Copies another terminal's line discipline: special keys and speeds. */
  settle(settings: string): void {
    // Not the held slave: Node makes a program's standard input blocking, here and there.
    const slave = fs.openSync(this.name, O_RDWR | O_NOCTTY);
    spawnSync(findTool("stty"), [settings], { stdio: [slave, "ignore", "ignore"] });
    fs.closeSync(slave);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#input.close();
    this.#output.close();
    this.#opened.master.destroy();
    this.#giveUp();
    fs.closeSync(this.#slave);
  }
}

export async function openPty({ columns, rows }: Size): Promise<Pty | TerminalProblem> {
  const binding = await loadBinding();
  if ("problem" in binding) return binding;
  try {
    return new Pty(binding.open({ cols: columns, rows, encoding: null }));
  } catch (error) {
    return { problem: "pty_failed", detail: messageOf(error) };
  }
}

/** Tries to open a pty; returns the error, or null if it works. */
export async function ptyProblem(): Promise<string | null> {
  const pty = await openPty({ columns: 80, rows: 24 });
  if ("problem" in pty) return pty.detail;
  pty.close();
  return null;
}

async function loadBinding(): Promise<Binding | TerminalProblem> {
  try {
    const loaded: unknown = await import("@lydell/node-pty");
    if (isBinding(loaded)) return loaded;
    return { problem: "no_pty_support", detail: "@lydell/node-pty has no open()" };
  } catch (error) {
    return { problem: "no_pty_support", detail: messageOf(error) };
  }
}

function isBinding(loaded: unknown): loaded is Binding {
  return (
    typeof loaded === "object" && loaded !== null && "open" in loaded && typeof loaded.open === "function"
  );
}
