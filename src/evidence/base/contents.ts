import { isOurs } from "../../platform/git/git.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import { readEntry } from "../../platform/git/read-entry.ts";
import { DIRECTORY, readStamp, type Stamps } from "../../platform/git/stamps.ts";
import { sha256Of } from "../../platform/files/sha256.ts";

/** Folders of third-party code. They are large, and reinstalling rewrites them unchanged. */
const DEPENDENCIES =
  /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|target|vendor|\.tox|\.gradle|Pods)(?:\/|$)/;

/** Scripts that only call another program are smaller. */
const LARGEST_SCRIPT = 4096;

/** Which files to read, their number, and their size, each and in total. */
interface Bounds {
  readonly isWanted: (path: string) => boolean;
  readonly largest: number;
  readonly mostFiles: number;
  readonly mostBytes: number;
}

const MIB = 1024 * 1024;
const OWN: Bounds = {
  isWanted: (path) => !DEPENDENCIES.test(path),
  largest: MIB,
  mostFiles: 5_000,
  mostBytes: 64 * MIB,
};
/** Enough for most projects' dependencies: it takes a second, once per run. */
const INSTALLED: Bounds = {
  isWanted: (path) => DEPENDENCIES.test(path),
  largest: 128 * MIB,
  mostFiles: 40_000,
  mostBytes: 512 * MIB,
};
const SCRIPTS: Bounds = { ...OWN, isWanted: () => true, largest: LARGEST_SCRIPT };

/** Precedes the digest in a stamp. */
const DIGEST = " #";

/** Adds digests to stamps. Configuration, generators and installers rewrite files without changing them, which a stamp alone cannot show. */
export function withContents(root: string, stamps: Stamps): Stamps {
  return withDigests(root, withDigests(root, stamps, OWN), INSTALLED);
}

/** The same for programs, by full path: version managers rewrite their small wrappers repeatedly. */
export function withScripts(stamps: Stamps): Stamps {
  return withDigests("/", stamps, SCRIPTS);
}

/** The files of these stamps that are few and small enough to keep, without caches and installed packages. */
export function worthKeeping(stamps: Stamps): readonly string[] {
  return [...stamps].flatMap(([path, stamp]) =>
    stamp.includes(DIGEST) && OWN.isWanted(path) && !isCache(path) ? [path] : [],
  );
}

function withDigests(root: string, stamps: Stamps, bounds: Bounds): Stamps {
  const all = new Map(stamps);
  let files = 0;
  let bytes = 0;
  for (const [path, stamp] of stamps) {
    if (files === bounds.mostFiles) break;
    if (stamp === DIRECTORY || !bounds.isWanted(path)) continue;
    const { size } = readStamp(stamp);
    if (size > bounds.largest || bytes + size > bounds.mostBytes) continue;
    const digest = digestAt(root, path);
    if (digest === null) continue;
    all.set(path, stamp + DIGEST + digest);
    files++;
    bytes += size;
  }
  return all;
}

const CACHES =
  /(?:^|\/)(?:node_modules\/\.(?:cache|vite|vitest)|\.pytest_cache|__pycache__|\.mypy_cache|\.ruff_cache|\.nyc_output)(?:\/|$)/;
/** Packages have this name too. */
const COVERAGE = /^(?!(?:.*\/)?(?:node_modules|site-packages)\/).*?(?:^|\/)coverage(?:\/|$)/s;

/** Files that tools and the foreman write all the time, beside the tests. */
export function isCache(path: string): boolean {
  return CACHES.test(path) || COVERAGE.test(path) || isOurs(path);
}

/** Whether a file is unchanged, even if rewritten. `digest`: of its current content. */
export function isUnchanged(old: string, stamp: string, digest: () => string | null): boolean {
  const [before = "", content] = old.split(DIGEST);
  if (before === stamp) return true;
  const was = readStamp(before);
  const is = readStamp(stamp);
  if (was.mode !== is.mode) return false;
  if (is.target !== undefined) return was.target === is.target;
  return content !== undefined && was.size === is.size && digest() === content;
}

/** Null if there is no file, or a large one. */
export function digestAt(root: string, path: string): string | null {
  const entry = readEntry(placeOf(root, path), INSTALLED.largest);
  return entry && entry.kind !== "link" ? sha256Of(entry.bytes) : null;
}
