import type { Captured } from "../../domain/process-end.ts";
import { keptFrom, writeKept } from "./kept-file.ts";
import type { Stamps } from "./stamps.ts";

const HEADER = "agent-foreman stamps 1";
/** Lines are written this many at a time. */
const AT_ONCE = 10_000;

/** Stamps of several kinds; null where there were too many to look at. */
export type KeptStamps = Readonly<Record<string, Stamps | null>>;

/** One a line: a stamp, which holds no tab, and the path as JSON, for it may hold anything. */
export function writeStamps(path: string, kinds: KeptStamps): Captured {
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

/** Null where it is not what was written. */
export function readStamps(kept: Captured): KeptStamps | null {
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
