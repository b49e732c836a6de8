import { spawnSync } from "node:child_process";
import fs from "node:fs";
import type { ReadStream } from "node:tty";
import { messageOf } from "../domain/failure.ts";
import { holdPrivate } from "../files/private-fd.ts";
import { findTool } from "../files/tools.ts";
import { FdWriter } from "./fd-writer.ts";
import type { Size } from "./screen.ts";
import type { TerminalProblem } from "./terminal.ts";

const { O_RDWR, O_NOCTTY, O_NONBLOCK } = fs.constants;

/** What is used of `@lydell/node-pty`, where its own types say nothing of it. */
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
 * A pseudoterminal. Only its making and its size come from the native module. Its own way to start a program is not used: it
 * closes the master 200 ms after the program's exit, and what was not read by then is lost.
 */
export class Pty {
  readonly #opened: Opened;
  readonly #slave: number;
  readonly #input: FdWriter;
  readonly #output: FdWriter;
  readonly #giveUp: () => void;
  #closed = false;

  /**
   * The slave is held open to the end: once all who have it are gone, libuv takes the first short read for the end of the
   * stream, and the rest is lost.
   */
  constructor(opened: Opened) {
    this.#opened = opened;
    this.#giveUp = holdPrivate(opened.fd);
    this.#slave = fs.openSync(opened.ptsName, O_RDWR | O_NOCTTY | O_NONBLOCK);
    // It would read what is meant for the agent.
    opened.slave.destroy();
    this.#input = new FdWriter(opened.fd);
    this.#output = new FdWriter(this.#slave);
    opened.master.removeAllListeners("error").on("error", () => undefined);
  }

  /** By this name the agent opens it. */
  get name(): string {
    return this.#opened.ptsName;
  }

  /** The number of the device. */
  get device(): number {
    return fs.fstatSync(this.#slave).rdev;
  }

  /** What the agent writes. */
  get reader(): ReadStream {
    return this.#opened.master;
  }

  /** What the agent reads. */
  get input(): FdWriter {
    return this.#input;
  }

  /** Comes out of the reader, after all that was written before. */
  get output(): FdWriter {
    return this.#output;
  }

  resize({ columns, rows }: Size): void {
    if (!this.#closed) this.#opened.resize(columns, rows);
  }

  /** Line discipline as of another terminal: its special keys and speeds. */
  settle(settings: string): void {
    // Not the slave that is held: Node makes what a program gets as its standard input wait, here and there.
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

/** Why none can be opened here, found by trying; null: one can. */
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
