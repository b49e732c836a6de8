import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { isCommitment } from "../domain/commitment.ts";
import type { RunEvent } from "../domain/event.ts";
import { Failure, messageOf } from "../domain/failure.ts";
import { begin, fold } from "../domain/fold.ts";
import type { RunState } from "../domain/state.ts";
import { syncDirectory } from "../files/directories.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { endOfChain } from "./chain.ts";
import { markTampered, readJournal } from "./read.ts";
import { encodeRecord, FIRST_PREV, JOURNAL_VERSION } from "./record.ts";

/** The append-only record of a run: the only truth, from which all else is derived. */
export class Journal {
  readonly path: string;
  readonly #fd: number;
  readonly #inode: number;
  #seq: number;
  #head: string;
  #length: number;
  #state: RunState | undefined;
  #broken = false;

  private constructor(
    path: string,
    fd: number,
    at: { seq: number; head: string; length: number; state: RunState | undefined },
  ) {
    this.path = path;
    this.#fd = fd;
    this.#inode = fs.fstatSync(fd).ino;
    this.#seq = at.seq;
    this.#head = at.head;
    this.#length = at.length;
    this.#state = at.state;
  }

  /** A new journal; its directory exists and is empty. */
  static create(path: string): Journal {
    return guardWrites(path, () => {
      const fd = fs.openSync(path, "wx", 0o600);
      syncDirectory(dirname(path));
      syncDirectory(dirname(dirname(path)));
      return new Journal(path, fd, { seq: 0, head: FIRST_PREV, length: 0, state: undefined });
    });
  }

  /** Opens an existing journal to go on with it. A torn append is cut off, its bytes kept beside the journal. */
  static open(path: string, runId: string): Journal {
    const content = readJournal(path, runId);
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
      return new Journal(path, fd, { seq: content.records.length, head, length, state });
    });
  }

  get state(): RunState {
    if (!this.#state) throw new Error("the journal holds no event yet");
    return this.#state;
  }

  /** The hash of the last record: it stands for all of them. */
  get head(): string {
    return this.#head;
  }

  get records(): number {
    return this.#seq;
  }

  /** Appends and returns the new state; a commitment is on disk by then. Once an append failed the journal takes no more: its tail is unknown. */
  append(event: RunEvent, now: string): RunState {
    if (this.#broken)
      throw new Failure("state_write_failed", { path: this.path, why: "an earlier write failed" });
    // A clock that was set back must not let a run end before it began.
    const at = this.#state && now < this.#state.updatedAt ? this.#state.updatedAt : now;
    const state = this.#state ? fold(this.#state, event, at) : begin(event, at);
    this.#refuseForeignChange();
    const seq = this.#seq + 1;
    const { line, hash } = encodeRecord({ v: JOURNAL_VERSION, seq, at, prev: this.#head, event });
    const bytes = Buffer.from(line);
    this.#broken = true;
    guardWrites(this.path, () => {
      let written = 0;
      while (written < bytes.length)
        written += fs.writeSync(this.#fd, bytes, written, bytes.length - written, this.#length + written);
      if (isCommitment(event)) fs.fdatasyncSync(this.#fd);
    });
    this.#broken = false;
    this.#seq = seq;
    this.#head = hash;
    this.#length += bytes.length;
    this.#state = state;
    return state;
  }

  /** That the file is what this process knows: another record of the same length can have been put there since. */
  verify(): void {
    this.#refuseForeignChange();
    const end = endOfChain(tryReadPlainFile(this.path) ?? Buffer.alloc(0));
    if (end?.head !== this.#head || end.records !== this.#seq) this.#refuse();
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  /** Only this process writes the journal: another size or file at its path means somebody rewrote the record. */
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
