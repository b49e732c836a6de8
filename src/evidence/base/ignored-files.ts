import { digestAt, isUnchanged } from "./contents.ts";
import { readPacked } from "../../platform/git/pack.ts";
import { lookAt, readStamp, stampOf, type Stamps } from "../../platform/git/stamps.ts";
import type { Laid } from "../room/room.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import type { KnownBase } from "../checks/rooms.ts";
import type { TreeFiles } from "./tree-files.ts";

/**
 * Files that count now although git ignored them or their folder on the base, unless they are unchanged. The base decides what is ignored: an
 * agent can make git list a file that was never checked.
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

/** Kept ignored files that are gone or changed. Each keeps its old time, because build tools compare times. */
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
  return isUnchanged(old, stampOf(place, stat), () => digestAt(root, path));
}
