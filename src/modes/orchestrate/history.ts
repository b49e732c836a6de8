import { cutTo, headingOf, linesOf } from "../../text/lines.ts";
import { iterationOf } from "../../core/board/iterations.ts";
import type { Lang } from "../../core/settings.ts";
import type { Attempt, Call, RunState } from "../../core/state.ts";
import { refusedFinish, skippedHistory } from "./words/board-history.ts";

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

/** How much of the history of earlier runs MAIN gets to read. */
const EARLIER_CHARS = 4000;

/** `project_history.md`: the history of earlier runs, and MAIN's entries since. */
export function historyFile(earlier: string, state: RunState): string {
  const { lang } = state.settings;
  const entries = state.attempts.flatMap(({ main, call }) => (call ? [entryText(call, main, lang)] : []));
  const before = earlier.trim();
  return `${[...(before === "" ? [] : [before]), ...entries].join("\n\n")}\n`;
}

/** The same for a MAIN without a session that remembers it. Bounded, however long the run is. */
export function historyForMain(earlier: string, state: RunState, lang: Lang): string {
  const before = earlier.trim();
  const tail = before.length > EARLIER_CHARS ? `...${before.slice(-EARLIER_CHARS)}` : before;
  const own = compactHistory(entriesOf(state, lang), { skipped: skippedHistory[lang] });
  return [tail, own].filter((part) => part !== "").join("\n\n");
}

/** MAIN's entry, with a note if its FINISH was refused. */
function entryText({ answer, finishRefused }: Call, main: Attempt["main"], lang: Lang): string {
  const text = answer.historyAppend.trim();
  if (!finishRefused) return text;
  const byRules = (main.at(-1)?.broken.length ?? 0) > 0;
  return `${text}\n${refusedFinish[lang][byRules ? "by_rules" : "by_person"]}`;
}

function entriesOf(state: RunState, lang: Lang): readonly HistoryEntry[] {
  return state.attempts.flatMap((attempt) =>
    attempt.call
      ? [
          {
            iteration: iterationOf(state, attempt.index),
            nextAgent: attempt.call.answer.nextAgent,
            text: entryText(attempt.call, attempt.main, lang),
            keep: attempt.call.verified.length > 0,
          },
        ]
      : [],
  );
}
