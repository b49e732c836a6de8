import fs from "node:fs";
import { readPlainFile } from "./read-file.ts";
import { sha256Of } from "./sha256.ts";

/** A file changed this recently may change again within the same tick of the file system's clock. */
const SETTLED_MS = 2000;

/** No known file is larger. */
const MAX_BYTES = 64n * 1024n * 1024n;

interface Known {
  readonly stamp: string;
  readonly sha256: string;
}

/** Digests of plain files that are checked again and again. Untouched files are not read again. */
export class Digests {
  readonly #known = new Map<string, Known>();

  /** Null: no readable plain file, or a very large one. */
  of(path: string): string | null {
    try {
      const stats = fs.lstatSync(path, { bigint: true });
      const stamp = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join();
      const known = this.#known.get(path);
      if (known?.stamp === stamp) return known.sha256;
      if (!stats.isFile()) return null;
      if (stats.size > MAX_BYTES) return null;
      const sha256 = sha256Of(readPlainFile(path));
      if (Date.now() - Number(stats.ctimeMs) > SETTLED_MS) this.#known.set(path, { stamp, sha256 });
      return sha256;
    } catch {
      return null;
    }
  }
}
