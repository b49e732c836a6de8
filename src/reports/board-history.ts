import { compactHistory, type HistoryEntry } from "../domain/board/history.ts";
import { iterationOf } from "../domain/board/iterations.ts";
import type { Lang } from "../domain/settings.ts";
import type { Attempt, Call, RunState } from "../domain/state.ts";
import { refusedFinish, skippedHistory } from "../i18n/board-history.ts";

/** How much of the history of earlier runs MAIN is told. */
const EARLIER_CHARS = 4000;

/** `project_history.md`: what earlier runs left, and what MAIN has added since. */
export function historyFile(earlier: string, state: RunState): string {
  const { lang } = state.settings;
  const entries = state.attempts.flatMap(({ main, call }) => (call ? [entryText(call, main, lang)] : []));
  const before = earlier.trim();
  return `${[...(before === "" ? [] : [before]), ...entries].join("\n\n")}\n`;
}

/** The same for a MAIN that has no session to remember it: bounded, however long the run is. */
export function historyForMain(earlier: string, state: RunState, lang: Lang): string {
  const before = earlier.trim();
  const tail = before.length > EARLIER_CHARS ? `...${before.slice(-EARLIER_CHARS)}` : before;
  const own = compactHistory(entriesOf(state, lang), { skipped: skippedHistory[lang] });
  return [tail, own].filter((part) => part !== "").join("\n\n");
}

/** What MAIN wrote; where it says FINISH and there was none, that. */
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
