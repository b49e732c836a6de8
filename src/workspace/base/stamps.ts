import { createHash } from "node:crypto";
import fs, { type BigIntStats } from "node:fs";
import { pathOf, placeOf } from "../tree-path.ts";
import { excludesFileOf, ignoredIn } from "../tree-repository.ts";

/**
 * What files looked like, by path, without reading them: a change of content changes the time of the last change (ctime), which no
 * program can set. Directories come before what they hold, and have no times: these change with what is in them.
 */
export type Stamps = ReadonlyMap<string, string>;

export const DIRECTORY = "d";

/** Beyond this, looking at them would take seconds at every turn. */
const MOST_ENTRIES = 400_000;

export interface IgnoredFiles {
  /** The person's own list of what git ignores; as it is now, if not said. */
  readonly excludesFile?: string;
  /** Repositories inside the tree, relative to its root: what they ignore is their own affair. */
  readonly repositories?: readonly string[];
  /** Files and folders that change by our own hand, relative to the root. */
  readonly leftOut?: readonly string[];
}

/** Of everything that git ignores, or that is known to be a tool's where there is no git. Null: there is too much of it. */
export function ignoredStamps(root: string, which: IgnoredFiles = {}): Stamps | null {
  const { excludesFile = excludesFileOf(root), repositories = [], leftOut = [] } = which;
  const walk = new Walk(root, leftOut);
  const isWhole = ["", ...repositories].every((folder) => {
    const place = placeOf(root, folder);
    const names = typeof place === "string" ? ignoredIn(place, excludesFile) : undefined;
    if (!names) return folder !== "" || walk.toolFolders("");
    return names.every((name) => walk.visit(prefixOf(folder) + name.replace(/\/$/, "")));
  });
  return isWhole ? walk.found : null;
}

/** Another one if an entry of the folder has changed. */
export function folderDigest(folder: string): string {
  const walk = new Walk(folder, []);
  for (const name of namesIn(folder)) walk.visit(name);
  const hash = createHash("sha256");
  for (const [path, stamp] of walk.found) hash.update(`${path}\0${stamp}\n`);
  return hash.digest("hex");
}

/** Such a name may not be UTF-8 (tree-path.ts). */
const SURROGATE = /[\uD800-\uDFFF]/;

/** Methods say false when there are too many entries. */
class Walk {
  readonly found = new Map<string, string>();
  readonly #root: string;
  readonly #leftOut: readonly string[];
  #seen = 0;

  constructor(root: string, leftOut: readonly string[]) {
    this.#root = root;
    this.#leftOut = leftOut.filter((path) => !path.startsWith("..")).map((path) => `${path}/`);
  }

  /** There may be tens of thousands, at every turn: what is known of the folder is not found out again for what it holds. */
  visit(path: string, place = placeOf(this.#root, path)): boolean {
    if (this.#isLeftOut(path)) return true;
    const stat = lookAt(place);
    if (!stat) return true;
    if (this.#seen++ >= MOST_ENTRIES) return false;
    this.found.set(path, stampOf(place, stat));
    if (stat.isDirectory())
      for (const name of namesIn(place)) {
        const isPlain = typeof place === "string" && !SURROGATE.test(name);
        if (!this.visit(`${path}/${name}`, isPlain ? `${place}/${name}` : undefined)) return false;
      }
    return true;
  }

  /** Looks for folders that are a tool's wherever they lie. */
  toolFolders(folder: string): boolean {
    return namesIn(placeOf(this.#root, folder)).every((name) => {
      const path = prefixOf(folder) + name;
      if (name === ".git" || this.#isLeftOut(path)) return true;
      if (this.#seen++ >= MOST_ENTRIES) return false;
      if (lookAt(placeOf(this.#root, path))?.isDirectory() !== true) return true;
      return isToolFolder(this.#root, path, name) ? this.visit(path) : this.toolFolders(path);
    });
  }

  #isLeftOut(path: string): boolean {
    return this.#leftOut.some((folder) => `${path}/`.startsWith(folder));
  }
}

/** By what tools leave in theirs: others are free to call a folder of the product `target`. */
const MARKS: Readonly<Record<string, string>> = {
  node_modules: "",
  ".tox": "",
  ".venv": "pyvenv.cfg",
  venv: "pyvenv.cfg",
  target: "CACHEDIR.TAG",
};

function isToolFolder(root: string, path: string, name: string): boolean {
  const mark = MARKS[name];
  return mark !== undefined && (mark === "" || lookAt(placeOf(root, `${path}/${mark}`)) !== undefined);
}

/** What a stamp tells. */
export interface Stamped {
  /** With what kind of thing it is. */
  readonly mode: number;
  readonly size: number;
  /** When it was last written, in seconds. */
  readonly seconds: number;
  /** Of a link: where it leads, in some writing. */
  readonly target: string | undefined;
}

export function readStamp(stamp: string): Stamped {
  const [mode = 0, , size = 0, written = 0] = stamp.split(" ").map((text) => Number.parseInt(text, 36));
  const isLink = (mode & fs.constants.S_IFMT) === fs.constants.S_IFLNK;
  return { mode, size, seconds: written / 1e9, target: isLink ? stamp.split(" ")[5] : undefined };
}

export function stampOf(place: string | Buffer, stat: BigIntStats): string {
  if (stat.isDirectory()) return DIRECTORY;
  const numbers = [stat.mode, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs];
  const text = numbers.map((number) => number.toString(36)).join(" ");
  return stat.isSymbolicLink() ? `${text} ${targetOf(place)}` : text;
}

function targetOf(place: string | Buffer): string {
  try {
    return fs.readlinkSync(place, { encoding: "buffer" }).toString("base64url");
  } catch {
    return "";
  }
}

/** Undefined where there is nothing, or nobody can tell. */
export function lookAt(place: string | Buffer): BigIntStats | undefined {
  try {
    return fs.lstatSync(place, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string | Buffer): string[] {
  try {
    const names = fs.readdirSync(folder);
    if (!names.some((name) => name.includes("\uFFFD"))) return names;
    return fs.readdirSync(folder, { encoding: "buffer" }).map(pathOf);
  } catch {
    return [];
  }
}

function prefixOf(folder: string): string {
  return folder === "" ? "" : `${folder}/`;
}
