import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { ProcessEnd } from "./process-end.ts";
import { isDirectory } from "../files/directories.ts";
import { spawnPrivately } from "../files/private-fd.ts";
import { killQuietly } from "./leftovers.ts";

/** Runs one order per line, each in a subshell, and writes its exit code to descriptor 3. `nl` replaces line ends in it. */
const LOOP = `nl='
'
while IFS= read -r order; do ( eval "$order" ); echo $? >&3; done`;

/** The limit of one argument on Linux. */
const MAX_COMMAND_BYTES = 128 * 1024 - 1;

export interface Order {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface LauncherParts {
  /** Starts a shell that dies with the foreman together with all its children. It first writes an empty line to descriptor 3. */
  readonly outer: (script: string) => { readonly file: string; readonly args: readonly string[] };
  /** Command prefix that creates a namespace for the command. */
  readonly inner: readonly string[];
}

/**
 * Starts commands from a small long-lived shell instead of from the foreman. Forking a large process, and a separate program to tie
 * each command to the foreman's life, took longer than the rest of a round. The shell is the first process of an outer pid namespace,
 * which ends with the foreman. Every command gets a namespace inside it, ends with that, and sees neither the shell nor other commands.
 */
export class Launcher {
  readonly #parts: LauncherParts;
  readonly #env: NodeJS.ProcessEnv;
  #shell: Shell | undefined;

  constructor(parts: LauncherParts, env: NodeJS.ProcessEnv) {
    this.#parts = parts;
    this.#env = env;
  }

  start(order: Order): { readonly ended: Promise<ProcessEnd>; readonly pid: number | undefined } {
    const problem = whyNot(order);
    if (problem !== null)
      return { ended: Promise.resolve({ kind: "not_started", message: problem }), pid: undefined };
    this.#shell ??= this.#startShell();
    return { ended: this.#shell.carryOut(orderLine(order)), pid: this.#shell.pid };
  }

  /** Ends the shell and everything it still runs; the next order starts another. */
  close(): void {
    this.#shell?.end();
    this.#shell = undefined;
  }

  #startShell(): Shell {
    const { file, args } = this.#parts.outer(LOOP);
    const child = spawnPrivately(file, [...args, "sh", ...this.#parts.inner], {
      cwd: "/",
      env: this.#env,
      stdio: ["pipe", "ignore", "ignore", "pipe"],
      // Its own session: the foreman handles Ctrl-C at the terminal, and can signal the group as one.
      detached: true,
    });
    const shell: Shell = new Shell(child, () => {
      if (this.#shell === shell) this.#shell = undefined;
    });
    return shell;
  }
}

function whyNot({ command, cwd }: Order): string | null {
  if (Buffer.byteLength(command) > MAX_COMMAND_BYTES) return "the command is too long (E2BIG)";
  return isDirectory(cwd) ? null : `no directory: ${cwd} (ENOENT)`;
}

/** `"$@"`, the shell's own arguments, is the prefix that puts a command into a namespace. */
function orderLine({ command, cwd, env, stdin, stdout, stderr }: Order): string {
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}; `);
  const streams = `<${quote(stdin)} >${quote(stdout)} 2>${quote(stderr)} 3>&-`;
  return `${exports.join("")}cd -- ${quote(cwd)} || exit 126; exec "$@" ${quote(command)} ${streams}`;
}

/** Quotes a word for the shell, on one line. */
function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`).replaceAll("\n", `'"$nl"'`)}'`;
}

/** The shell, one order at a time. A command that has to be killed takes the shell along; the next order starts another. */
class Shell {
  readonly pid: number | undefined;
  readonly #orders: Writable | null;
  #settle: ((end: ProcessEnd) => void) | undefined;
  #answer = "";

  constructor(child: ChildProcess, onGone: () => void) {
    this.pid = child.pid;
    this.#orders = child.stdin;
    const gone = (end: ProcessEnd): void => {
      onGone();
      this.#settle?.(end);
    };
    child.once("error", (error) => gone({ kind: "not_started", message: error.message }));
    child.once("exit", (_, signal) => gone({ kind: "signaled", signal: signal ?? "SIGKILL" }));
    child.stdin?.on("error", () => undefined);
    const codes = child.stdio[3] as Readable | null;
    codes?.on("data", (chunk: Buffer) => this.#hear(chunk.toString("latin1")));
    codes?.on("error", () => undefined);
    // The foreman waits for its commands, not for this shell.
    child.unref();
  }

  carryOut(order: string): Promise<ProcessEnd> {
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#orders?.write(`${order}\n`);
    });
  }

  end(): void {
    if (this.pid !== undefined) killQuietly(-this.pid, "SIGKILL");
  }

  #hear(text: string): void {
    this.#answer += text;
    if (!this.#answer.endsWith("\n")) return;
    const code = this.#answer.trim();
    this.#answer = "";
    // The first line is empty: the shell checks that the foreman is alive.
    if (code !== "") this.#settle?.({ kind: "exited", code: Number(code) });
  }
}
