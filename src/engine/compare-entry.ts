import type { OracleChange, OracleKind } from "../domain/oracle/change.ts";
import { compareFile } from "../domain/oracle/compare.ts";
import type { OracleUses } from "../domain/oracle/uses.ts";
import type { Entry } from "../workspace/base/read-entry.ts";

/** A larger text configures nothing. */
export const LARGEST_TEXT = 4 * 1024 * 1024;

/** What stands at a path; null: nothing. `unread`: something that was too large to be kept or looked at. */
export type Standing = Entry | "unread" | null;

export interface ComparedEntry {
  /** Null: none that matters. */
  readonly change: OracleChange | null;
  /** What stands there in the room; null: nothing. */
  readonly laid: Entry | null;
}

/** What became of a path of the oracle, whatever stands there. Null: nothing that matters, and the room shows what the candidate has. */
export function compareEntry(
  { path, kind }: { readonly path: string; readonly kind: OracleKind },
  before: Standing,
  after: Standing,
  uses: OracleUses,
): ComparedEntry | null {
  const kept = before === "unread" ? null : before;
  // What a build makes is made anew in the room.
  if (before === null && uses.isMade(path)) return { change: null, laid: null };
  const [was, is] = [textIn(before), textIn(after)];
  // What is no text can only be the same or another; and where a text is the same, the kind of file is another.
  if (typeof was === "symbol" || typeof is === "symbol" || was === is)
    return { change: { path, kind, how: howOf(before, after), entries: [] }, laid: kept };
  const { change, laid } = compareFile(path, kind, was, is, uses);
  if (laid === is) return change && { change, laid: kept };
  if (laid === null || laid === was) return { change, laid: laid === null ? null : kept };
  return { change, laid: { kind: kept?.kind ?? "file", bytes: Buffer.from(laid) } };
}

const NO_TEXT = Symbol("no text");

/** Null where nothing stands. A link is no text, wherever it leads: what is read through it is not the tree's. */
function textIn(standing: Standing): string | null | typeof NO_TEXT {
  if (standing === null) return null;
  if (standing === "unread" || standing.kind === "link") return NO_TEXT;
  return textOf(standing.bytes) ?? NO_TEXT;
}

/** Null where it is no text: then nothing is to be read in it. */
export function textOf(bytes: Buffer | undefined): string | null {
  if (bytes === undefined || bytes.length > LARGEST_TEXT) return null;
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") || text.includes("\0") ? null : text;
}

function howOf(before: Standing, after: Standing): OracleChange["how"] {
  if (before === null) return "added";
  return after === null ? "deleted" : "changed";
}
