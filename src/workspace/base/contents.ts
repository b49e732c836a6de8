import { createHash } from "node:crypto";
import { placeOf } from "../tree-path.ts";
import { readEntry } from "./read-entry.ts";
import { DIRECTORY, readStamp, type Stamps } from "./stamps.ts";

/** Folders of what others wrote: there is much of it, and it is not written anew with the same content. */
const DEPENDENCIES =
  /(?:^|\/)(?:node_modules|\.venv|venv|site-packages|target|vendor|\.tox|\.gradle|Pods)(?:\/|$)/;

const LARGEST = 1024 * 1024;
/** What only calls another program is smaller. */
const LARGEST_SCRIPT = 4096;
const MOST_FILES = 5_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Comes before the digest in a stamp that has one. */
const DIGEST = " #";

/**
 * Stamps that tell what small files hold as well. What configures or generates writes them anew without changing anything, and by a
 * stamp alone that cannot be told.
 */
export function withContents(root: string, stamps: Stamps): Stamps {
  return withDigests(root, stamps, (path) => !DEPENDENCIES.test(path));
}

/** The same of programs, by their full paths: what manages versions writes the small ones that it puts before them again and again. */
export function withScripts(stamps: Stamps): Stamps {
  return withDigests("/", stamps, (_, size) => size <= LARGEST_SCRIPT);
}

function withDigests(
  root: string,
  stamps: Stamps,
  isWanted: (path: string, size: number) => boolean,
): Stamps {
  const all = new Map(stamps);
  let files = 0;
  let bytes = 0;
  for (const [path, stamp] of stamps) {
    if (files === MOST_FILES) break;
    if (stamp === DIRECTORY) continue;
    const { size } = readStamp(stamp);
    if (!isWanted(path, size) || bytes + size > MOST_BYTES) continue;
    const digest = digestAt(root, path);
    if (digest === null) continue;
    all.set(path, stamp + DIGEST + digest);
    files++;
    bytes += size;
  }
  return all;
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
  const entry = readEntry(placeOf(root, path), LARGEST);
  return entry && entry.kind !== "link" ? createHash("sha256").update(entry.bytes).digest("hex") : null;
}
