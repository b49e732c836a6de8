import type { Entry } from "./read-entry.ts";
import { diffEntries } from "./diff-entries.ts";

export interface TextPair {
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Lines for people to read, empty without a change; null: git failed. */
export type TextDiff = readonly string[] | "binary" | null;

/** Git's diffs of the texts. */
export function textDiffs(pairs: readonly TextPair[]): readonly TextDiff[] {
  const file = (bytes: Buffer): Entry => ({ kind: "file", bytes });
  const diff = diffEntries(
    pairs.map(({ before, after }) => ({ before: file(before), after: file(after) })),
    [],
  );
  const parts = diff && partsOf(diff.toString("utf8"));
  return pairs.map((_, at) => (parts === null ? null : (parts.get(at) ?? [])));
}

/** By pair number. A line of a text cannot look like one of git's headers, because it starts with a sign. */
function partsOf(stdout: string): ReadonlyMap<number, TextDiff> {
  const parts = new Map<number, TextDiff>();
  let at = -1;
  let lines: string[] = [];
  for (const line of stdout.split("\n").slice(0, -1)) {
    const [, number] = /^diff --git a\/before\/(\d+) /.exec(line) ?? [];
    if (number !== undefined) {
      at = Number(number);
      lines = [];
      parts.set(at, lines);
    } else if (lines.length > 0 || line.startsWith("@@")) lines.push(line);
    else if (line.startsWith("Binary files ")) parts.set(at, "binary");
  }
  return parts;
}
