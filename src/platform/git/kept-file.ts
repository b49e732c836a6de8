import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname } from "node:path";
import { writeState } from "../files/write-state.ts";
import type { Artifact } from "../process/process-end.ts";
import { syncDirectory } from "../files/directories.ts";
import { removeAny } from "../files/remove.ts";
import { readAt } from "./read-entry.ts";

const CHUNK = 1024 * 1024;

/** Writes a file as a whole or not at all, and knows its digest without reading it again. */
export function writeKept(path: string, write: (append: (bytes: Buffer) => void) => void): Artifact {
  return writeState(path, () => writeWhole(path, write));
}

function writeWhole(path: string, write: (append: (bytes: Buffer) => void) => void): Artifact {
  // A fixed name, so that the next write clears what a killed process left. Each path has one writer.
  const temporary = `${path}.agent-foreman.tmp`;
  removeAny(temporary);
  const fd = fs.openSync(temporary, "wx");
  const writer = new Writer(fd);
  try {
    write((bytes) => writer.append(bytes));
    writer.flush();
    fs.fsyncSync(fd);
  } catch (error) {
    removeAny(temporary);
    throw error;
  } finally {
    fs.closeSync(fd);
  }
  fs.renameSync(temporary, path);
  syncDirectory(dirname(path));
  return { path, ...writer.written() };
}

/** Joins small parts, because one call for each would dominate the time. */
class Writer {
  readonly #fd: number;
  readonly #hash = createHash("sha256");
  #parts: Buffer[] = [];
  #waiting = 0;
  #length = 0;

  constructor(fd: number) {
    this.#fd = fd;
  }

  append(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#waiting += bytes.length;
    if (this.#waiting >= CHUNK) this.flush();
  }

  flush(): void {
    const bytes = Buffer.concat(this.#parts);
    fs.writeFileSync(this.#fd, bytes);
    this.#hash.update(bytes);
    this.#length += bytes.length;
    this.#parts = [];
    this.#waiting = 0;
  }

  written(): Pick<Artifact, "bytes" | "sha256"> {
    return { bytes: this.#length, sha256: this.#hash.digest("hex") };
  }
}

/** The file's content from an offset on, if the whole file is unchanged. One read only, because the file may change between two reads. */
export function keptFrom({ path, bytes, sha256 }: Artifact, offset: number): Buffer | null {
  try {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    try {
      if (fs.fstatSync(fd).size !== bytes) return null;
      const hash = createHash("sha256");
      for (let at = 0; at < offset; at += CHUNK) hash.update(readAt(fd, at, Math.min(CHUNK, offset - at)));
      const rest = readAt(fd, offset, bytes - offset);
      return hash.update(rest).digest("hex") === sha256 ? rest : null;
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return null;
  }
}
