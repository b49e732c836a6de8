import { createHash } from "node:crypto";
import { isOurs } from "../git.ts";
import { placeOf } from "../tree-path.ts";
import { readEntry } from "./read-entry.ts";
import { DIRECTORY, readStamp, type Stamps } from "./stamps.ts";

/** Folders of what others wrote: there is much of it, and what installs it writes it anew as it was. */
const DEPENDENCIES =
  /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|target|vendor|\.tox|\.gradle|Pods)(?:\/|$)/;

/** What only calls another program is smaller. */
const LARGEST_SCRIPT = 4096;

/** Of which files, and how many and how large they may be, each and together. */
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
/** Enough for what most projects have installed: it takes a second, once a run. */
const INSTALLED: Bounds = {
  isWanted: (path) => DEPENDENCIES.test(path),
  largest: 128 * MIB,
  mostFiles: 40_000,
  mostBytes: 512 * MIB,
};
const SCRIPTS: Bounds = { ...OWN, isWanted: () => true, largest: LARGEST_SCRIPT };

/** Comes before the digest in a stamp that has one. */
const DIGEST = " #";

/**
 * Stamps that tell what files hold as well. What configures, generates or installs writes them anew without changing anything, and by
 * a stamp alone that cannot be told.
 */
export function withContents(root: string, stamps: Stamps): Stamps {
  return withDigests(root, withDigests(root, stamps, OWN), INSTALLED);
}

/** The same of programs, by their full paths: what manages versions writes the small ones that it puts before them again and again. */
export function withScripts(stamps: Stamps): Stamps {
  return withDigests("/", stamps, SCRIPTS);
}

/** Of stamps that tell it, the files that are few and small enough to be kept themselves: all but caches and what was installed. */
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
/** The name is a package's as well. */
const COVERAGE = /^(?!(?:.*\/)?(?:node_modules|site-packages)\/).*?(?:^|\/)coverage(?:\/|$)/s;

/** What tools and we ourselves write all the time, beside the tests. */
export function isCache(path: string): boolean {
  return CACHES.test(path) || COVERAGE.test(path) || isOurs(path);
}

/** Whether something is what it was, though it may have been written anew. `digest`: of what it holds now. */
export function isWhatItWas(old: string, stamp: string, digest: () => string | null): boolean {
  const [before = "", content] = old.split(DIGEST);
  if (before === stamp) return true;
  const was = readStamp(before);
  const is = readStamp(stamp);
  if (was.mode !== is.mode) return false;
  if (is.target !== undefined) return was.target === is.target;
  return content !== undefined && was.size === is.size && digest() === content;
}

/** Null where there is no file, or a large one. */
export function digestAt(root: string, path: string): string | null {
  const entry = readEntry(placeOf(root, path), INSTALLED.largest);
  return entry && entry.kind !== "link" ? createHash("sha256").update(entry.bytes).digest("hex") : null;
}
