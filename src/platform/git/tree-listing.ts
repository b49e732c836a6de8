import fs, { type BigIntStats } from "node:fs";
import { join } from "node:path";
import { timesOf } from "./tree-contents.ts";
import { pathOf, placeOf } from "./tree-path.ts";

/** Git's list of a repository's files. */
export interface Listing {
  /** Tracked, or neither tracked nor ignored. A slash at the end marks a nested repository. */
  readonly files: readonly string[];
  /** The untracked ones of these. */
  readonly untracked: readonly string[];
  /** A directory with only ignored files is one name, with a slash at its end. */
  readonly ignored: readonly string[];
}

/** The calls of git that a listing needs. */
export interface Lister {
  /** Undefined: git failed. */
  readonly list: () => Listing | undefined;
  /** Those of the directories that git skips because a pattern names them. Empty: git failed. */
  readonly excluded: (directories: readonly string[]) => readonly string[];
  /** Files outside the tree that decide what git lists. They need not exist. */
  readonly deciding: readonly string[];
}

interface Known {
  readonly listing: Listing;
  /** By place; null: nothing was there. */
  readonly stamps: ReadonlyMap<string, string | null>;
}

/** By repository. */
const known = new Map<string, Known>();

/**
 * A listing stays valid while nothing that git reads for it changes: its index and settings, each directory that it visits, and
 * each ignore file. No program can set their ctime, so one stat each replaces git, which would read them all.
 */
export function listingOf(folder: string, key: string, lister: Lister): Listing | undefined {
  const last = known.get(key);
  if (last && [...last.stamps].every(([place, stamp]) => (stampAt(place)?.text ?? null) === stamp))
    return last.listing;
  known.delete(key);
  const startedMs = Date.now();
  const listing = lister.list();
  const stamps = listing && stampsFor(folder, listing, lister, startedMs);
  if (stamps) known.set(key, { listing, stamps });
  return listing;
}

/** Null: a change could go unseen. */
function stampsFor(
  folder: string,
  { ignored }: Listing,
  { excluded, deciding }: Lister,
  startedMs: number,
): Known["stamps"] | null {
  // With the slash, git would also apply ignore files inside, which it reads only because it enters the directory.
  const directories = ignored.filter((name) => name.endsWith("/")).map((name) => name.slice(0, -1));
  const places = placesIn(folder, new Set(directories.length === 0 ? [] : excluded(directories)));
  if (!places) return null;
  const stamps = new Map<string, string | null>();
  for (const place of [...places, ...deciding]) {
    const stamp = stampAt(place);
    if (stamp && !isSettled(stamp.stat, startedMs)) return null;
    stamps.set(place, stamp?.text ?? null);
  }
  return stamps;
}

/**
 * A directory changed this shortly before the listing may change again without a new time. The coarsest file systems count in
 * steps of two seconds; others use the kernel's clock, which ticks at least every ten milliseconds.
 */
const RACY_MS = 2_000;
const RACY_WITH_NANOSECONDS_MS = 50;
const NS_PER_MS = 1_000_000n;

export function isSettled({ ctimeNs }: BigIntStats, startedMs: number): boolean {
  const racyMs = ctimeNs % NS_PER_MS === 0n ? RACY_MS : RACY_WITH_NANOSECONDS_MS;
  return startedMs - Number(ctimeNs / NS_PER_MS) > racyMs;
}

/** All directories except `but`, and their ignore files. Null: a nested repository, or something unreadable. */
function placesIn(folder: string, but: ReadonlySet<string>): readonly string[] | null {
  const places: string[] = [];
  const waiting = [""];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const place = placeOf(folder, path);
    const entries = typeof place === "string" ? entriesIn(place) : null;
    if (typeof place !== "string" || !entries) return null;
    places.push(place);
    for (const entry of entries) {
      const name = pathOf(Buffer.from(entry.name, "latin1"));
      const below = path === "" ? name : `${path}/${name}`;
      if (name === ".git") {
        if (path !== "") return null;
      } else if (name === ".gitignore") {
        // The target of a link may change without any change to what we check here.
        if (!entry.isFile()) return null;
        places.push(join(place, name));
      } else if (entry.isDirectory() && !but.has(below)) waiting.push(below);
    }
  }
  return places;
}

function entriesIn(place: string): fs.Dirent[] | null {
  try {
    return fs.readdirSync(place, { withFileTypes: true, encoding: "latin1" });
  } catch {
    return null;
  }
}

/** Git's own files may be links. */
function stampAt(place: string): { readonly text: string; readonly stat: BigIntStats } | null {
  try {
    const stat = fs.statSync(place, { bigint: true, throwIfNoEntry: false });
    return stat ? { text: timesOf(stat), stat } : null;
  } catch {
    return null;
  }
}
