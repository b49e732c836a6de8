import fs from "node:fs";
import { errorCode } from "../failure.ts";
import { readPacked, type Pack } from "./pack.ts";
import { readEntry, type Entry } from "./read-entry.ts";
import { placeOf } from "./tree-path.ts";

/** No text that a person reads is larger. */
const LARGEST = 1024 * 1024;

/** A path's content, as far as a person sees it in a diff. */
export type Side =
  | { readonly is: "text"; readonly bytes: Buffer; readonly program: boolean }
  | { readonly is: "large"; readonly size: number }
  | { readonly is: "link"; readonly to: string }
  /** A folder on the way to the path is a link, so its content is not part of the tree. */
  | { readonly is: "behind"; readonly link: string; readonly to: string }
  /** `unkept`: too large for the base, or unreadable at that time. */
  | { readonly is: "none" | "pipe" | "folder" | "special" | "unread" | "unkept" };

/** The original version, from the base. Throws if the pack changed meanwhile. */
export function sideBefore(pack: Pack, path: string): Side {
  const entry = pack.entries.get(path);
  if (!entry) return { is: pack.leftOut.includes(path) ? "unkept" : "none" };
  if (entry.length > LARGEST) return { is: "large", size: entry.length };
  const packed = readPacked(pack, path);
  return packed ? sideOf(packed) : { is: "none" };
}

/** The current version. Follows no link and never blocks. */
export function sideNow(root: string, path: string): Side {
  const names = path.split("/");
  for (let depth = 1; depth < names.length; depth += 1) {
    const link = names.slice(0, depth).join("/");
    const folder = look(root, link);
    if (folder instanceof fs.Stats && folder.isSymbolicLink()) {
      const { bytes } = readEntry(placeOf(root, link), 0) ?? {};
      return { is: "behind", link, to: bytes?.toString() ?? "" };
    }
  }
  const stat = look(root, path);
  if (!(stat instanceof fs.Stats)) return { is: stat };
  if (stat.isFIFO()) return { is: "pipe" };
  if (stat.isDirectory()) return { is: "folder" };
  if (!stat.isFile() && !stat.isSymbolicLink()) return { is: "special" };
  if (stat.size > LARGEST) return { is: "large", size: stat.size };
  const entry = readEntry(placeOf(root, path), LARGEST);
  return entry ? sideOf(entry) : { is: "unread" };
}

function look(root: string, path: string): fs.Stats | "none" | "unread" {
  try {
    return fs.lstatSync(placeOf(root, path));
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? "none" : "unread";
  }
}

function sideOf({ kind, bytes }: Entry): Side {
  if (kind === "link") return { is: "link", to: bytes.toString() };
  return { is: "text", bytes, program: kind === "program" };
}
