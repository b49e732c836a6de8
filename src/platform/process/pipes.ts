import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../failure.ts";
import { findTool } from "../files/tools.ts";

const BATCH = 4;

/**
 * Named pipes for capturing output. Node's own pipes are socket pairs, on which a child's `> /dev/stdout` fails; a child could
 * truncate a plain file. Pipes are made in batches and reused, because a `mkfifo` process per command would be noticeable.
 */
export class PipePool {
  readonly #dir: string;
  #made = 0;
  readonly #ready: string[] = [];

  constructor(dir: string) {
    this.#dir = dir;
    try {
      // Files of an earlier process belong to commands that are over.
      fs.rmSync(dir, { recursive: true, force: true });
      fs.mkdirSync(dir, { mode: 0o700 });
    } catch (error) {
      throw new Failure("pipes_not_possible", { path: dir, why: messageOf(error) }, { cause: error });
    }
  }

  /** Both ends of an unused pipe. */
  open(): { readonly path: string; readonly readFd: number; readonly writeFd: number } {
    const { O_RDONLY, O_WRONLY, O_NONBLOCK } = fs.constants;
    try {
      if (this.#ready.length === 0) this.#makeMore();
      const path = this.#ready.pop() ?? "";
      const readFd = fs.openSync(path, O_RDONLY | O_NONBLOCK);
      // Does not block: the pipe has its reader, unless its file was replaced.
      const writeFd = fs.openSync(path, O_WRONLY | O_NONBLOCK);
      return { path, readFd, writeFd };
    } catch (error) {
      if (error instanceof Failure) throw error;
      throw new Failure("pipes_not_possible", { path: this.#dir, why: messageOf(error) }, { cause: error });
    }
  }

  /** Takes back a pipe without open ends: its next user finds it empty. */
  giveBack(path: string): void {
    this.#ready.push(path);
  }

  #makeMore(): void {
    const paths = Array.from({ length: BATCH }, (_, index) => join(this.#dir, String(this.#made + index)));
    let made = this.#make(paths);
    // A signal from the terminal reaches mkfifo too. Other code handles that signal, so try again.
    if (made.signal !== null) made = this.#make(paths);
    if (made.status !== 0)
      throw new Failure("pipes_not_possible", {
        path: this.#dir,
        why: made.stderr.trim() || String(made.error?.message),
      });
    this.#made += BATCH;
    this.#ready.push(...paths);
  }

  #make(paths: readonly string[]): SpawnSyncReturns<string> {
    for (const path of paths) fs.rmSync(path, { force: true });
    return spawnSync(findTool("mkfifo"), ["-m", "600", ...paths], { encoding: "utf8" });
  }

  /** A file that an agent made unremovable stays; it is empty. */
  remove(): void {
    try {
      fs.rmSync(this.#dir, { recursive: true, force: true });
    } catch {
      // Reported above.
    }
  }
}
