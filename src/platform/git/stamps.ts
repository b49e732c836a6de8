import { createHash } from "node:crypto";
import fs, { type BigIntStats } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { FileTimes } from "./file-times.ts";
import { isOurs } from "./git.ts";
import { placeOf } from "./tree-path.ts";
import { excludesFileOf, ignoredIn } from "./tree-repository.ts";
import { namesInFolder } from "./folder-names.ts";
import { isSettled } from "./tree-listing.ts";

/**
 * The state of files by path, without reading them: a change of content changes ctime, which no program can set.
 * Directories come before their entries and have no times, because those change with the entries.
 */
export type Stamps = ReadonlyMap<string, string>;

export const DIRECTORY = "d";
/** A folder that the foreman itself writes all the time. One stamp covers everything in it. */
export const OWN_FOLDER = "o";

/** With more entries, the look would take seconds at every turn. */
const MOST_ENTRIES = 400_000;

export interface IgnoredFiles {
  /** The person's own list of ignored files; default: the current one. */
  readonly excludesFile?: string;
  /** Repositories inside the tree, relative to its root. Each has its own ignore rules. */
  readonly repositories?: readonly string[];
  /** Files and folders that the foreman changes, relative to the root. */
  readonly leftOut?: readonly string[];
}

interface LastWalk {
  /** The starting points of the walk and what it left out. */
  readonly of: readonly unknown[];
  readonly times: FileTimes;
  readonly found: Stamps;
}

/** By root. */
const lastWalks = new Map<string, LastWalk>();

/**
 * Stamps of everything that git ignores; without git, of known tool folders. Null: too many files. Returns the previous object if no file
 * was touched since.
 */
export function ignoredStamps(root: string, which: IgnoredFiles = {}): Stamps | null {
  const { excludesFile = excludesFileOf(root), repositories = [], leftOut = [] } = which;
  const folders = ["", ...repositories];
  const listed = folders.map((folder) => {
    const place = placeOf(root, folder);
    return typeof place === "string" ? ignoredIn(place, excludesFile) : undefined;
  });
  const last = lastWalks.get(root);
  const of = [folders, listed, leftOut];
  if (last && isDeepStrictEqual(last.of, of) && last.times.areUnchanged()) return last.found;
  last?.times.forget();
  lastWalks.delete(root);
  const walk = new Walk(root, leftOut);
  const isWhole = folders.every((folder, at) => {
    const names = listed[at];
    if (!names) return folder !== "" || walk.toolFolders("");
    return names.every((name) => walk.visit(prefixOf(folder) + name.replace(/\/$/, "")));
  });
  if (!isWhole) return null;
  if (walk.times && listed[0]) lastWalks.set(root, { of, times: walk.times, found: walk.found });
  return walk.found;
}

/** Changes whenever an entry of the folder changes. */
export function folderDigest(folder: string): string {
  const walk = new Walk(folder, []);
  for (const name of namesInFolder(folder, lookAt(folder))) walk.visit(name);
  const hash = createHash("sha256");
  for (const [path, stamp] of walk.found) hash.update(`${path}\0${stamp}\n`);
  return hash.digest("hex");
}

/** Such a name may not be UTF-8 (tree-path.ts). */
const SURROGATE = /[\uD800-\uDFFF]/;

/** Methods return false when there are too many entries. */
class Walk {
  readonly found = new Map<string, string>();
  /** Null: they would not show every change. */
  times: FileTimes | null = new FileTimes("lstatSync");
  readonly #root: string;
  readonly #leftOut: readonly string[];
  #seen = 0;

  constructor(root: string, leftOut: readonly string[]) {
    this.#root = root;
    this.#leftOut = leftOut.filter((path) => !path.startsWith("..")).map((path) => `${path}/`);
  }

