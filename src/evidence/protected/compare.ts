import { buildForm } from "./build-form.ts";
import type { ProtectedChange, ProtectedKind } from "../../core/evidence/change.ts";
import { differing, type Entries, type EntryFormat } from "./entries.ts";
import { entryFormat } from "./entry-files.ts";
import { inlineTests } from "./inline-tests.ts";
import { folderOf, nameOf } from "../../text/paths.ts";
import { isIdlePython } from "./ecosystems/python-modules.ts";
import type { CommandUses } from "./uses.ts";

/** What happened to one protected file, and the text shown in the room. Texts are null if the file does not exist. */
export interface Compared {
  readonly change: ProtectedChange | null;
  /** The text for the room; null: hidden there. */
  readonly laid: string | null;
}

/**
 * If only entries of a file are protected and none changed, the candidate's text is used. Otherwise the base's text may be used without a
 * reported change: trailing blanks rarely matter, but some reader may depend on them.
 */
export function compareFile(
  path: string,
  kind: ProtectedKind,
  before: string | null,
  after: string | null,
  uses: CommandUses,
): Compared {
  if (before === after) return { change: null, laid: after };
  if (before === null && kind === "shadow" && uses.isMade(path)) return { change: null, laid: null };
  // A test helper is compared as a whole, whatever its name; so is a manifest that decides where a helper is found.
  const isWhole = kind === "test" || (kind === "shadow" && nameOf(path) === "package.json");
  const formatOf = isWhole ? inlineTests(path, before) : entryFormat(path, before, uses);
  const format = kind === "declared" ? null : formatOf;
  const compared = format === null ? null : compareEntries(path, kind, format, before, after);
  return compared ?? compareWhole(path, kind, before, after, uses);
}

/** Null if one of the texts cannot be parsed. */
function compareEntries(
  path: string,
  kind: ProtectedKind,
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

/** Accepts only a text that parses like the base. */
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
  kind: ProtectedKind,
  before: string | null,
  after: string | null,
  uses: CommandUses,
): Compared {
  const changed = (how: ProtectedChange["how"]): Compared => ({
    change: { path, kind, how, entries: [] },
    laid: before,
  });
  if (before === null) return isIdle(path, after, uses) ? { change: null, laid: after } : changed("added");
  if (after === null) return changed("deleted");
  if (kind === "config" && sameForm(path, before, after)) return { change: null, laid: after };
  const [was, is] = [linesOf(before), linesOf(after)];
  if (was.length === is.length && was.every((line, at) => line === is[at]))
    return { change: null, laid: before };
  // Only tests may be extended, because additions to other files may override existing entries.
  return changed(kind === "test" && is.length > was.length && isWithin(was, is) ? "extended" : "changed");
}

/** A file that only makes its folder a package, without shadowing a module. */
function isIdle(path: string, text: string | null, { modules }: CommandUses): boolean {
  return nameOf(path) === "__init__.py" && !modules.has(folderOf(path)) && isIdlePython(text ?? "");
}

function sameForm(path: string, before: string, after: string): boolean {
  const form = buildForm(path, before);
  return form !== null && form === buildForm(path, after);
}

/** Without trailing blanks and empty lines. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Whether all lines occur in the same order, with any lines between them. */
function isWithin(few: readonly string[], many: readonly string[]): boolean {
  let at = 0;
  for (const line of many) if (line === few[at]) at += 1;
  return at === few.length;
}
