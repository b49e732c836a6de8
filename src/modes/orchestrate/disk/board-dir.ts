import fs from "node:fs";
import { dirname, join, relative } from "node:path";
import { makeDirectories } from "../../../platform/files/directories.ts";
import type { Digests } from "../../../platform/files/digests.ts";
import { tryReadPlainFile } from "../../../platform/files/read-file.ts";
import { removeAny } from "../../../platform/files/remove.ts";
import { writeFileAtomic, writeFileDurable } from "../../../platform/files/write-file.ts";
import { isBoardFile, highest, iterationIn, ORDERS, REPORTS } from "./names.ts";
import { sha256Of } from "../../../platform/files/sha256.ts";

/** Foreign text that replaced a file of the foreman's is kept up to this size. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** Folders with files of the foreman's, relative to the directory. */
const FOLDERS: readonly string[] = [".", ORDERS, REPORTS];

/** The directory of a board. It remembers what the foreman wrote there. */
export class BoardDir {
  readonly #dir: string;
  /** Names, relative to the directory, and digests of the contents. */
  readonly #known = new Map<string, string>();
  /** Known foreign files, which need no report. */
  readonly #others: Set<string>;

  /** Files of earlier runs, kept unchanged until this run writes them itself. */
  readonly #earlier: ReadonlyMap<string, string>;
  /** Foreign files with names that the foreman uses. */
  #planted: readonly string[] = [];

  constructor(dir: string) {
    this.#dir = dir;
    this.#others = new Set(this.#names());
    this.#earlier = new Map(
      [...this.#others].filter(isBoardFile).flatMap((name) => {
        const text = this.read(name)?.toString("utf8");
        return text === undefined ? [] : [[name, text] as const];
      }),
    );
    for (const [name, text] of this.#earlier) this.#known.set(name, sha256Of(text));
  }

  /** Restores files of earlier runs and removes foreign files with the foreman's names. */
  restore(written: ReadonlySet<string>): void {
    for (const [name, text] of this.#earlier) if (!written.has(name)) this.put(name, text);
    for (const name of this.#planted) if (!written.has(name)) removeAny(join(this.#dir, name));
    this.#planted = [];
  }

  /** `durable`: survives a power cut. */
  put(name: string, text: string, durable = false): void {
    const sha256 = sha256Of(text);
    this.#known.set(name, sha256);
    const path = join(this.#dir, name);
    // Reads one byte more than expected, so that text added at the end is noticed as well.
    const there = this.#isInPlace(path) ? tryReadPlainFile(path, Buffer.byteLength(text) + 1) : undefined;
    if (there && sha256Of(there) === sha256) return;
    this.#clearWay(path);
    if (durable) writeFileDurable(path, text);
    else writeFileAtomic(path, text);
  }

  /** A link or a file in place of a directory leads elsewhere or nowhere, so it is removed. */
  #clearWay(path: string): void {
    for (const dir of new Set([this.#dir, dirname(path)])) {
      if (kindOf(dir)?.isDirectory() === false) fs.rmSync(dir);
      makeDirectories(dir);
    }
    if (kindOf(path)?.isDirectory() === true) fs.rmSync(path, { recursive: true });
  }

  /** Files that differ from what was written, and, once, new foreign files. Those stay, and later turns are not blamed for them. */
  changed(digests: Digests): readonly string[] {
    const astray = new Set(FOLDERS.filter((folder) => !this.#isOwnFolder(folder)));
    const changed = [...this.#known].filter(
      ([name, sha256]) => astray.has(dirname(name)) || digests.of(join(this.#dir, name)) !== sha256,
    );
    const added = this.#names().filter((name) => !this.#known.has(name) && !this.#others.has(name));
    this.#planted = added.filter(isBoardFile);
    for (const name of added) if (!isBoardFile(name)) this.#others.add(name);
    return [...changed.map(([name]) => name), ...added].sort();
  }

  /** The current content of a file, which may be foreign. */
  read(name: string): Buffer | undefined {
    return tryReadPlainFile(join(this.#dir, name), MAX_KEPT_BYTES);
  }

  /** A link may lead to the same text, which its owner can change later. */
  #isInPlace(path: string): boolean {
    return this.#isOwnFolder(relative(this.#dir, dirname(path))) && kindOf(path)?.isFile() === true;
  }

  #isOwnFolder(folder: string): boolean {
    return [this.#dir, join(this.#dir, folder)].every((path) => kindOf(path)?.isDirectory() === true);
  }

  #names(): readonly string[] {
    return FOLDERS.flatMap((folder) =>
      namesIn(join(this.#dir, folder)).map((name) => (folder === "." ? name : `${folder}/${name}`)),
    );
  }
}

/** The highest number of an iteration with a file on the board. */
export function lastIterationIn(dir: string): number {
  const names = [ORDERS, REPORTS].flatMap((folder) => namesIn(join(dir, folder)));
  return highest(names.map((name) => iterationIn(name) ?? 0));
}

function namesIn(dir: string): readonly string[] {
  try {
    return fs
      .readdirSync(dir, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

function kindOf(path: string): fs.Stats | undefined {
  return fs.lstatSync(path, { throwIfNoEntry: false });
}
