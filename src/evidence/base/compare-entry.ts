import type { ProtectedChange, ProtectedKind } from "../../core/evidence/change.ts";
import { compareFile } from "../protected/compare.ts";
import type { CommandUses } from "../protected/uses.ts";
import type { Entry } from "../../platform/git/read-entry.ts";

/** Larger texts are not configuration. */
export const LARGEST_TEXT = 4 * 1024 * 1024;

/** The entry at a path; null: none. `unread`: too large to keep or read. */
export type Standing = Entry | "unread" | null;

export interface ComparedEntry {
  /** Null: no change that matters. */
  readonly change: ProtectedChange | null;
  /** The entry shown in the room; null: none. */
  readonly laid: Entry | null;
}

/** The change of a protected path of any kind. Null: none that matters, and the room shows the candidate's version. */
export function compareEntry(
  { path, kind }: { readonly path: string; readonly kind: ProtectedKind },
  before: Standing,
  after: Standing,
  uses: CommandUses,
): ComparedEntry | null {
  const kept = before === "unread" ? null : before;
  // The build creates its outputs again in the room.
  if (before === null && uses.isMade(path)) return { change: null, laid: null };
  const [was, is] = [textIn(before), textIn(after)];
  // A binary file is either equal or changed. If the texts are equal, the kind of file has changed.
  if (typeof was === "symbol" || typeof is === "symbol" || was === is)
    return { change: { path, kind, how: howOf(before, after), entries: [] }, laid: kept };
  const { change, laid } = compareFile(path, kind, was, is, uses);
  if (laid === is) return change && { change, laid: kept };
  if (laid === null || laid === was) return { change, laid: laid === null ? null : kept };
  return { change, laid: { kind: kept?.kind ?? "file", bytes: Buffer.from(laid) } };
}

const NO_TEXT = Symbol("no text");

/** Null if nothing is there. A link is not text, because its target is not part of the tree. */
function textIn(standing: Standing): string | null | typeof NO_TEXT {
  if (standing === null) return null;
  if (standing === "unread" || standing.kind === "link") return NO_TEXT;
  return textOf(standing.bytes) ?? NO_TEXT;
}

/** Null if it is not text. */
export function textOf(bytes: Buffer | undefined): string | null {
  if (bytes === undefined || bytes.length > LARGEST_TEXT) return null;
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") || text.includes("\0") ? null : text;
}

function howOf(before: Standing, after: Standing): ProtectedChange["how"] {
  if (before === null) return "added";
  return after === null ? "deleted" : "changed";
}
