import { listed } from "../../text/text.ts";
import { boardTerms } from "./words/terminal.ts";
import { reportIn, roleOf } from "../../core/board/iterations.ts";
import type { Reason } from "../../core/reason.ts";
import { endInEvidence } from "../../evidence/verdict.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { lacksIn, seenAs, type Seen } from "./verdict-role.ts";
import { lackText } from "./words/iteration-report.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { brief, roleSaidText, workerText } from "./board-wording.ts";
import type { Statement } from "../../ui/statement.ts";

const MAX_LACK = 160;

/** The result of an iteration: the role's claim, and the foreman's own evidence. */
export function iterationVerdict(attempt: Attempt, state: RunState, texts: TerminalTexts): Statement {
  const head = workerText(attempt, state);
  const accepted = attempt.judged?.verdict === "accepted";
  const sign = reportIn(attempt) ? " " : texts.colon;
  const text = accepted
    ? `${head}${sign}${acceptedText(attempt, texts)}`
    : `${head} ${rejectedText(attempt, texts)}`;
  return { subject: "verdict", attempt: attempt.index, text, tone: accepted ? "good" : "bad" };
}

/** `said PASS; foreman ran 2 of 2 acceptance commands: green` */
function acceptedText(attempt: Attempt, texts: TerminalTexts): string {
  const all = attempt.call?.commands.length ?? 0;
  const seen = attempt.checks.length === 0 ? "" : `${texts.colon}${seenText(attempt, texts)}`;
  const isLookedInto = attempt.call?.order?.reviewMode === "investigate";
  const ran = isLookedInto ? [] : [`${boardTerms[texts.lang].ran(attempt.checks.length, all)}${seen}`];
  return [...saidParts(attempt, texts), ...ran].join(texts.partSeparator);
}

function seenText(attempt: Attempt, { lang }: TerminalTexts): string {
  const board = boardTerms[lang];
  const red = seenIn(attempt, "red");
  if (red > 0) return board.redAsWanted(red);
  if (roleOf(attempt) !== "TEST") return board.green;
  return attempt.call?.order?.redWaiver == null ? board.greenRestored : `${board.green} (red_waiver)`;
}

/** `rejected: an acceptance command failed (acceptance_failed); said PASS; 1 of 2 red` */
export function rejectedText(attempt: Attempt, texts: TerminalTexts): string {
  const reasons = (attempt.judged?.reasons ?? []).map(
    (reason) => `${texts.reason[reason]} (${reason})${detailText(reason, attempt, texts)}`,
  );
  const why = `${texts.rejected}${texts.colon}${reasons.join(texts.listSeparator)}`;
  return [why, ...saidParts(attempt, texts), ...shownParts(attempt, texts)].join(texts.partSeparator);
}

/** ` (no Coverage: of requirement 2)` of an incomplete report, ` (test/a.test.ts)` of tests that are not restored. */
function detailText(reason: Reason, attempt: Attempt, { lang, partSeparator }: TerminalTexts): string {
  if (reason === "tests_not_restored") return ` (${listed(reportIn(attempt)?.unrestored ?? [])})`;
  if (reason !== "report_incomplete") return "";
  const lacks = lacksIn(attempt).map((lack) => brief(lackText(lack, lang), MAX_LACK));
  return lacks.length === 0 ? "" : ` (${lacks.join(partSeparator)})`;
}

/** `1 of 3 red, 1 did not run`; the number of red ones is always included. */
function shownParts(attempt: Attempt, { lang, listSeparator }: TerminalTexts): readonly string[] {
  const board = boardTerms[lang];
  const ran = attempt.checks.length;
  const red = seenIn(attempt, "red");
  const notRun = seenIn(attempt, "not_run");
  if (ran === 0) return [];
  const parts = [
    ...(red === 0 && notRun > 0 ? [] : [board.redOf(red, ran)]),
    ...(notRun > 0 ? [board.notRunOf(notRun, ran)] : []),
  ];
  return [parts.join(listSeparator)];
}

function saidParts(attempt: Attempt, texts: TerminalTexts): readonly string[] {
  const report = reportIn(attempt);
  return report ? [roleSaidText(report.said, texts)] : [];
}

function seenIn({ checks }: Attempt, seen: Seen): number {
  return checks.filter((check) => seenAs(endInEvidence(check)) === seen).length;
}
