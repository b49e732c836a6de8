import fs, { type BigIntStats } from "node:fs";
import { delimiter, join, relative, resolve, sep } from "node:path";
import { realPath } from "../../platform/git/tree-repository.ts";
import { isUnchanged } from "./contents.ts";
import { FileTimes } from "../../platform/git/file-times.ts";
import { isSettled } from "../../platform/git/tree-listing.ts";
import { DIRECTORY, stampOf, type Stamps } from "../../platform/git/stamps.ts";
import { namesIn } from "../../platform/files/names-in.ts";
import { nameOf } from "../../text/paths.ts";

/** A program in the tree. The tree's own files describe it, but its name may come before another program's. */
const IN_THE_TREE = "tree";
const DANGLING = "dangling";

/** Stamps of the programs on PATH, directory by directory, in its order. */
export type ProgramStamps = Stamps;

interface LastLook {
  readonly path: string;
  readonly root: string;
  readonly times: FileTimes;
  readonly stamps: ProgramStamps;
}

let lastLook: LastLook | null = null;

/** Returns the previous object if nothing on PATH was touched since. */
export function programStamps(path: string, root: string): ProgramStamps {
  const isSame = lastLook?.path === path && lastLook.root === root;
  if (isSame && lastLook?.times.areUnchanged()) return lastLook.stamps;
  lastLook?.times.forget();
  const startedMs = Date.now();
  const times = new FileTimes("statSync");
  const stamps = new Map<string, string>();
  let isLasting = true;
  for (const directory of directoriesOf(path, root)) {
    stamps.set(directory, DIRECTORY);
    const isInside = isWithin(root, realPath(directory));
    const folder = lookAt(directory);
    // A directory changed just now may get another entry without a new time.
    isLasting &&= !folder || isSettled(folder, startedMs);
    times.add(directory, folder);
    // Tools use names with a leading dot for files that they are about to install there.
    for (const name of namesIn(directory).filter((each) => !each.startsWith("."))) {
      const place = join(directory, name);
      const stat = lookAt(place);
      times.add(place, stat);
      const stamp = programStamp(place, stat);
      if (stamp !== undefined) stamps.set(place, isInside ? IN_THE_TREE : stamp);
    }
  }
  lastLook = isLasting ? { path, root, times, stamps } : null;
  return stamps;
}

/** The PATH of these stamps. */
export function pathOf(stamps: ProgramStamps): string {
  return directoriesIn(stamps).join(delimiter);
}

/**
 * Changed or removed programs, and new ones found before an old one of the same name. A new program with a new name replaces nothing.
 * `digestOf`: the digest of a file's current content; null if unknown.
 */
export function changedPrograms(
  before: ProgramStamps,
  now: ProgramStamps,
  digestOf: (path: string) => string | null = () => null,
): string[] {
  const programs = [...before].filter(([, stamp]) => stamp !== DIRECTORY);
  const isSame = (path: string, old: string): boolean => {
    const stamp = now.get(path);
    return stamp !== undefined && isUnchanged(old, stamp, () => digestOf(path));
  };
  const changed = programs.filter(([path, stamp]) => !isSame(path, stamp)).map(([path]) => path);
  const order = new Map(directoriesIn(now).map((directory, index) => [directory, index]));
  const last = new Map(programs.map(([path]) => [nameOf(path), order.get(directoryOf(path)) ?? -1]));
  const shadows = [...now.keys()].filter(
    (path) =>
      !before.has(path) && (order.get(directoryOf(path)) ?? Infinity) < (last.get(nameOf(path)) ?? -1),
  );
  return [...changed, ...shadows].sort();
}

/** Each directory once, though PATH may list it twice or by another name (/bin is /usr/bin). */
function directoriesOf(path: string, root: string): string[] {
  const seen = new Set<string>();
  // An empty or relative entry starts from the command's directory, which is in the tree.
  const directories = path.split(delimiter).map((directory) => resolve(root, directory));
  return directories.filter((directory) => {
    const real = realPath(directory);
    return seen.has(real) ? false : seen.add(real);
  });
}

function directoriesIn(stamps: Stamps): string[] {
  return [...stamps].filter(([, stamp]) => stamp === DIRECTORY).map(([path]) => path);
}

/** Undefined: not a program. */
function programStamp(path: string, stat: BigIntStats | undefined): string | undefined {
  if (!stat) return DANGLING;
  if (!stat.isFile() || (stat.mode & 0o111n) === 0n) return undefined;
  return stampOf(path, stat);
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return fs.statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
