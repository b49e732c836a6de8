import { readEntry, type Entry } from "../../platform/git/read-entry.ts";
import { placeOf } from "../../platform/git/tree-path.ts";
import type { Room } from "./room.ts";
import type { RoomSpec } from "./spec.ts";
import { foldersAbove } from "../../text/paths.ts";
import { lookAt } from "./surface.ts";

/** A larger file is not a test. */
const LARGEST = 16 * 1024 * 1024;

type Filled = Pick<RoomSpec, "kind" | "root" | "laid" | "hidden">;

/** The given files of a tree that a command changed or removed while it ran in the room. */
export function rewrittenFiles(
  paths: readonly string[],
  { written }: Pick<Room, "written">,
  { kind, root, laid: put, hidden }: Filled,
): readonly string[] {
  // Mounts below the tree have their own folders and are not checked.
  const [folder] = written.folders;
  if (folder === undefined) return [];
  const laid = new Map(put.map((each) => [each.path, each]));
  const isHidden = new Set(hidden);
  return paths.filter((path) => {
    if (!laid.has(path) && [path, ...foldersAbove(path)].some((each) => isHidden.has(each))) return false;
    const place = placeOf(folder, path);
    const stat = lookAt(place);
    if (!stat) return kind === "copy" || isCovered(folder, path);
    // No program can set this time: our own files are older.
    if (stat.ctimeMs < written.sinceMs) return false;
    return !isSame(readEntry(place, LARGEST), laid.get(path) ?? readEntry(placeOf(root, path), LARGEST));
  });
}

/** A parent folder was removed or replaced: then the overlay has another entry in its place. */
function isCovered(folder: string, path: string): boolean {
  return foldersAbove(path).some((each) => lookAt(placeOf(folder, each))?.isDirectory() === false);
}

function isSame(now: Entry | null, then: Pick<Entry, "kind" | "bytes"> | null): boolean {
  return now !== null && then !== null && now.kind === then.kind && now.bytes.equals(then.bytes);
}
