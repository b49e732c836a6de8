import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import { join } from "node:path";
import { makeDirectories } from "../../platform/files/directories.ts";
import { removeTree } from "./remove-tree.ts";
import { namesIn } from "../../platform/files/names-in.ts";

/** The kernel's clock for file times ticks at least this often. A change within the tick in which a file was made does not show in its times. */
const TICK_MS = 10;

interface Part {
  readonly madeOf: readonly unknown[];
  readonly value: unknown;
  readonly look: Look;
  /** The name of folders in it that change with each room. */
  readonly but: string;
  /** A command wrote into it, and the next one probably would too, so it is made from scratch each time. */
  isSpoilt: boolean;
}

interface Look {
  readonly digest: string;
  readonly newestMs: number;
}

/**
 * Folders of a room that later rooms in the same place reuse. Creating and removing some hundred files takes longer than many tests. A part is
 * only reused with the same inputs and no change since: no program can set back the time of the last change.
 */
export class RoomParts {
  readonly #dir: string;
  readonly #parts = new Map<string, Part>();
  #startedMs = 0;
  #waitUntilMs = 0;
  #inode = 0n;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Makes the room's own folder, or keeps only reusable parts in it. */
  begin(): void {
    this.#removeOthers();
    if (this.#isSameFolder()) return;
    makeDirectories(this.#dir, 0o700);
    this.#inode = fs.lstatSync(this.#dir, { bigint: true }).ino;
  }

  /** Does not enter a folder that another program put there. */
  #isSameFolder(): boolean {
    const stat = fs.lstatSync(this.#dir, { bigint: true, throwIfNoEntry: false });
    return stat?.isDirectory() === true && stat.ino === this.#inode && (stat.mode & 0o777n) === 0o700n;
  }

  provide<Value>(name: string, madeOf: readonly unknown[], make: () => Value, but = ""): Value {
    const folder = join(this.#dir, name);
    const last = this.#parts.get(name);
    const isSame = last !== undefined && isSameList(last.madeOf, madeOf);
    if (isSame && this.#isUntouched(name, last)) return last.value as Value;
    removeTree(folder);
    const value = make();
    const look = lookAt(folder, but);
    this.#parts.set(name, { madeOf, value, look, but, isSpoilt: last?.isSpoilt ?? false });
    // It was unusable only because it was made right before the last command.
    if (isSame && !last.isSpoilt) this.#waitUntilMs = Math.max(this.#waitUntilMs, look.newestMs + TICK_MS);
    return value;
  }

  #isUntouched(name: string, part: Part): boolean {
    part.isSpoilt ||= lookAt(join(this.#dir, name), part.but).digest !== part.look.digest;
    return !part.isSpoilt && this.#startedMs - part.look.newestMs > TICK_MS;
  }

  /** Call this right before a command starts. */
  start(): void {
    const leftMs = Math.min(this.#waitUntilMs - Date.now() + 1, 2 * TICK_MS);
    if (leftMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, leftMs);
    this.#startedMs = Date.now();
  }

  /** Removes what no later room can use. */
  end(): void {
    for (const [name, part] of this.#parts) this.#isUntouched(name, part);
    this.#removeOthers();
  }

  #removeOthers(): void {
    if (!this.#isSameFolder()) return removeTree(this.#dir);
    for (const name of fs.readdirSync(this.#dir))
      if (this.#parts.get(name)?.isSpoilt !== false) removeTree(join(this.#dir, name));
  }
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, at) => isEqual(value, other[at]));
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || (Buffer.isBuffer(one) && Buffer.isBuffer(other) && one.equals(other));
}

function lookAt(folder: string, but: string): Look {
  const hash = createHash("sha256");
  let newestMs = 0;
  const visit = (place: string): void => {
    const stat = fs.lstatSync(place, { bigint: true, throwIfNoEntry: false });
    if (!stat) {
      // A name that is not UTF-8 has no known meaning.
      hash.update(randomUUID());
      return;
    }
    const { mode, uid, gid, ino, size, mtimeNs, ctimeNs } = stat;
    hash.update([place, mode, uid, gid, ino, size, mtimeNs, ctimeNs].join("\0"));
    newestMs = Math.max(newestMs, Number(ctimeNs / 1_000_000n) + 1);
    if (stat.isDirectory())
      for (const name of namesIn(place).sort()) if (name !== but) visit(join(place, name));
  };
  visit(folder);
  return { digest: hash.digest("hex"), newestMs };
}
