import fs, { type BigIntStats } from "node:fs";
import { isSettled } from "./tree-listing.ts";
import { pathOf } from "./tree-path.ts";

interface Known extends Pick<BigIntStats, "dev" | "ino" | "mtimeNs" | "ctimeNs"> {
  readonly names: readonly string[];
}

const MOST_KNOWN = 100_000;
/** By place. */
const known = new Map<string, Known>();

/**
 * Names in a folder; empty if it cannot be read. A folder is read again only when its times changed, as they do when an entry is
 * added, removed or renamed.
 */
export function namesInFolder(place: string | Buffer, stat: BigIntStats | undefined): readonly string[] {
  if (typeof place !== "string" || !stat) return treeNamesIn(place);
  const { dev, ino, mtimeNs, ctimeNs } = stat;
  const last = known.get(place);
  if (last?.ctimeNs === ctimeNs && last.mtimeNs === mtimeNs && last.ino === ino && last.dev === dev)
    return last.names;
  const isLasting = isSettled(stat, Date.now());
  const names = treeNamesIn(place);
  known.delete(place);
  if (isLasting && known.size < MOST_KNOWN) known.set(place, { dev, ino, mtimeNs, ctimeNs, names });
  return names;
}

/** The names in a folder as parts of tree paths; empty if it cannot be read. */
export function treeNamesIn(place: string | Buffer): readonly string[] {
  try {
    const names = fs.readdirSync(place);
    if (!names.some((name) => name.includes("\uFFFD"))) return names;
    return fs.readdirSync(place, { encoding: "buffer" }).map(pathOf);
  } catch {
    return [];
  }
}
