import { reportIn, roleOf } from "../domain/board/iterations.ts";
import { succeeded } from "../domain/process-end.ts";
import type { Attempt, RunState } from "../domain/state.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { iterationPlace, roleSaidText, workerText } from "./board-wording.ts";
import type { Line } from "./page.ts";

/** What came of an iteration: what the role said, and what the foreman saw. */
export function iterationVerdict(attempt: Attempt, state: RunState, texts: TerminalTexts): Line {
  const head = `${iterationPlace(state, attempt.index)} ${workerText(attempt, state)}`;
  const accepted = attempt.judged?.verdict === "accepted";
  const sign = reportIn(attempt) ? " " : texts.colon;
  const text = accepted
    ? `${head}${sign}${acceptedText(attempt, texts)}`
    : `${head} ${rejectedText(attempt, texts)}`;
  return { text, tone: accepted ? "good" : "bad" };
}

/** `said PASS; foreman ran 2 of 2 acceptance commands: green` */
function acceptedText(attempt: Attempt, texts: TerminalTexts): string {
  const all = attempt.call?.commands.length ?? 0;
  const seen = attempt.checks.length === 0 ? "" : `${texts.colon}${seenText(attempt, texts)}`;
  const isLookedInto = attempt.call?.order?.reviewMode === "investigate";
  const ran = isLookedInto ? [] : [`${texts.board.ran(attempt.checks.length, all)}${seen}`];
  return [...saidParts(attempt, texts), ...ran].join(texts.partSeparator);
}

function seenText(attempt: Attempt, { board }: TerminalTexts): string {
  const red = redIn(attempt);
  if (red > 0) return board.redAsWanted(red);
  return roleOf(attempt) === "TEST" ? `${board.green} (red_waiver)` : board.green;
}

/** `rejected: acceptance_failed; said PASS; 1 of 2 red` */
export function rejectedText(attempt: Attempt, texts: TerminalTexts): string {
  const reasons = attempt.judged?.reasons.join(", ") ?? "";
  const ran = attempt.checks.length;
  const red = ran === 0 ? [] : [texts.board.redOf(redIn(attempt), ran)];
  const why = `${texts.rejected}${texts.colon}${reasons}`;
  return [why, ...saidParts(attempt, texts), ...red].join(texts.partSeparator);
}

function saidParts(attempt: Attempt, texts: TerminalTexts): readonly string[] {
  const report = reportIn(attempt);
  return report ? [roleSaidText(report.said, texts)] : [];
}

function redIn({ checks }: Attempt): number {
  return checks.filter(({ process }) => !succeeded(process.end)).length;
}
