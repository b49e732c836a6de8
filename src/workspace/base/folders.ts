import fs from "node:fs";
import { isOurs } from "../git.ts";
import { pathOf, placeOf } from "../tree-path.ts";
import { GIT_STATE } from "../tree.ts";
import { DIRECTORY, type Stamps } from "./stamps.ts";

/** Beyond this, looking at them would take long at every turn. */
const MOST_FOLDERS = 50_000;

const NEVER_ENTERED = new Set([".git", "node_modules"]);
const NEITHER_FILE_NOR_FOLDER = "s";

export interface Counted {
  /** By their paths. */
  readonly files: Pick<ReadonlyMap<string, unknown>, "has" | "keys">;
  /** Looked at by others. */
  readonly ignored: Pick<Stamps, "has">;
  /** Files and folders that change by our own hand, relative to the root. */
  readonly leftOut: readonly string[];
}

/**
 * What stands in a tree though no file that counts is in it: folders, and pipes and sockets, which git does not list either. To a
 * program that only looks whether something is there they are as good as files. Null: there are too many folders.
 */
export function unlistedEntries(
  root: string,
  { files, ignored, leftOut }: Counted,
  most = MOST_FOLDERS,
): Stamps | null {
  const holding = foldersOf([...files.keys()].filter((path) => !GIT_STATE.test(path)));
  const ours = new Set(leftOut);
  const isOthers = (path: string): boolean => ignored.has(path) || ours.has(path) || isOurs(path);
  const found = new Map<string, string>();
  const waiting = [""];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    if (seen++ >= most) return null;
    const prefix = folder === "" ? "" : `${folder}/`;
    for (const name of namesIn(placeOf(root, folder))) {
      const path = prefix + name;
      // Nearly all are such files: to ask the file system what each is would take several times as long.
      if (files.has(path) || NEVER_ENTERED.has(name) || isOthers(path)) continue;
      const kind = holding.has(path) ? DIRECTORY : kindOf(placeOf(root, path));
      if (kind === DIRECTORY) waiting.push(path);
      if (kind !== null && !holding.has(path)) found.set(path, kind);
    }
  }
  return found;
}

/** Null: a file or a link, or nobody can tell. */
function kindOf(place: string | Buffer): string | null {
  try {
    const stat = fs.lstatSync(place);
    if (stat.isDirectory()) return DIRECTORY;
    return stat.isFile() || stat.isSymbolicLink() ? null : NEITHER_FILE_NOR_FOLDER;
  } catch {
    return null;
  }
}

/** The topmost ones that are new. `wasFolder`: whether there was a folder that held something. */
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

/** All folders that files lie in. */
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

function namesIn(place: string | Buffer): string[] {
  try {
    const names = fs.readdirSync(place);
    if (!names.some((name) => name.includes("\uFFFD"))) return names;
    return fs.readdirSync(place, { encoding: "buffer" }).map(pathOf);
  } catch {
    return [];
  }
}
