import fs, { type BigIntStats } from "node:fs";
import { delimiter, join, relative, resolve, sep } from "node:path";
import { realPath } from "../tree-repository.ts";
import { isWhatItWas } from "./contents.ts";
import { DIRECTORY, stampOf, type Stamps } from "./stamps.ts";

/** In the tree: what such a program is, the tree tells; but by its name it may come before another. */
const IN_THE_TREE = "tree";
const DANGLING = "dangling";

/** The programs on PATH as they look, directory by directory, in its order. */
export type ProgramStamps = Stamps;

export function programStamps(path: string, root: string): ProgramStamps {
  const stamps = new Map<string, string>();
  for (const directory of directoriesOf(path, root)) {
    stamps.set(directory, DIRECTORY);
    const isInside = isWithin(root, realPath(directory));
    for (const name of namesIn(directory)) {
      const stamp = programStamp(join(directory, name));
      if (stamp !== undefined) stamps.set(join(directory, name), isInside ? IN_THE_TREE : stamp);
    }
  }
  return stamps;
}

/** The PATH that the stamps were taken of. */
export function pathOf(stamps: ProgramStamps): string {
  return directoriesIn(stamps).join(delimiter);
}

/**
 * Programs that changed or are gone, and new ones that are found before one of the same name. A new one of a name that nobody had
 * stands for nothing that was there. `digestOf`: of what a file holds now; null where it cannot be told.
 */
export function changedPrograms(
  before: ProgramStamps,
  now: ProgramStamps,
  digestOf: (path: string) => string | null = () => null,
): string[] {
  const programs = [...before].filter(([, stamp]) => stamp !== DIRECTORY);
  const isSame = (path: string, old: string): boolean => {
    const stamp = now.get(path);
    return stamp !== undefined && isWhatItWas(old, stamp, () => digestOf(path));
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

/** Each once, though PATH may name it twice, or by another name (/bin is /usr/bin). */
function directoriesOf(path: string, root: string): string[] {
  const seen = new Set<string>();
  // An empty or relative one is looked up from wherever a command runs, which is in the tree.
  const directories = path.split(delimiter).map((directory) => resolve(root, directory));
  return directories.filter((directory) => {
    const real = realPath(directory);
    return seen.has(real) ? false : seen.add(real);
  });
}

function directoriesIn(stamps: Stamps): string[] {
  return [...stamps].filter(([, stamp]) => stamp === DIRECTORY).map(([path]) => path);
}

/** Undefined: it is no program. */
function programStamp(path: string): string | undefined {
  const stat = lookAt(path);
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

/** Nobody calls a program by a name with a dot before it: tools keep what they are about to put there under such names. */
function namesIn(directory: string): string[] {
  try {
    return fs.readdirSync(directory).filter((name) => !name.startsWith("."));
  } catch {
    return [];
  }
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`);
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
