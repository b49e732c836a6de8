import type { Artifact } from "../../platform/process/process-end.ts";
import { keptFrom, writeKept } from "../../platform/git/kept-file.ts";
import type { Stamps } from "../../platform/git/stamps.ts";

const HEADER = "agent-foreman stamps 1";
/** Writes this many lines at a time. */
const AT_ONCE = 10_000;

/** Stamps by kind; null if there were too many files. */
export type KeptStamps = Readonly<Record<string, Stamps | null>>;

/** One stamp per line: the stamp, which contains no tab, and the path as JSON, because it may contain anything. */
export function writeStamps(path: string, kinds: KeptStamps): Artifact {
  return writeKept(path, (append) => {
    const lines = (some: readonly string[]): void =>
      append(Buffer.from(some.map((line) => `${line}\n`).join("")));
    lines([HEADER]);
    for (const [kind, stamps] of Object.entries(kinds)) {
      lines([JSON.stringify({ kind, known: stamps !== null })]);
      const entries = [...(stamps ?? [])];
      for (let start = 0; start < entries.length; start += AT_ONCE)
        lines(
          entries.slice(start, start + AT_ONCE).map(([name, stamp]) => `${stamp}\t${JSON.stringify(name)}`),
        );
    }
  });
}

/** Null if the file was modified. */
export function readStamps(kept: Artifact): KeptStamps | null {
  const text = keptFrom(kept, 0)?.toString();
  if (text === undefined || !text.startsWith(`${HEADER}\n`)) return null;
  const kinds: Record<string, Map<string, string> | null> = {};
  let current: Map<string, string> | null = null;
  for (const line of text.split("\n").slice(1, -1)) {
    const tab = line.indexOf("\t");
    if (tab < 0) {
      const { kind, known } = JSON.parse(line) as { readonly kind: string; readonly known: boolean };
      current = known ? new Map() : null;
      kinds[kind] = current;
    } else current?.set(JSON.parse(line.slice(tab + 1)) as string, line.slice(0, tab));
  }
  return kinds;
}
