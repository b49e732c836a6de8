import type { Entry } from "./read-entry.ts";
import { diffEntries, type EntryPair } from "./diff-entries.ts";
import { placeOf } from "./tree-path.ts";

/** A file that differs. `unknown`: too large or unreadable. */
export interface FileChange {
  readonly path: string;
  readonly before: Entry | "unknown" | null;
  readonly after: Entry | "unknown" | null;
}

export type FileDiffKind = "text" | "binary" | "unknown";

export interface FileDiff {
  readonly path: string;
  readonly kind: FileDiffKind;
  readonly added: boolean;
  readonly deleted: boolean;
  readonly insertions: number;
  readonly deletions: number;
  /** In git's format, for `git apply`. */
  readonly bytes: Buffer;
}

/** Compared with one call, and in memory meanwhile. */
const GROUP_FILES = 256;
const GROUP_BYTES = 8 * 1024 * 1024;
/** The limit of one diff; further files are only named. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Yields one file at a time, so that nothing large stays in memory. */
export function* treeDiff(changes: Iterable<FileChange>): Generator<FileDiff> {
  let left = MOST_BYTES;
  for (const group of inGroups(changes)) {
    const texts = partsOf(diffEntries(group.map(pairOf), ["--binary"]));
    for (const [at, change] of group.entries()) {
      const diff = diffOf(change, left > 0 ? texts?.get(at) : undefined);
      left -= diff.bytes.length;
      yield diff;
    }
  }
}

function* inGroups(changes: Iterable<FileChange>): Generator<readonly FileChange[]> {
  let group: FileChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    group.push(change);
    bytes += sizeOf(change.before) + sizeOf(change.after);
    if (group.length < GROUP_FILES && bytes < GROUP_BYTES) continue;
    yield group;
    group = [];
    bytes = 0;
  }
  if (group.length > 0) yield group;
}

function sizeOf(side: FileChange["before"]): number {
  return side === null || side === "unknown" ? 0 : side.bytes.length;
}

/** If one side is unknown, all of the other would appear as new. */
function pairOf({ before, after }: FileChange): EntryPair {
  return before === "unknown" || after === "unknown" ? { before: null, after: null } : { before, after };
}

/** The lines of each pair, as Latin-1 because files need not be UTF-8. Null: git failed. */
function partsOf(diff: Buffer | null): ReadonlyMap<number, string[]> | null {
  if (!diff) return null;
  const parts = new Map<number, string[]>();
  let lines: string[] = [];
  for (const line of diff.toString("latin1").split("\n").slice(0, -1)) {
    const number = /^diff --git a\/(?:before|after)\/(\d+) /.exec(line)?.[1];
    if (number !== undefined) {
      // A file that became a link has two parts.
      lines = parts.get(Number(number)) ?? [];
      parts.set(Number(number), lines);
    }
    lines.push(line);
  }
  return parts;
}

function diffOf({ path, before, after }: FileChange, lines: readonly string[] | undefined): FileDiff {
  const about = { path, added: before === null, deleted: after === null };
  const known = before !== "unknown" && after !== "unknown" && lines !== undefined;
  const body = known ? withName(path, lines) : { lines: [leftOutLine(path)], insertions: 0, deletions: 0 };
  const bytes = Buffer.from(`${body.lines.join("\n")}\n`, "latin1");
  const kind = !known ? "unknown" : lines.includes(BINARY) ? "binary" : "text";
  return { ...about, kind, insertions: body.insertions, deletions: body.deletions, bytes };
}

export const BINARY = "GIT binary patch";
/** No line of a diff begins like this, and `git apply` skips it. */
const LEFT_OUT = "Not shown: ";

function leftOutLine(path: string): string {
  return `${LEFT_OUT}${quoted("", path)}`;
}

function withName(path: string, lines: readonly string[]) {
  let [insertions, deletions] = [0, 0];
  let isHeader = false;
  const named = lines.map((line) => {
    if (line.startsWith("diff --git ")) {
      isHeader = true;
      return `diff --git ${quoted("a/", path)} ${quoted("b/", path)}`;
    }
    if (line.startsWith("@@") || line === BINARY) isHeader = false;
    if (isHeader) return headerLine(line, path);
    if (line.startsWith("+")) insertions += 1;
    if (line.startsWith("-")) deletions += 1;
    return line;
  });
  // Lines of a binary patch begin with a letter, so they are not counted.
  return { lines: named, insertions, deletions };
}

function headerLine(line: string, path: string): string {
  if (line.startsWith("--- a/")) return `--- ${ended(quoted("a/", path))}`;
  return line.startsWith("+++ b/") ? `+++ ${ended(quoted("b/", path))}` : line;
}

/** Git does this too: other tools would end the name at a space. */
function ended(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name;
}

/** A name as git writes it in a diff, in Latin-1. UTF-8 names stay unquoted unless they contain a character that could end a line. */
function quoted(prefix: string, path: string): string {
  const bytes = Buffer.from(placeOf("", path)).toString("latin1");
  const isPlain = /^[^\0-\x1f"\\\x7f]*$/.test(bytes) && !/\p{Surrogate}/u.test(path);
  if (isPlain) return prefix + bytes;
  const escaped = bytes.replace(/[\0-\x1f"\\\x7f-\xff]/g, (char) =>
    char === '"' || char === "\\" ? `\\${char}` : `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${prefix}${escaped}"`;
}
