import type { EndReason } from "../../core/event.ts";
import type { Reason } from "../../core/reason.ts";
import type { SuperviseSettings } from "../../core/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { SummaryLabel } from "../../ui/words/terminal-labels.ts";
import { superviseWords } from "./words/supervise-words.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { turnReasons } from "../../core/verdict.ts";
import { diffCommand } from "../../ui/shell-command.ts";
import { duration } from "../../text/time-text.ts";
import { decisiveCheck, failedOutput } from "../../ui/failed-output.ts";
import type { RunOf } from "../../ui/mode-view.ts";
import type { Line } from "../../ui/page.ts";
import type { Parting } from "../../engine/reporter.ts";
import { countsText, endedText, failureOf, reasonWords, testTexts } from "../../ui/room-wording.ts";
import { unstartedEnd } from "../../ui/summary-room.ts";
import { nearPath } from "../../ui/near-path.ts";
import {
  afterStuckLines,
  continued,
  endWith,
  noteLine,
  pathRow,
  quotedBelow,
  row,
  type End,
} from "../../ui/summary-parts.ts";
import { endText, failedCheck, attemptsUsed, stuckAtStep, stuckText } from "../../ui/wording.ts";

type Run = RunOf<SuperviseSettings>;

export function superviseAsked(state: Run, parting: Parting, texts: TerminalTexts): End {
  const text = superviseWords[texts.lang].endWaiting(attemptsUsed(state), state.maxLoops);
  const next = `agent-foreman decide ${state.runId} continue 3`;
  return endWith("?", text, next, reasonLines("why", state, parting, texts));
}

export function superviseEnd(reason: EndReason, state: Run, parting: Parting, texts: TerminalTexts): End {
  const show = `agent-foreman show ${state.runId}`;
  const last = lastAttempt(state);
  const used = attemptsUsed(state);
  const why = reasonLines("why", state, parting, texts);
  switch (reason) {
    case "accepted": {
      const text = superviseWords[texts.lang].endAccepted(last?.index ?? 0, state.maxLoops);
      return endWith("✓", text, diffCommand(state) ?? show, fullTestLines(last, texts));
    }
    case "stuck":
      return endWith("✗", superviseWords[texts.lang].endStuck(used, state.maxLoops), show, [
        ...why,
        ...stuckLines(state, texts),
      ]);
    case "marked_by_person": {
      const facts = [...noteLine(state, texts), ...reasonLines("found", state, parting, texts)];
      return state.ended?.status === "manually_passed"
        ? endWith("✓", texts.endMarkedPassed, diffCommand(state) ?? show, facts)
        : endWith("✗", texts.endMarkedFailed, show, facts);
    }
    case "plan_file_missing":
    case "plan_file_unreadable": {
      const plan = pathRow("plan", state.settings.planFile, texts);
      return endWith("✗", `${superviseWords[texts.lang].endPlan[reason]} (${reason})`, null, [plan]);
    }
    case "test_cannot_start":
    case "setup_failed":
    case "agent_cannot_start":
      return unstartedEnd(reason, state, texts);
    case "cancelled":
      return endWith("✗", texts.endCancelled(last?.index ?? null), show);
    default:
      return endWith("✗", superviseWords[texts.lang].endRejected(used, state.maxLoops), show, why);
  }
}

function stuckLines({ settings }: Run, texts: TerminalTexts): readonly Line[] {
  return afterStuckLines(visible(nearPath(settings.planFile, settings.calledFrom)), "--agent", texts);
}

function fullTestLines(attempt: Attempt | undefined, texts: TerminalTexts): Line[] {
  return (attempt?.checks ?? [])
    .filter((check) => check.phase === "full")
    .map((check) => {
      const { command, durationMs } = check.process;
      const what = countsText(check, texts) ?? texts.passed;
      return row("full", `${visible(command)}${texts.colon}${what} (${duration(durationMs)})`, texts);
    });
}

function reasonLines(
  label: SummaryLabel,
  state: RunState,
  { said = [] }: Parting,
  texts: TerminalTexts,
): Line[] {
  const attempt = lastAttempt(state);
  const reasons = attempt?.judged?.reasons ?? [];
  if (!attempt || reasons.length === 0) return [];
  const [first = "", ...rest] = reasons.map((reason) => reasonText(reason, attempt, texts));
  const same = attemptsLikeTheLast(state);
  const stuck = stuckText(stuckAtStep(attempt, state), texts);
  const failed = decisiveCheck(attempt);
  const output = failedOutput(attempt);
  return [
    row(label, first, texts),
    ...rest.map(continued),
    ...(failed ? testTexts(failed, texts).map(continued) : []),
    ...said.map((line) => quotedBelow("text" in line ? visible(line.text) : texts.leftOut(line.leftOut))),
    ...(same.length > 1 ? [continued(superviseWords[texts.lang].sameIn(same))] : []),
    ...(stuck === null ? [] : [continued(stuck)]),
    ...(output && output.bytes > 0 ? [pathRow("output", output.path, texts)] : []),
  ];
}

function reasonText(reason: Reason, attempt: Attempt, texts: TerminalTexts): string {
  const failed = failedCheck(attempt);
  const isAboutCheck = failed && reason === `${failed.phase}_test_failed`;
  const facts = isAboutCheck
    ? [visible(failed.process.command), failureOf(failed, texts, endedText)]
    : attempt.turn && turnReasons(attempt.turn.process.end).includes(reason)
      ? [
          ...(reason === "agent_exit_nonzero" ? [] : [texts.subject.agent]),
          endText(attempt.turn.process.end, texts),
        ]
      : [];
  const detail = facts.length === 0 ? undefined : `${texts.colon}${facts.join(texts.listSeparator)}`;
  return `${reasonWords(reason, attempt, texts, detail)} (${reason})`;
}

/** The last attempts that all failed in the same way: a loop without progress. */
function attemptsLikeTheLast(state: RunState): number[] {
  const way = (attempt: Attempt): string =>
    JSON.stringify([attempt.judged?.reasons, failedCheck(attempt)?.phase, failedCheck(attempt)?.index]);
  const last = lastAttempt(state);
  const different = state.attempts.findLastIndex(
    (attempt) => last !== undefined && way(attempt) !== way(last),
  );
  return state.attempts.slice(different + 1).map((attempt) => attempt.index);
}
