import fs from "node:fs";
import { sha256Of } from "../files/sha256.ts";

export type EntryKind = "file" | "program" | "link";

/** A file or link at a path of a tree. */
export interface Entry {
  readonly kind: EntryKind;
  /** For a link: its target. */
  readonly bytes: Buffer;
}

/** Null: no readable file or link, or a larger one. Follows no link and never blocks. */
export function readEntry(place: string | Buffer, largest: number): Entry | null {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
  try {
    const fd = fs.openSync(place, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
    try {
      const stat = fs.fstatSync(fd);
      if (!stat.isFile() || stat.size > largest) return null;
      const kind = (stat.mode & 0o100) === 0 ? "file" : "program";
      return { kind, bytes: readAt(fd, 0, stat.size) };
    } finally {
      fs.closeSync(fd);
    }
  } catch {
    return readLink(place);
  }
}

/** Kind and digest, as trees and bases list them. */
export function describeEntry({ kind, bytes }: Entry): string {
  return `${kind} ${sha256Of(bytes)}`;
}

/** Tried last: links are few, and trying first would cost one more call for every file. */
function readLink(place: string | Buffer): Entry | null {
  try {
    return { kind: "link", bytes: fs.readlinkSync(place, { encoding: "buffer" }) };
  } catch {
    return null;
  }
}

/** Returns less if the file ends early. */
export function readAt(fd: number, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let read = 0;
  while (read < length) {
    const more = fs.readSync(fd, buffer, read, length - read, offset + read);
    if (more === 0) break;
    read += more;
  }
  return buffer.subarray(0, read);
}
