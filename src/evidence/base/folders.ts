import fs from "node:fs";
import { isOurs } from "../../platform/git/git.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import { GIT_STATE } from "../../platform/git/tree.ts";
import { namesInFolder } from "../../platform/git/folder-names.ts";
import { DIRECTORY, lookAt, type Stamps } from "../../platform/git/stamps.ts";

/** Looking at more folders would take too long at every turn. */
const MOST_FOLDERS = 50_000;

const NEVER_ENTERED = new Set([".git", "node_modules"]);
const NEITHER_FILE_NOR_FOLDER = "s";

export interface Counted {
  /** By path. */
  readonly files: Pick<ReadonlyMap<string, unknown>, "has" | "keys">;
  /** Checked elsewhere. */
  readonly ignored: Pick<Stamps, "has">;
  /** Files and folders that the foreman itself changes, relative to the root. */
  readonly leftOut: readonly string[];
}

/**
 * Entries of a tree without any counted file in them: folders, pipes and sockets, which git does not list either. A program that only tests
 * for existence treats them like files. Null: too many folders.
 */
export function unlistedEntries(
  root: string,
  { files, ignored, leftOut }: Counted,
  most = MOST_FOLDERS,
): Stamps | null {
  const holding = foldersHolding(files);
  const ours = new Set(leftOut);
  const isOthers = (path: string): boolean => ignored.has(path) || ours.has(path) || isOurs(path);
  const found = new Map<string, string>();
  const waiting = [""];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen++ >= most) return null;
    const prefix = folder === "" ? "" : `${folder}/`;
    const place = placeOf(root, folder);
    for (const name of namesInFolder(place, lookAt(place))) {
      const path = prefix + name;
      // Nearly all entries are such files. Asking the file system about each would take several times as long.
      if (files.has(path) || NEVER_ENTERED.has(name) || isOthers(path)) continue;
      const kind = holding.has(path) ? DIRECTORY : kindOf(placeOf(root, path));
      if (kind === DIRECTORY) waiting.push(path);
      if (kind !== null && !holding.has(path)) found.set(path, kind);
    }
  }
  return found;
}

/** Cached by file list, because in a large tree computing the folders takes as long as reading them. */
const knownFolders = new WeakMap<Counted["files"], ReadonlySet<string>>();

function foldersHolding(files: Counted["files"]): ReadonlySet<string> {
  const known = knownFolders.get(files);
  if (known) return known;
  const folders = foldersOf([...files.keys()].filter((path) => !GIT_STATE.test(path)));
  knownFolders.set(files, folders);
  return folders;
}

/** Null: a file, a link, or unknown. */
function kindOf(place: string | Buffer): string | null {
  try {
    const stat = fs.lstatSync(place);
    if (stat.isDirectory()) return DIRECTORY;
    return stat.isFile() || stat.isSymbolicLink() ? null : NEITHER_FILE_NOR_FOLDER;
  } catch {
    return null;
  }
}

/** The topmost new entries. `wasFolder`: whether a non-empty folder was there. */
export function newEntries(before: Stamps, now: Stamps, wasFolder: (path: string) => boolean): string[] {
  const isNew = ([path, stamp]: readonly [string, string]): boolean =>
    before.get(path) !== stamp && !(stamp === DIRECTORY && wasFolder(path));
  const added = new Set([...now].filter(isNew).map(([path]) => path));
  const isWithin = (path: string): boolean => {
    const end = path.lastIndexOf("/");
    return end > 0 && (added.has(path.slice(0, end)) || isWithin(path.slice(0, end)));
  };
  return [...added].filter((path) => !isWithin(path)).sort();
}

export function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}
