import { compactHistory, type HistoryEntry } from "./history.ts";
import { iterationOf } from "../../core/board/iterations.ts";
import type { Lang } from "../../core/settings.ts";
import type { Attempt, Call, RunState } from "../../core/state.ts";
import { refusedFinish, skippedHistory } from "./words/board-history.ts";

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
