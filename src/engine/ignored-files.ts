import { digestAt, isWhatItWas } from "../workspace/base/contents.ts";
import { readPacked } from "../workspace/base/pack.ts";
import { lookAt, readStamp, stampOf, type Stamps } from "../workspace/base/stamps.ts";
import type { Laid } from "../workspace/room/room.ts";
import { placeOf } from "../workspace/tree-path.ts";
import type { KnownBase } from "./rooms.ts";
import type { TreeFiles } from "./tree-files.ts";

/**
 * Files that count now and that git ignored on the base, or whose folder it did, unless they are as they were. What is ignored is for
 * the base to say: whoever works in the tree can have git see a file that nobody has ever looked at.
 */
export function noLongerIgnored(
  { files, surroundings: { ignored } }: KnownBase,
  now: TreeFiles,
): readonly string[] {
  if (!ignored) return [];
  return [...now.files.keys()].filter(
    (path) => !files.has(path) && wasIgnored(path, ignored) && !isAsItWas(now.root, path, ignored),
  );
}

function wasIgnored(path: string, ignored: Stamps): boolean {
  if (ignored.has(path)) return true;
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
    if (ignored.has(path.slice(0, end))) return true;
  return false;
}

/** Of the ignored files that were kept, those that are gone or not as they were. Build tools go by times: each has the one it had. */
export function restoredFiles(
  { files, pack, surroundings: { ignored } }: KnownBase,
  { root }: TreeFiles,
): readonly Laid[] {
  if (!ignored) return [];
  return [...pack.entries.keys()].flatMap((path) => {
    if (files.has(path) || isAsItWas(root, path, ignored)) return [];
    const entry = readPacked(pack, path);
    return entry ? [{ path, ...entry, seconds: readStamp(ignored.get(path) ?? "").seconds }] : [];
  });
}

function isAsItWas(root: string, path: string, ignored: Stamps): boolean {
  const old = ignored.get(path);
  const place = placeOf(root, path);
  const stat = old === undefined ? undefined : lookAt(place);
  if (old === undefined || !stat) return false;
  return isWhatItWas(old, stampOf(place, stat), () => digestAt(root, path));
}
