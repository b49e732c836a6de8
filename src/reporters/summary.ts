import { outcomeOf } from "../domain/end.ts";
import { runTime } from "../domain/run-time.ts";
import type { RunState } from "../domain/state.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { receiptPath } from "../reports/receipt.ts";
import { changeLines } from "./change-wording.ts";
import { spentText } from "./money.ts";
import type { Line } from "./page.ts";
import type { Parting } from "./reporter.ts";
import { analyzeEnd } from "./summary-analyze.ts";
import { chatEnd } from "./summary-chat.ts";
import { orchestrateEnd } from "./summary-orchestrate.ts";
import { pathRow, row, type End } from "./summary-parts.ts";
import { allowedText, roomFacts } from "./summary-room.ts";
import { stepsEnd } from "./summary-steps.ts";
import { superviseEnd } from "./summary-supervise.ts";
import { leakedIn, termsFor, timeText } from "./wording.ts";

/** How the foreman leaves a run, what speaks for it, and the one command to type next. */
export function summaryLines(state: RunState, parting: Parting, terms: TerminalTexts): Line[] {
  const texts = termsFor(state, terms);
  const end = howItEnded(state, parting, texts);
  const time = state.activeMs === 0 ? null : timeText(runTime(state), texts);
  const used = [time, spentText(state, texts)].filter((part) => part !== null);
  const receipt = receiptPath(state);
  return [
    { ...end.head, text: [end.head.text + allowedText(state, texts), ...used].join("  ") },
    ...end.facts,
    ...roomFacts(state, texts),
    ...changeLines(state, texts),
    ...blemishes(state, texts),
    ...(outcomeOf(state) ? [pathRow("report", state.settings.reportPath, texts)] : []),
    ...(receipt === null ? [] : [pathRow("receipt", receipt, texts)]),
    ...(end.next === null ? [] : [{ ...row("next", end.next, texts), isWhole: true }]),
  ];
}

function howItEnded(state: RunState, parting: Parting, texts: TerminalTexts): End {
  const { settings } = state;
  switch (settings.mode) {
    case "supervise":
      return superviseEnd(state, parting, texts);
    case "run":
      return stepsEnd(state, settings, parting, texts);
    case "analyze":
      return analyzeEnd(state, settings, parting, texts);
    case "orchestrate":
      return orchestrateEnd(state, settings, parting, texts);
    case "chat":
      return chatEnd(state, settings, parting, texts);
  }
}

function blemishes(state: RunState, texts: TerminalTexts): Line[] {
  const leaked = state.attempts.flatMap(leakedIn).length;
  const interrupted = state.interruptedTurns.length;
  return [
    ...(leaked > 0 ? [row("leaked", texts.leakedEnded(leaked), texts)] : []),
    ...(interrupted > 0 ? [row("turns", texts.turnsInterrupted(interrupted), texts)] : []),
    ...(state.refusals > 0 ? [row("answers", texts.answersRefused(state.refusals), texts)] : []),
  ];
}
