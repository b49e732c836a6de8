import fs, { type BigIntStats } from "node:fs";
import { Worker } from "node:worker_threads";

/** The fields that change when a file is touched. No program can set ctime. */
const FIELDS = ["dev", "ino", "mode", "size", "mtimeNs", "ctimeNs"] as const;

const CHUNK = 500;
/** For fewer files, a thread costs more than it saves. */
const WORTH_A_THREAD = 4000;
/** Even a starved machine looks at a chunk in this time. */
const STALLED_MS = 10_000;

/** The value of all fields of a missing file. */
const MISSING = -1n;

/** Shared with the thread. Each array of whole numbers has one element. */
interface Look {
  readonly places: readonly string[];
  /** The function of `fs` to look with. */
  readonly by: "lstatSync" | "statSync";
  /** In the order of `FIELDS`, file by file. */
  readonly times: BigInt64Array;
  readonly chunk: number;
  readonly chunks: number;
  /** Grows with each look. */
  readonly round: Int32Array;
  /** The next chunk to look at. */
  readonly next: Int32Array;
  /** The number of chunks that are not done. */
  readonly left: Int32Array;
  /** 1: a file has changed. */
  readonly changed: Int32Array;
}

/** The times of many files at an earlier look. If all are the same now, anything computed from these files is still valid. */
export class FileTimes {
  readonly #by: Look["by"];
  readonly #places: string[] = [];
  #times: bigint[] = [];
  #look: Look | undefined;
  #thread: Worker | undefined;

  /** `by`: `statSync` follows links. */
  constructor(by: Look["by"]) {
    this.#by = by;
  }

  /** `stat`: undefined for a missing or unreadable file. */
  add(place: string, stat: BigIntStats | undefined): void {
    this.#places.push(place);
    for (const field of FIELDS) this.#times.push(stat?.[field] ?? MISSING);
  }

  /** After the first `false` it must not be asked again. */
  areUnchanged(): boolean {
    const look = (this.#look ??= this.#prepare());
    const { places, chunks, round, next, left, changed } = look;
    Atomics.store(left, 0, chunks);
    Atomics.store(next, 0, 0);
    Atomics.add(round, 0, 1);
    Atomics.notify(round, 0);
    lookAtChunks(fs, look);
    const isSame = isFinished(left) && Atomics.load(changed, 0) === 0;
    // Started after a look that found no change: where files always change, it would be of no use.
    if (isSame && places.length >= WORTH_A_THREAD) this.#thread ??= startThread(look);
    return isSame;
  }

  /** Ends the thread. */
  forget(): void {
    void this.#thread?.terminate();
  }

  #prepare(): Look {
    const times = new BigInt64Array(new SharedArrayBuffer(8 * this.#times.length));
    times.set(this.#times);
    this.#times = [];
    const chunks = Math.ceil(this.#places.length / CHUNK);
    const number = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));
    const [round, next, left, changed] = [number(), number(), number(), number()];
    return { places: this.#places, by: this.#by, times, chunk: CHUNK, chunks, round, next, left, changed };
  }
}

function isFinished(left: Int32Array): boolean {
  for (let count = Atomics.load(left, 0); count > 0; count = Atomics.load(left, 0))
    if (Atomics.wait(left, 0, count, STALLED_MS) === "timed-out") return false;
  return true;
}

/** Takes chunks until none is left. The thread gets it as text, so it may use only its parameters. */
function lookAtChunks(
  files: Pick<typeof fs, Look["by"]>,
  { places, by, times, chunk, chunks, next, left, changed }: Look,
): void {
  for (let taken = Atomics.add(next, 0, 1); taken < chunks; taken = Atomics.add(next, 0, 1)) {
    const end = Math.min(places.length, (taken + 1) * chunk);
    for (let at = taken * chunk; at < end && Atomics.load(changed, 0) === 0; at++) {
      let stat;
      try {
        stat = files[by](places[at] ?? "", { bigint: true, throwIfNoEntry: false });
      } catch {
        // It is unreadable now.
      }
      const isSame =
        (stat?.dev ?? -1n) === times[at * 6] &&
        (stat?.ino ?? -1n) === times[at * 6 + 1] &&
        (stat?.mode ?? -1n) === times[at * 6 + 2] &&
        (stat?.size ?? -1n) === times[at * 6 + 3] &&
        (stat?.mtimeNs ?? -1n) === times[at * 6 + 4] &&
        (stat?.ctimeNs ?? -1n) === times[at * 6 + 5];
      if (!isSame) Atomics.store(changed, 0, 1);
    }
    Atomics.sub(left, 0, 1);
    Atomics.notify(left, 0);
  }
}

function startThread(look: Look): Worker {
  const text = `
const { workerData } = require("node:worker_threads");
const fs = require("node:fs");
const lookAtChunks = ${lookAtChunks.toString()};
const { round } = workerData;
for (let last = Atomics.load(round, 0); ; last = Atomics.load(round, 0)) {
  lookAtChunks(fs, workerData);
  Atomics.wait(round, 0, last);
}`;
  const thread = new Worker(text, { eval: true, workerData: look });
  thread.unref();
  // Without the thread, looks only take longer.
  thread.on("error", () => undefined);
  return thread;
}
