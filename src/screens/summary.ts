import { impasseOf, outcomeOf } from "../core/end.ts";
import { runTime } from "../core/run-time.ts";
import type { RunState } from "../core/state.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { receiptPath } from "../evidence/receipt/receipt.ts";
import { changeLines } from "../ui/change-wording.ts";
import { spentText } from "../ui/money.ts";
import type { Line } from "../ui/page.ts";
import type { Parting } from "../engine/reporter.ts";
import { viewOf } from "../modes/registry.ts";
import { stoppedBy } from "./summary-impasse.ts";
import { pathRow, row, type End } from "../ui/summary-parts.ts";
import { allowedText, heldEnd, roomFacts } from "../ui/summary-room.ts";
import { leakedIn, timeText } from "../ui/wording.ts";

/** The end of a run, its evidence, and the one command to type next. */
export function summaryLines(state: RunState, parting: Parting, terms: TerminalTexts): Line[] {
  const view = viewOf(state);
  const texts = view.words(terms);
  const end = endOf(state, parting, texts);
  const time = state.activeMs === 0 ? null : timeText(runTime(state), texts);
  const used = [time, spentText(state, texts)].filter((part) => part !== null);
  const receipt = receiptPath(state);
  return [
    { ...end.head, text: [end.head.text + allowedText(state, texts), ...used].join("  ") },
    ...end.facts,
    ...view.facts(state, texts),
    ...(end.ways ?? []),
    ...roomFacts(state, texts),
    ...changeLines(state, texts),
    ...reservations(state, texts),
    ...(outcomeOf(state) ? [pathRow("report", state.settings.reportPath, texts)] : []),
    ...(receipt === null ? [] : [pathRow("receipt", receipt, texts)]),
    ...(end.next === null ? [] : [{ ...row("next", end.next, texts), isWhole: true }]),
  ];
}

function endOf(state: RunState, parting: Parting, texts: TerminalTexts): End {
  const view = viewOf(state);
  if (state.ended) return view.ended(state.ended.reason, state, parting, texts);
  if (state.question)
    return state.question.about === "protected" ? heldEnd(state, texts) : view.asked(state, parting, texts);
  const impasse = impasseOf(state.stopped);
  if (impasse === null) return view.interrupted(state, texts);
  return view.impasse(impasse, state, texts) ?? stoppedBy(impasse, state, parting, texts);
}

function reservations(state: RunState, texts: TerminalTexts): Line[] {
  const leaked = state.attempts.flatMap(leakedIn).length;
  const interrupted = state.interruptedTurns.length;
  return [
    ...(leaked > 0 ? [row("leaked", texts.leakedEnded(leaked), texts)] : []),
    ...(interrupted > 0 ? [row("turns", texts.turnsInterrupted(interrupted), texts)] : []),
    ...(state.refusals > 0 ? [row("answers", texts.answersRefused(state.refusals), texts)] : []),
  ];
}