  /** Reuses the folder's known state for its entries, because there may be tens of thousands at every turn. */
  visit(path: string, place = placeOf(this.#root, path)): boolean {
    if (this.#isLeftOut(path)) return true;
    const stat = lookAt(place);
    const isOwn = stat?.isDirectory() === true && isOurs(path);
    this.#note(place, stat, isOwn);
    if (!stat) return true;
    if (this.#seen++ >= MOST_ENTRIES) return false;
    this.found.set(path, isOwn ? OWN_FOLDER : stampOf(place, stat));
    if (stat.isDirectory() && !isOwn)
      for (const name of namesInFolder(place, stat)) {
        const isPlain = typeof place === "string" && !SURROGATE.test(name);
        if (!this.visit(`${path}/${name}`, isPlain ? `${place}/${name}` : undefined)) return false;
      }
    return true;
  }

  /** Looks for tool folders at any depth. */
  toolFolders(folder: string): boolean {
    const place = placeOf(this.#root, folder);
    return namesInFolder(place, lookAt(place)).every((name) => {
      const path = prefixOf(folder) + name;
      if (name === ".git" || this.#isLeftOut(path)) return true;
      if (this.#seen++ >= MOST_ENTRIES) return false;
      if (lookAt(placeOf(this.#root, path))?.isDirectory() !== true) return true;
      return isToolFolder(this.#root, path, name) ? this.visit(path) : this.toolFolders(path);
    });
  }

  /** A folder that was changed just now may get another entry without a new time. Our own folder changes all the time. */
  #note(place: string | Buffer, stat: BigIntStats | undefined, isOwn: boolean): void {
    if (isOwn) return;
    const isLasting = stat && (!stat.isDirectory() || isSettled(stat, Date.now()));
    if (isLasting && typeof place === "string") this.times?.add(place, stat);
    else this.times = null;
  }

  #isLeftOut(path: string): boolean {
    return this.#leftOut.some((folder) => `${path}/`.startsWith(folder));
  }
}

/** Files that tools leave in their folders; a product may have its own folder named `target`. */
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

/** The parsed content of a stamp. */
export interface Stamped {
  /** Includes the file type. */
  readonly mode: number;
  readonly size: number;
  /** Time of the last write, in seconds. */
  readonly seconds: number;
  /** For a link: its encoded target. */
  readonly target: string | undefined;
}

export function readStamp(stamp: string): Stamped {
  const [mode = 0, , size = 0, written = 0] = stamp.split(" ").map((text) => Number.parseInt(text, 36));
  const isLink = (mode & fs.constants.S_IFMT) === fs.constants.S_IFLNK;
  return { mode, size, seconds: written / 1e9, target: isLink ? stamp.split(" ")[5] : undefined };
}

export function stampOf(place: string | Buffer, stat: BigIntStats): string {
  if (stat.isDirectory()) return DIRECTORY;
  if (stat.isSymbolicLink()) return `${textOf(stat)} ${targetOf(place)}`;
  if (typeof place !== "string") return textOf(stat);
  const last = lastStamps.get(place);
  if (last && isSameStat(last, stat)) return last.text;
  const { mode, ino, size, mtimeNs, ctimeNs } = stat;
  const text = textOf(stat);
  if (lastStamps.size >= MOST_ENTRIES) lastStamps.clear();
  lastStamps.set(place, { mode, ino, size, mtimeNs, ctimeNs, text });
  return text;
}

type Stat = Pick<BigIntStats, "mode" | "ino" | "size" | "mtimeNs" | "ctimeNs">;

/** By place. Formatting numbers takes longer than comparing them, and most files are unchanged. */
const lastStamps = new Map<string, Stat & { readonly text: string }>();

function isSameStat(one: Stat, other: Stat): boolean {
  return (
    one.ctimeNs === other.ctimeNs &&
    one.mtimeNs === other.mtimeNs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.mode === other.mode
  );
}

function textOf({ mode, ino, size, mtimeNs, ctimeNs }: Stat): string {
  return [mode, ino, size, mtimeNs, ctimeNs].map((number) => number.toString(36)).join(" ");
}

function targetOf(place: string | Buffer): string {
  try {
    return fs.readlinkSync(place, { encoding: "buffer" }).toString("base64url");
  } catch {
    return "";
  }
}

/** Undefined: missing or unreadable. */
export function lookAt(place: string | Buffer): BigIntStats | undefined {
  try {
    return fs.lstatSync(place, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

export function prefixOf(folder: string): string {
  return folder === "" ? "" : `${folder}/`;
}
