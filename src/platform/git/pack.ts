import fs from "node:fs";
import { Failure } from "../failure.ts";
import type { Artifact } from "../process/process-end.ts";
import { placeOf } from "./tree-path.ts";
import { keptFrom, writeKept } from "./kept-file.ts";
import { readAt, readEntry, type Entry, type EntryKind } from "./read-entry.ts";
import { sha256Of } from "../files/sha256.ts";

/** The files in sequence, then an index as JSON, then the length of the index. So files can be read, packed and released one by one. */
const HEADER = Buffer.from("agent-foreman pack 1\n");
const FOOTER_BYTES = 16;
/** No text that affects tests is larger. The tree listing still has the digest of a file that is left out. */
export const LARGEST_PACKED = 16 * 1024 * 1024;
/** The limit of a whole pack, because every base has one. Files named first have priority. */
const MOST_BYTES = 256 * 1024 * 1024;

export interface PackEntry {
  readonly path: string;
  readonly kind: EntryKind;
  readonly offset: number;
  readonly length: number;
  readonly sha256: string;
}

/** Original files of a tree, in one file. */
export interface Pack {
  readonly kept: Artifact;
  readonly entries: ReadonlyMap<string, PackEntry>;
  /** Requested files that are missing: too large, no room, or unreadable. */
  readonly leftOut: readonly string[];
}

/** A pack changed after it was opened. */
export class PackChanged extends Failure {
  constructor(path: string) {
    super("base_changed", { path });
  }
}

/** `originals`: content to pack in place of the tree's own files. */
export function writePack(
  packPath: string,
  root: string,
  paths: readonly string[],
  mostBytes = MOST_BYTES,
  originals: ReadonlyMap<string, Entry> = new Map(),
): Pack {
  const read = (path: string, largest: number): Entry | null =>
    originals.get(path) ?? readEntry(placeOf(root, path), largest);
  return writeEntries(packPath, paths, read, mostBytes);
}

/** Copies some files of a pack into a new pack. */
export function packFrom(packPath: string, pack: Pack, paths: readonly string[]): Pack {
  return writeEntries(packPath, paths, (path) => readPacked(pack, path), MOST_BYTES);
}

function writeEntries(
  packPath: string,
  paths: readonly string[],
  read: (path: string, largest: number) => Entry | null,
  mostBytes: number,
): Pack {
  const entries: PackEntry[] = [];
  const leftOut: string[] = [];
  const kept = writeKept(packPath, (append) => {
    append(HEADER);
    let offset = HEADER.length;
    for (const path of paths) {
      const packed = read(path, Math.min(LARGEST_PACKED, HEADER.length + mostBytes - offset));
      if (packed === null) leftOut.push(path);
      else {
        const { kind, bytes } = packed;
        append(bytes);
        entries.push({ path, kind, offset, length: bytes.length, sha256: sha256Of(bytes) });
        offset += bytes.length;
      }
    }
    const index = Buffer.from(JSON.stringify({ entries, leftOut }));
    append(index);
    append(Buffer.from(String(index.length).padStart(FOOTER_BYTES)));
  });
  return { kept, entries: byPath(entries), leftOut };
}

/** Null: the file is not what was written. */
export function openPack(kept: Artifact): Pack | null {
  const end = kept.bytes - FOOTER_BYTES;
  const length = Number(tryPartOf(kept.path, end, FOOTER_BYTES)?.toString("latin1"));
  // A changed length also changes the digest of the whole file.
  const index = keptFrom(kept, end - length)?.subarray(0, length);
  if (!index) return null;
  const { entries, leftOut } = JSON.parse(index.toString()) as {
    readonly entries: readonly PackEntry[];
    readonly leftOut: readonly string[];
  };
  return { kept, entries: byPath(entries), leftOut };
}

/** Null: not in the pack. */
export function readPacked({ kept, entries }: Pack, path: string): Entry | null {
  const entry = entries.get(path);
  if (!entry) return null;
  const bytes = tryPartOf(kept.path, entry.offset, entry.length);
  if (bytes === null || sha256Of(bytes) !== entry.sha256) throw new PackChanged(kept.path);
  return { kind: entry.kind, bytes };
}

function byPath(entries: readonly PackEntry[]): ReadonlyMap<string, PackEntry> {
  return new Map(entries.map((entry) => [entry.path, entry]));
}

function tryPartOf(path: string, offset: number, length: number): Buffer | null {
  try {
    const fd = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    try {
      return readAt(fd, offset, length);
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return null;
  }
}
