import { buildForm } from "./build-form.ts";
import type { OracleChange, OracleKind } from "./change.ts";
import { differing, type Entries, type EntryFormat } from "./entries.ts";
import { entryFormat } from "./entry-files.ts";
import { inlineTests } from "./inline-tests.ts";
import { folderOf, nameOf } from "./paths.ts";
import { isIdlePython } from "./python-modules.ts";
import type { OracleUses } from "./uses.ts";

/** What became of one file of the oracle, and what is laid over it in the room. Texts are null where the file is not there. */
export interface Compared {
  readonly change: OracleChange | null;
  /** The text for the room; null: it is hidden there. */
  readonly laid: string | null;
}

/**
 * Where only entries of a file count and none of them changed, the candidate's text is laid; else it may be the base's though
 * there is no change to tell of: blanks at the end of lines are nobody's business, but may mean something to somebody.
 */
export function compareFile(
  path: string,
  kind: OracleKind,
  before: string | null,
  after: string | null,
  uses: OracleUses,
): Compared {
  if (before === after) return { change: null, laid: after };
  if (before === null && kind === "shadow" && uses.isMade(path)) return { change: null, laid: null };
  // What a test is made with is a whole, whatever its name; so is what says where a helper is found.
  const isWhole = kind === "test" || (kind === "shadow" && nameOf(path) === "package.json");
  const format = isWhole ? inlineTests(path, before) : entryFormat(path, before, uses);
  const compared = format === null ? null : compareEntries(path, kind, format, before, after);
  return compared ?? compareWhole(path, kind, before, after, uses);
}

/** Null where one of the texts cannot be read. */
function compareEntries(
  path: string,
  kind: OracleKind,
  format: EntryFormat,
  before: string | null,
  after: string | null,
): Compared | null {
  const base: Entries | null = before === null ? new Map() : format.entriesIn(before);
  const own: Entries | null = after === null ? new Map() : format.entriesIn(after);
  if (base === null || own === null) return null;
  const entries = differing(base, own);
  if (entries.length === 0) return { change: null, laid: after };
  const isMore = kind === "test" && entries.every((name) => !base.has(name));
  const how = before === null ? "added" : after === null ? "deleted" : isMore ? "extended" : "changed";
  const laid = after === null ? before : checkedLaid(format, base, after, before);
  return { change: { path, kind, how, entries }, laid: laid ?? before };
}

/** Only what reads as the base does. */
function checkedLaid(
  format: EntryFormat,
  base: Entries,
  after: string,
  before: string | null,
): string | null {
  const laid = format.laidOver(after, before);
  const entries = laid === null ? null : format.entriesIn(laid);
  return entries !== null && differing(base, entries).length === 0 ? laid : null;
}

function compareWhole(
  path: string,
  kind: OracleKind,
  before: string | null,
  after: string | null,
  uses: OracleUses,
): Compared {
  const changed = (how: OracleChange["how"]): Compared => ({
    change: { path, kind, how, entries: [] },
    laid: before,
  });
  if (before === null) return isIdle(path, after, uses) ? { change: null, laid: after } : changed("added");
  if (after === null) return changed("deleted");
  if (kind === "config" && sameForm(path, uses, before, after)) return { change: null, laid: after };
  const [was, is] = [linesOf(before), linesOf(after)];
  if (was.length === is.length && was.every((line, at) => line === is[at]))
    return { change: null, laid: before };
  // Only tests may become more: whatever is added to others may take back what stands there.
  return changed(kind === "test" && is.length > was.length && isWithin(was, is) ? "extended" : "changed");
}

/** What makes a package of a folder and does nothing else, but for standing before a module. */
function isIdle(path: string, text: string | null, { modules }: OracleUses): boolean {
  return nameOf(path) === "__init__.py" && !modules.has(folderOf(path)) && isIdlePython(text ?? "");
}

function sameForm(path: string, uses: OracleUses, before: string, after: string): boolean {
  const form = buildForm(path, before, uses);
  return form !== null && form === buildForm(path, after, uses);
}

/** Without blanks at their ends, and without empty ones at the end of all. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Whether all lines are there, in the same order, whatever stands between them. */
function isWithin(few: readonly string[], many: readonly string[]): boolean {
  let at = 0;
  for (const line of many) if (line === few[at]) at += 1;
  return at === few.length;
}
