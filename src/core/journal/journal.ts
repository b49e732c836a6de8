import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { mustFsync } from "../events/index.ts";
import type { RunEvent } from "../event.ts";
import { Failure, messageOf } from "../../platform/failure.ts";
import { fold, type Begin } from "../fold.ts";
import type { RunState } from "../state.ts";
import { syncDirectory } from "../../platform/files/directories.ts";
import { tryReadPlainFile } from "../../platform/files/read-file.ts";
import { endOfChain } from "./chain.ts";
import { markTampered, readJournal } from "./read.ts";
import { encodeRecord, FIRST_PREV, JOURNAL_VERSION } from "./record.ts";

/** The append-only record of a run: the only truth, from which all else is derived. */
export class Journal {
  readonly path: string;
  readonly #fd: number;
  readonly #begin: Begin;
  readonly #inode: number;
  #seq: number;
  #head: string;
  #length: number;
  #state: RunState | undefined;
  #broken = false;

  private constructor(
    path: string,
    fd: number,
    begin: Begin,
    at: { seq: number; head: string; length: number; state: RunState | undefined },
  ) {
    this.path = path;
    this.#fd = fd;
    this.#begin = begin;
    this.#inode = fs.fstatSync(fd).ino;
    this.#seq = at.seq;
    this.#head = at.head;
    this.#length = at.length;
    this.#state = at.state;
  }

  /** A new journal; its directory exists and is empty. */
  static create(path: string, begin: Begin): Journal {
    return guardWrites(path, () => {
      const fd = fs.openSync(path, "wx", 0o600);
      syncDirectory(dirname(path));
      syncDirectory(dirname(dirname(path)));
      return new Journal(path, fd, begin, { seq: 0, head: FIRST_PREV, length: 0, state: undefined });
    });
  }

  /** Opens an existing journal to continue it. A torn append is cut off, and its bytes are kept next to the journal. */
  static open(path: string, runId: string, begin: Begin): Journal {
    const content = readJournal(path, runId, begin);
    return guardWrites(path, () => {
      const fd = fs.openSync(path, "r+");
      if (content.tornBytes > 0) {
        const torn = Buffer.alloc(content.tornBytes);
        fs.readSync(fd, torn, 0, torn.length, content.length);
        fs.writeFileSync(join(dirname(path), `${basename(path)}.torn-${content.length}`), torn);
        fs.ftruncateSync(fd, content.length);
        fs.fdatasyncSync(fd);
      }
      const { head, length, state } = content;
      return new Journal(path, fd, begin, { seq: content.records.length, head, length, state });
    });
  }

  get state(): RunState {
    if (!this.#state) throw new Error("the journal holds no event yet");
    return this.#state;
  }

  /** The hash of the last record, which covers all of them. */
  get head(): string {
    return this.#head;
  }

  get records(): number {
    return this.#seq;
  }

  /**
   * Appends and returns the new state; an event that needs fsync is on disk by then. After a failed append the journal accepts no more,
   * because its tail is unknown.
   */
  append(event: RunEvent, now: string): RunState {
    if (this.#broken)
      throw new Failure("state_write_failed", { path: this.path, why: "an earlier write failed" });
    // A clock that was set back must not let a run end before it began.
    const at = this.#state && now < this.#state.updatedAt ? this.#state.updatedAt : now;
    const state = this.#state ? fold(this.#state, event, at) : this.#begin(event, at);
    this.#refuseForeignChange();
    const seq = this.#seq + 1;
    const { line, hash } = encodeRecord({ v: JOURNAL_VERSION, seq, at, prev: this.#head, event });
    const bytes = Buffer.from(line);
    this.#broken = true;
    guardWrites(this.path, () => {
      let written = 0;
      while (written < bytes.length)
        written += fs.writeSync(this.#fd, bytes, written, bytes.length - written, this.#length + written);
      if (mustFsync(event)) fs.fdatasyncSync(this.#fd);
    });
    this.#broken = false;
    this.#seq = seq;
    this.#head = hash;
    this.#length += bytes.length;
    this.#state = state;
    return state;
  }

  /** Checks that the file is what this process wrote: another record of the same length may have replaced it. */
  verify(): void {
    this.#refuseForeignChange();
    const end = endOfChain(tryReadPlainFile(this.path) ?? Buffer.alloc(0));
    if (end?.head !== this.#head || end.records !== this.#seq) this.#refuse();
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  /** Only this process writes the journal: another size or file at its path means that it was rewritten. */
  #refuseForeignChange(): void {
    if (!this.#isAsLeft()) this.#refuse();
  }

  #refuse(): never {
    markTampered(this.path);
    throw new Failure("journal_changed_while_running", { path: this.path });
  }

  #isAsLeft(): boolean {
    try {
      const there = fs.statSync(this.path);
      return there.ino === this.#inode && there.size === this.#length;
    } catch {
      return false;
    }
  }
}

function guardWrites<T>(path: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
  }
}
