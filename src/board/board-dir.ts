import { createHash } from "node:crypto";
import fs from "node:fs";
import { dirname, join, relative } from "node:path";
import { makeDirectories } from "../files/directories.ts";
import type { Digests } from "../files/digests.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { removeAny } from "../files/remove.ts";
import { writeFileAtomic, writeFileDurable } from "../files/write-file.ts";
import { isBoardFile, highest, iterationIn, ORDERS, REPORTS } from "./names.ts";

/** What somebody wrote over a file of ours is kept up to this size. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** Where files of ours lie, relative to the directory. */
const FOLDERS: readonly string[] = [".", ORDERS, REPORTS];

/** A board's directory, of which the foreman knows what it has written there. */
export class BoardDir {
  readonly #dir: string;
  /** Names, relative to the directory, and digests of what they hold. */
  readonly #known = new Map<string, string>();
  /** What lies there, is none of ours, and need not be told. */
  readonly #others: Set<string>;

  /** What earlier runs left, as it was found: it is kept so until this run writes the file itself. */
  readonly #earlier: ReadonlyMap<string, string>;
  /** Files of our names that somebody else has made. */
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
    for (const [name, text] of this.#earlier) this.#known.set(name, digest(text));
  }

  /** Puts right what is none of this run's: files of earlier runs are as they were, and there are no others by our names. */
  restore(written: ReadonlySet<string>): void {
    for (const [name, text] of this.#earlier) if (!written.has(name)) this.put(name, text);
    for (const name of this.#planted) if (!written.has(name)) removeAny(join(this.#dir, name));
    this.#planted = [];
  }

  /** `durable`: not even a power cut may take it back. */
  put(name: string, text: string, durable = false): void {
    const sha256 = digest(text);
    this.#known.set(name, sha256);
    const path = join(this.#dir, name);
    // One byte more than it should have: what was added at its end is seen as well.
    const there = this.#isInPlace(path) ? tryReadPlainFile(path, Buffer.byteLength(text) + 1) : undefined;
    if (there && digest(there) === sha256) return;
    this.#clearWay(path);
    if (durable) writeFileDurable(path, text);
    else writeFileAtomic(path, text);
  }

  /** A link or a file where a directory of ours belongs leads elsewhere, or nowhere: it goes. */
  #clearWay(path: string): void {
    for (const dir of new Set([this.#dir, dirname(path)])) {
      if (kindOf(dir)?.isDirectory() === false) fs.rmSync(dir);
      makeDirectories(dir);
    }
    if (kindOf(path)?.isDirectory() === true) fs.rmSync(path, { recursive: true });
  }

  /** Files that are not as they were written, and, once, those that somebody else has added: they stay, and are nobody else's fault later. */
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

  /** What stands in a file now, for whoever wrote it. */
  read(name: string): Buffer | undefined {
    return tryReadPlainFile(join(this.#dir, name), MAX_KEPT_BYTES);
  }

  /** A link may lead to the same texts, which somebody else can change later. */
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

/** The highest number of an iteration that left a file on the board. */
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

function digest(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
