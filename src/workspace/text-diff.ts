import type { Entry } from "./base/read-entry.ts";
import { diffEntries } from "./diff-entries.ts";

export interface TextPair {
  readonly before: Buffer;
  readonly after: Buffer;
}

/** Lines for people to read, none where nothing was changed; null where git cannot tell. */
export type TextDiff = readonly string[] | "binary" | null;

/** What was changed in texts, as git tells it. */
export function textDiffs(pairs: readonly TextPair[]): readonly TextDiff[] {
  const file = (bytes: Buffer): Entry => ({ kind: "file", bytes });
  const told = diffEntries(
    pairs.map(({ before, after }) => ({ before: file(before), after: file(after) })),
    [],
  );
  const parts = told && partsOf(told.toString("utf8"));
  return pairs.map((_, at) => (parts === null ? null : (parts.get(at) ?? [])));
}

/** By the number of the pair. No line of a text begins as git's own do: they have a sign before them. */
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
