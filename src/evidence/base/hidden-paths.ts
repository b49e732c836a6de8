import { isCache, isUnchanged } from "./contents.ts";
import { DIRECTORY, OWN_FOLDER, readStamp, type Stamps } from "../../platform/git/stamps.ts";
import { folderOf, foldersAbove } from "../../text/paths.ts";

/** A file to show with a different time. */
export interface Dated {
  readonly path: string;
  /** Since the epoch. */
  readonly seconds: number;
}

export interface HiddenPaths {
  readonly hidden: readonly string[];
  /** Also hidden, but not worth reporting. */
  readonly caches: readonly string[];
  /**
   * Files that were rewritten with the same content, with their earlier time. Build tools compare times, so an old build that looks newer than
   * its sources would pass for a current one.
   */
  readonly renewed: readonly Dated[];
}

/** A large folder is hidden as a whole if all of it changed, because each path costs time. */
const LARGE_FOLDER = 50;

/**
 * The topmost paths that are new or changed. `digestOf`: the digest of a file's current content; null if unknown. `wasFolder`: whether the
 * path was a folder without ignored files.
 */
export function hiddenPaths(
  before: Stamps,
  now: Stamps,
  digestOf: (path: string) => string | null = () => null,
  wasFolder: (path: string) => boolean = () => false,
): HiddenPaths {
  const found = differences(before, now, digestOf, wasFolder);
  const paths = found.changed.size === 0 ? [] : collapsed(now, found);
  return {
    hidden: paths.filter((path) => !isCache(path)),
    caches: paths.filter(isCache),
    renewed: found.renewed,
  };
}

interface Differences {
  readonly changed: ReadonlySet<string>;
  /** New or changed folders, and the folders in them. */
  readonly within: ReadonlySet<string>;
  readonly renewed: readonly Dated[];
}

function differences(
  before: Stamps,
  now: Stamps,
  digestOf: (path: string) => string | null,
  wasFolder: (path: string) => boolean,
): Differences {
  const changed = new Set<string>();
  const within = new Set<string>();
  const renewed: Dated[] = [];
  let known: ReadonlySet<string> | undefined;
  for (const [path, stamp] of now) {
    const old = before.get(path);
    const isWithin = within.has(folderOf(path));
    if (!isWithin) {
      if (old === stamp && stamp !== OWN_FOLDER) continue;
      if (stamp === DIRECTORY && ((known ??= knownFolders(before)).has(path) || wasFolder(path))) continue;
      if (old !== undefined && stamp !== OWN_FOLDER && isUnchanged(old, stamp, () => digestOf(path))) {
        renewed.push(...datedBack(path, old, stamp));
        continue;
      }
      changed.add(path);
    }
    if (stamp === DIRECTORY) within.add(path);
  }
  return { changed, within, renewed };
}

/** The time of a link does not matter. */
function datedBack(path: string, old: string, stamp: string): readonly Dated[] {
  const { seconds, target } = readStamp(old);
  return target === undefined && seconds !== readStamp(stamp).seconds ? [{ path, seconds }] : [];
}

/** A folder with other files as well was not ignored itself. */
function knownFolders(stamps: Stamps): ReadonlySet<string> {
  const known = new Set<string>();
  for (const path of stamps.keys()) addAll(known, folderOf(path));
  return known;
}

/** A new folder counts as one entry, because everything in it is new. */
function collapsed(now: Stamps, { changed, within }: Differences): string[] {
  const kept = new Set<string>();
  const changedIn = new Map<string, number>();
  for (const [path, stamp] of now) {
    const folder = folderOf(path);
    if (changed.has(path))
      for (const each of foldersAbove(path)) changedIn.set(each, (changedIn.get(each) ?? 0) + 1);
    else if (stamp !== DIRECTORY && !within.has(folder)) addAll(kept, folder);
  }
  const whole = new Set<string>();
  for (const [folder, count] of changedIn)
    if (count > LARGE_FOLDER && now.has(folder) && !kept.has(folder)) whole.add(folder);
  const all = [...whole, ...changed].filter(
    (path) => !foldersAbove(path).some((folder) => whole.has(folder)),
  );
  return all.sort();
}

/** Adds a folder and its parents. */
function addAll(folders: Set<string>, folder: string): void {
  for (let each = folder; each !== "" && !folders.has(each); each = folderOf(each)) folders.add(each);
}
