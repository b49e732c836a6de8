import { isCache, isWhatItWas } from "./contents.ts";
import { DIRECTORY, readStamp, type Stamps } from "./stamps.ts";

/** A file that is to be seen with another time than it has. */
export interface Dated {
  readonly path: string;
  /** Since the epoch. */
  readonly seconds: number;
}

export interface HiddenPaths {
  readonly hidden: readonly string[];
  /** Not to be seen either, but not worth telling. */
  readonly caches: readonly string[];
  /**
   * Files that were written anew and hold what they held, with the time that they had. Build tools go by times: an old build that looks
   * newer than its sources would be taken for one of these.
   */
  readonly renewed: readonly Dated[];
}

/** A folder of which nothing is left as it was goes as a whole if it is large: each path costs something every time. */
const LARGE_FOLDER = 50;

/**
 * The topmost paths that are new, or are not what they were. `digestOf`: of what a file holds now; null where it cannot be told.
 * `wasFolder`: whether there was a folder of which nothing was ignored.
 */
export function hiddenPaths(
  before: Stamps,
  now: Stamps,
  digestOf: (path: string) => string | null = () => null,
  wasFolder: (path: string) => boolean = () => false,
): HiddenPaths {
  const found = notAsBefore(before, now, digestOf, wasFolder);
  const paths = found.gone.size === 0 ? [] : collapsed(now, found);
  return {
    hidden: paths.filter((path) => !isCache(path)),
    caches: paths.filter(isCache),
    renewed: found.renewed,
  };
}

interface NotAsBefore {
  readonly gone: ReadonlySet<string>;
  /** Folders that are gone, and those in them. */
  readonly within: ReadonlySet<string>;
  readonly renewed: readonly Dated[];
}

function notAsBefore(
  before: Stamps,
  now: Stamps,
  digestOf: (path: string) => string | null,
  wasFolder: (path: string) => boolean,
): NotAsBefore {
  const gone = new Set<string>();
  const within = new Set<string>();
  const renewed: Dated[] = [];
  let known: ReadonlySet<string> | undefined;
  for (const [path, stamp] of now) {
    const old = before.get(path);
    const isWithin = within.has(parentOf(path));
    if (!isWithin) {
      if (old === stamp) continue;
      if (stamp === DIRECTORY && ((known ??= knownFolders(before)).has(path) || wasFolder(path))) continue;
      if (old !== undefined && isWhatItWas(old, stamp, () => digestOf(path))) {
        renewed.push(...datedBack(path, old, stamp));
        continue;
      }
      gone.add(path);
    }
    if (stamp === DIRECTORY) within.add(path);
  }
  return { gone, within, renewed };
}

/** The time of a link is nobody's business. */
function datedBack(path: string, old: string, stamp: string): readonly Dated[] {
  const { seconds, target } = readStamp(old);
  return target === undefined && seconds !== readStamp(stamp).seconds ? [{ path, seconds }] : [];
}

/** One that held other files as well was not ignored itself. */
function knownFolders(stamps: Stamps): ReadonlySet<string> {
  const known = new Set<string>();
  for (const path of stamps.keys()) addAll(known, parentOf(path));
  return known;
}

/** In a new folder everything is new, so that it counts as one. */
function collapsed(now: Stamps, { gone, within }: NotAsBefore): string[] {
  const kept = new Set<string>();
  const goneIn = new Map<string, number>();
  for (const [path, stamp] of now) {
    const folder = parentOf(path);
    if (gone.has(path)) for (const each of foldersOf(path)) goneIn.set(each, (goneIn.get(each) ?? 0) + 1);
    else if (stamp !== DIRECTORY && !within.has(folder)) addAll(kept, folder);
  }
  const whole = new Set<string>();
  for (const [folder, count] of goneIn)
    if (count > LARGE_FOLDER && now.has(folder) && !kept.has(folder)) whole.add(folder);
  const all = [...whole, ...gone].filter((path) => !foldersOf(path).some((folder) => whole.has(folder)));
  return all.sort();
}

/** A folder and those that it lies in. */
function addAll(folders: Set<string>, folder: string): void {
  for (let each = folder; each !== "" && !folders.has(each); each = parentOf(each)) folders.add(each);
}

/** The folders that it lies in. */
function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
    folders.push(path.slice(0, end));
  return folders;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
