import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { Failure, messageOf } from "../domain/failure.ts";

const BATCH = 4;

/**
 * Named pipes for capturing output. Node's own pipes are socket pairs, on which a child's `> /dev/stdout` fails, and a file
 * handed to the child could be truncated by it. Made in batches and used again: a `mkfifo` process for every command would be
 * felt.
 */
export class PipePool {
  readonly #dir: string;
  #made = 0;
  readonly #ready: string[] = [];

  constructor(dir: string) {
    this.#dir = dir;
    try {
      // Whatever an earlier process left behind belongs to commands that are over.
      fs.rmSync(dir, { recursive: true, force: true });
      fs.mkdirSync(dir, { mode: 0o700 });
    } catch (error) {
      throw new Failure("pipes_not_possible", { path: dir, why: messageOf(error) }, { cause: error });
    }
  }

  take(): string {
    if (this.#ready.length === 0) this.#makeMore();
    const path = this.#ready.pop();
    if (path === undefined) throw new Error("no pipe was made");
    return path;
  }

  /** For a pipe that nobody holds any more: the next one to open it finds it new and empty. */
  giveBack(path: string): void {
    this.#ready.push(path);
  }

  #makeMore(): void {
    const paths = Array.from({ length: BATCH }, (_, index) => join(this.#dir, String(this.#made + index)));
    const made = spawnSync("mkfifo", ["-m", "600", ...paths], { encoding: "utf8" });
    if (made.status !== 0)
      throw new Failure("pipes_not_possible", {
        path: this.#dir,
        why: made.stderr || String(made.error?.message),
      });
    this.#made += BATCH;
    this.#ready.push(...paths);
  }

  remove(): void {
    fs.rmSync(this.#dir, { recursive: true, force: true });
  }
}
