import { createHash } from "node:crypto";
import { Worker } from "node:worker_threads";

/** Up to this size, hashing costs less than starting a thread. */
const INLINE_BYTES = 1024 * 1024;
/** A power of two, so that the positions may wrap around at 2^32. */
const RING_BYTES = 8 * 1024 * 1024;
/** Even a starved machine hashes a ring in this time. */
const STALLED_MS = 60_000;
/** Positions in the shared control words: bytes written, bytes hashed, and whether the stream is complete. */
const WRITTEN = 0;
const HASHED = 1;
const ENDED = 2;

/** Runs in the thread: hashes the ring's content and sleeps while it is empty. */
const HASHER = `
const { parentPort, workerData } = require("node:worker_threads");
const hash = require("node:crypto").createHash("sha256");
const control = new Int32Array(workerData.control);
const ring = new Uint8Array(workerData.ring);
let at = 0;
for (;;) {
  const ended = Atomics.load(control, ${ENDED});
  const written = Atomics.load(control, ${WRITTEN});
  if (written === at) {
    if (ended) break;
    Atomics.wait(control, ${WRITTEN}, written, 1000);
    continue;
  }
  const start = (at >>> 0) % ring.length;
  const length = Math.min((written - at) >>> 0, ring.length - start);
  hash.update(ring.subarray(start, start + length));
  at = (at + length) | 0;
  Atomics.store(control, ${HASHED}, at);
  Atomics.notify(control, ${HASHED});
}
parentPort.postMessage(hash.digest("hex"));
`;

/**
 * The SHA-256 of a stream. A thread hashes a large stream through a ring of shared memory, because hashing a byte costs as much as all
 * other work on it and must not slow the agent down.
 */
export class Digest {
  #early: Buffer[] = [];
  #earlyBytes = 0;
  #thread: HashThread | undefined;

  update(chunk: Buffer): void {
    if (this.#thread) return this.#thread.write(chunk);
    this.#early.push(Buffer.from(chunk));
    this.#earlyBytes += chunk.length;
    if (this.#earlyBytes <= INLINE_BYTES) return;
    this.#thread = new HashThread();
    for (const early of this.#early) this.#thread.write(early);
    this.#early = [];
  }

  async finish(): Promise<string> {
    if (this.#thread) return this.#thread.finish();
    const hash = createHash("sha256");
    for (const chunk of this.#early) hash.update(chunk);
    return hash.digest("hex");
  }
}

class HashThread {
  readonly #control = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  readonly #ring = new Uint8Array(new SharedArrayBuffer(RING_BYTES));
  readonly #digest: Promise<string>;
  #written = 0;

  constructor() {
    const workerData = { control: this.#control.buffer, ring: this.#ring.buffer };
    const worker = new Worker(HASHER, { eval: true, workerData });
    this.#digest = new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the hashing thread ended early")));
    });
    // The digest is awaited only at the end of the stream; an earlier rejection would be unhandled.
    this.#digest.catch(() => undefined);
  }

  /** Waits while the ring is full: then hashing, as the slowest part, sets the pace. */
  write(chunk: Buffer): void {
    for (let done = 0; done < chunk.length;) {
      const hashed = Atomics.load(this.#control, HASHED);
      const free = RING_BYTES - ((this.#written - hashed) >>> 0);
      if (free === 0) {
        if (Atomics.wait(this.#control, HASHED, hashed, STALLED_MS) === "timed-out")
          throw new Error("the hashing thread does not answer");
        continue;
      }
      const start = (this.#written >>> 0) % RING_BYTES;
      const length = Math.min(free, RING_BYTES - start, chunk.length - done);
      this.#ring.set(chunk.subarray(done, done + length), start);
      done += length;
      this.#written = (this.#written + length) | 0;
      Atomics.store(this.#control, WRITTEN, this.#written);
      Atomics.notify(this.#control, WRITTEN);
    }
  }

  finish(): Promise<string> {
    Atomics.store(this.#control, ENDED, 1);
    Atomics.notify(this.#control, WRITTEN);
    return this.#digest;
  }
}
