import { cutTo, headingOf, linesOf } from "../../text/lines.ts";

const TITLE = /^## Iteration (\d{1,9})\s?[:：]/;
/** Only at the very beginning of a line: a list item is not a field. */
const FIELD = /^([A-Za-z][A-Za-z_]{0,39})[ \t]?[:：](.*)$/s;

/** The keys and values of a history entry. A key without a value takes the lines below it; the last occurrence of a key counts. */
export function historyFields(text: string): {
  readonly iteration: number | null;
  readonly fields: ReadonlyMap<string, string>;
} {
  const [first, ...lines] = linesOf(text);
  const number = TITLE.exec(first?.text ?? "")?.[1];
  const fields = new Map<string, string>();
  let open: { readonly key: string; readonly below: string[] } | null = null;
  const settle = (): void => {
    if (open !== null) fields.set(open.key, open.below.join("\n").trim());
  };
  for (const line of lines) {
    const [, key, value] = line.fenced ? [] : (FIELD.exec(line.text) ?? []);
    const ends = key !== undefined || (!line.fenced && headingOf(line.text) !== null);
    if (ends) {
      settle();
      open = null;
    }
    if (key === undefined || value === undefined) open?.below.push(line.text);
    else if (value.trim() === "") open = { key, below: [] };
    else fields.set(key, value.trim());
  }
  settle();
  return { iteration: number === undefined ? null : Number(number), fields };
}

export interface HistoryEntry {
  readonly iteration: number;
  readonly nextAgent: string;
  readonly text: string;
  /** The entry stays in full, because later work builds on what ended here. */
  readonly keep: boolean;
}

const RECENT = 8;
const MAX_KEPT = 40;
const MAX_ENTRY = 2000;

/** Compacts the history to a size that does not grow with the number of iterations. */
export function compactHistory(
  entries: readonly HistoryEntry[],
  say: { readonly skipped: (from: number, to: number, counts: string) => string },
): string {
  const full = new Set([...entries.slice(-RECENT), ...entries.filter(({ keep }) => keep).slice(-MAX_KEPT)]);
  const parts: string[] = [];
  let run: HistoryEntry[] = [];
  const settle = (): void => {
    const [first, last] = [run[0], run.at(-1)];
    if (first && last) parts.push(say.skipped(first.iteration, last.iteration, countsOf(run)));
    run = [];
  };
  for (const entry of entries) {
    if (full.has(entry)) {
      settle();
      parts.push(cutTo(entry.text.trim(), MAX_ENTRY));
    } else run.push(entry);
  }
  settle();
  return parts.join("\n\n");
}

/** `TEST 3, DEV 9` */
function countsOf(entries: readonly HistoryEntry[]): string {
  const counts = new Map<string, number>();
  for (const { nextAgent } of entries) counts.set(nextAgent, (counts.get(nextAgent) ?? 0) + 1);
  return Array.from(counts, ([agent, count]) => `${agent} ${count}`).join(", ");
}
