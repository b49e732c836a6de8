import fs from "node:fs";
import { errorCode } from "../failure.ts";

const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 16;

interface Piece {
  readonly bytes: Buffer;
  readonly done: () => void;
}

/**
 * Writes to a pty without ever blocking on its reader. A Node stream would block: while the master of a pty is full, libuv retries in
 * a loop and does nothing else (its BLOCKING_WRITES, because it cannot reopen a master). An agent that waits for us to read first would
 * then hang for ever. Node reports a writable descriptor only through a stream, so this retries a little later.
 */
export class FdWriter {
  readonly #fd: number;
  #queue: Piece[] = [];
  #pending = 0;
  #wait = FIRST_WAIT_MS;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Bytes that the kernel has not taken yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Settles when the kernel has the bytes, or when no reader is left. */
  write(bytes: Buffer): Promise<void> {
    if (this.#closed || bytes.length === 0) return Promise.resolve();
    return new Promise((done) => {
      this.#queue.push({ bytes, done });
      this.#pending += bytes.length;
      if (this.#timer === undefined) this.#flush();
    });
  }

  /** The descriptor is about to be closed. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    for (const { done } of this.#queue.splice(0)) done();
    this.#pending = 0;
  }

  #flush(): void {
    this.#timer = undefined;
    for (let piece = this.#queue.shift(); piece !== undefined; piece = this.#queue.shift()) {
      const rest = this.#tryToWrite(piece.bytes);
      if (this.#closed) return piece.done();
      if (rest !== null) {
        this.#queue.unshift({ bytes: rest, done: piece.done });
        this.#timer = setTimeout(() => this.#flush(), this.#wait);
        this.#wait = Math.min(LONGEST_WAIT_MS, this.#wait * 2);
        return;
      }
      piece.done();
    }
  }

  /** Returns the unwritten rest. */
  #tryToWrite(bytes: Buffer): Buffer | null {
    for (let rest = bytes; ;) {
      const count = this.#writeSome(rest);
      if (count === 0) return rest;
      this.#wait = FIRST_WAIT_MS;
      this.#pending -= count;
      if (count === rest.length) return null;
      rest = rest.subarray(count);
    }
  }

  #writeSome(bytes: Buffer): number {
    try {
      return fs.writeSync(this.#fd, bytes);
    } catch (error) {
      if (errorCode(error) === "EAGAIN") return 0;
      // Hung up: the other end is closed.
      this.close();
      return 0;
    }
  }
}
