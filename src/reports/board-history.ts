import { compactHistory, type HistoryEntry } from "../domain/board/history.ts";
import { iterationOf } from "../domain/board/iterations.ts";
import type { Lang } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import { skippedHistory } from "../i18n/board-history.ts";

/** How much of the history of earlier runs MAIN is told. */
const EARLIER_CHARS = 4000;

/** `project_history.md`: what earlier runs left, and what MAIN has added since. */
export function historyFile(earlier: string, state: RunState): string {
  const entries = state.attempts.flatMap(({ call }) => (call ? [call.answer.historyAppend.trim()] : []));
  const before = earlier.trim();
  return `${[...(before === "" ? [] : [before]), ...entries].join("\n\n")}\n`;
}

/** The same for a MAIN that has no session to remember it: bounded, however long the run is. */
export function historyForMain(earlier: string, state: RunState, lang: Lang): string {
  const before = earlier.trim();
  const tail = before.length > EARLIER_CHARS ? `...${before.slice(-EARLIER_CHARS)}` : before;
  const own = compactHistory(entriesOf(state), { skipped: skippedHistory[lang] });
  return [tail, own].filter((part) => part !== "").join("\n\n");
}

function entriesOf(state: RunState): readonly HistoryEntry[] {
  return state.attempts.flatMap((attempt) =>
    attempt.call
      ? [
          {
            iteration: iterationOf(state, attempt.index),
            nextAgent: attempt.call.answer.nextAgent,
            text: attempt.call.answer.historyAppend,
            keep: attempt.call.verified.length > 0,
          },
        ]
      : [],
  );
}
