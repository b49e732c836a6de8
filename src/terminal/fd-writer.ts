import fs from "node:fs";
import { errorCode } from "../domain/failure.ts";

const FIRST_WAIT_MS = 1;
const LONGEST_WAIT_MS = 16;

interface Piece {
  readonly bytes: Buffer;
  readonly done: () => void;
}

/**
 * Writes to a pty without ever waiting for whoever reads from it. A stream of Node's would: libuv tries again and again, and does
 * nothing else, while the master of a pty takes no more (its BLOCKING_WRITES, for it cannot open a master anew); an agent that
 * waits for us to read before it reads would never go on. Node can tell when a descriptor becomes writable only through a
 * stream, so that it is tried again a little later.
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

  /** Done when the kernel has it, or when nobody will ever take it. */
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

  /** What is left of it. */
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
      // Hung up: there is nobody at the other end any more.
      this.close();
      return 0;
    }
  }
}
