import fs from "node:fs";
import { afterWrite, type StreamName, type WriteTurns } from "./write-turns.ts";

/** After a pause this long, all output was read and all notifications arrived, except on a starved machine. */
const QUIET_MS = 5;
/** A marker that matters is near the end. */
const KEPT_EPOCHS = 64;
/** The kernel drops notifications after some thousands (16,384 by default). We distrust them long before that. */
const MAX_NOTES = 1000;

/**
 * Two pipes keep stdout and stderr apart but lose the order between them: a reader that wakes late finds both full. Two things
 * restore it. Time: once both pipes were empty for a while, all later output was written later; such a stretch is an epoch. Within an
 * epoch, the kernel's file notifications: one per write, merged only with an equal one right before it. So they show the exact
 * sequence in which the streams took turns.
 */
export class WriteOrder {
  #epoch = 0;
  #chunks = 0;
  #notes = 0;
  #quiet: NodeJS.Timeout | undefined;
  #watchers: fs.FSWatcher[] = [];
  readonly #turns = new Map<number, WriteTurns>();

  /** Without notifications (macOS, or no watches left on this machine) only epochs give the order. */
  watch(paths: Readonly<Record<StreamName, string>>): void {
    if (process.platform !== "linux") return;
    try {
      for (const stream of ["stdout", "stderr"] as const) {
        const watcher = fs.watch(paths[stream], () => this.#wrote(stream));
        watcher.on("error", () => watcher.close());
        this.#watchers.push(watcher);
      }
    } catch {
      this.#stopWatching();
    }
  }

  /** Call it for every chunk; returns its epoch. */
  arrived(): number {
    this.#chunks += 1;
    this.#quiet ??= this.#awaitQuiet();
    return this.#epoch;
  }

  turns(epoch: number): WriteTurns | undefined {
    return this.#turns.get(epoch);
  }

  close(): void {
    clearTimeout(this.#quiet);
    this.#stopWatching();
  }

  #wrote(stream: StreamName): void {
    this.#notes += 1;
    if (this.#notes > MAX_NOTES) this.#turns.delete(this.#epoch);
    else this.#turns.set(this.#epoch, afterWrite(this.#turns.get(this.#epoch), stream));
  }

  #awaitQuiet(): NodeJS.Timeout {
    const seen = this.#chunks;
    return setTimeout(() => {
      // All output that has arrived by now is read before an immediate runs.
      setImmediate(() => {
        this.#quiet = seen === this.#chunks ? this.#nextEpoch() : this.#awaitQuiet();
      });
    }, QUIET_MS).unref();
  }

  #nextEpoch(): undefined {
    this.#epoch += 1;
    this.#notes = 0;
    this.#turns.delete(this.#epoch - KEPT_EPOCHS);
  }

  #stopWatching(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }
}
