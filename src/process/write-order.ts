import fs from "node:fs";
import { afterWrite, type StreamName, type WriteTurns } from "../domain/protocol/write-turns.ts";

/** Streams that pause this long have surely been read and their notifications heard; only a starved machine takes longer. */
const QUIET_MS = 5;
/** A marker that matters stands near the end. */
const KEPT_EPOCHS = 64;
/** The kernel drops notifications once some thousands wait (16,384 by default); long before, they are no longer believed. */
const MAX_NOTES = 1000;

/**
 * Two pipes keep stdout and stderr apart but lose the order between them: a reader that wakes late finds both full. Two things
 * bring it back. Time: once both pipes were empty for a while, all that comes later was written later; such a stretch is an
 * epoch. And within an epoch the kernel's file notifications: an event for every write, merged only with an equal one right
 * before it, so that what is seen is the exact sequence in which the streams took turns.
 */
export class WriteOrder {
  #epoch = 0;
  #chunks = 0;
  #notes = 0;
  #quiet: NodeJS.Timeout | undefined;
  #watchers: fs.FSWatcher[] = [];
  readonly #turns = new Map<number, WriteTurns>();

  /** Without notifications (macOS, or no watches left on this machine) epochs alone tell. */
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

  /** To be called for every chunk read; tells its epoch. */
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
      // What arrived by now is read before an immediate runs.
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
