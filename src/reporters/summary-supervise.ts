import { impasseOf } from "../domain/end.ts";
import type { EndReason } from "../domain/event.ts";
import type { Reason } from "../domain/reason.ts";
import { lastAttempt, type Attempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { SummaryLabel } from "../i18n/terminal-labels.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { turnReasons } from "../domain/verdict.ts";
import { diffCommand } from "../reports/shell-command.ts";
import { duration } from "../domain/time-text.ts";
import { decisiveCheck, failedOutput } from "./failed-output.ts";
import type { Line } from "./page.ts";
import type { Parting } from "./reporter.ts";
import { countsText, endedText, failureOf, reasonWords, testTexts } from "./room-wording.ts";
import { heldEnd, unstartedEnd } from "./summary-room.ts";
import { stoppedBy } from "./summary-impasse.ts";
import { nearPath } from "./near-path.ts";
import {
  afterStuckLines,
  continued,
  noteLine,
  pathRow,
  quotedBelow,
  row,
  type End,
} from "./summary-parts.ts";
import { endText, failedCheck, attemptsUsed, stuckText } from "./wording.ts";

/** How `supervise` leaves a run. */
export function superviseEnd(state: RunState, parting: Parting, texts: TerminalTexts): End {
  const current = lastAttempt(state)?.index ?? null;
  const used = attemptsUsed(state);
  const { runId, maxLoops } = state;
  if (state.ended) return endedBy(state.ended.reason, state, parting, texts);
  if (state.question?.about === "oracle") return heldEnd(state, texts);
  if (state.question)
    return {
      head: { text: `? ${texts.endWaiting(used, maxLoops)}`, tone: "ask" },
      facts: reasonLines("why", state, parting, texts),
      next: `agent-foreman decide ${runId} continue 3`,
    };
  const impasse = impasseOf(state.stopped);
  if (impasse !== null) return stoppedBy(impasse, state, parting, texts);
  return {
    head: { text: `! ${texts.endInterrupted(state.stopped, current)}`, tone: "warn" },
    facts: [],
    next: `agent-foreman resume ${runId}`,
  };
}

function endedBy(reason: EndReason, state: RunState, parting: Parting, texts: TerminalTexts): End {
  const show = `agent-foreman show ${state.runId}`;
  const last = lastAttempt(state);
  switch (reason) {
    case "accepted":
      return {
        head: { text: `✓ ${texts.endAccepted(last?.index ?? 0, state.maxLoops)}`, tone: "good" },
        facts: fullTestLines(last, texts),
        next: diffCommand(state) ?? show,
      };
    case "stuck":
      return {
        head: { text: `✗ ${texts.endStuck(attemptsUsed(state), state.maxLoops)}`, tone: "bad" },
        facts: [...reasonLines("why", state, parting, texts), ...stuckLines(state, texts)],
        next: show,
      };
    // The reasons of other modes are never given here.
    case "step_file_changed":
    case "step_file_invalid":
    case "step_write_failed":
    case "review_failed":
    case "nothing_asked":
    case "nothing_to_do":
    case "left_unaccepted":
    case "waiting_for_user":
    case "live_agent_failed":
    case "limit_reached":
      return {
        head: { text: `✗ ${texts.endRejected(attemptsUsed(state), state.maxLoops)}`, tone: "bad" },
        facts: reasonLines("why", state, parting, texts),
        next: show,
      };
    case "marked_by_person": {
      const passed = state.ended?.status === "manually_passed";
      const head: Line = passed
        ? { text: `✓ ${texts.endMarkedPassed}`, tone: "good" }
        : { text: `✗ ${texts.endMarkedFailed}`, tone: "bad" };
      const facts = [...noteLine(state, texts), ...reasonLines("found", state, parting, texts)];
      return {
        head,
        facts,
        next: (passed ? diffCommand(state) : undefined) ?? show,
      };
    }
    case "plan_file_missing":
    case "plan_file_unreadable":
      return {
        head: { text: `✗ ${texts.endPlan[reason]} (${reason})`, tone: "bad" },
        facts: planLine(state, texts),
        next: null,
      };
    case "test_cannot_start":
    case "setup_failed":
    case "agent_cannot_start":
      return unstartedEnd(reason, state, texts);
    case "cancelled":
      return {
        head: { text: `✗ ${texts.endCancelled(last?.index ?? null)}`, tone: "bad" },
        facts: [],
        next: show,
      };
  }
}

function stuckLines({ settings }: RunState, texts: TerminalTexts): readonly Line[] {
  if (settings.mode !== "supervise") return [];
  return afterStuckLines(visible(nearPath(settings.planFile, settings.calledFrom)), "--agent", texts);
}

function planLine({ settings }: RunState, texts: TerminalTexts): Line[] {
  return settings.mode === "supervise" ? [pathRow("plan", settings.planFile, texts)] : [];
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
  const stuck = stuckText(attempt, state, texts);
  const failed = decisiveCheck(attempt);
  const output = failedOutput(attempt);
  return [
    row(label, first, texts),
    ...rest.map(continued),
    ...(failed ? testTexts(failed, texts).map(continued) : []),
    ...said.map((line) => quotedBelow("text" in line ? visible(line.text) : texts.leftOut(line.leftOut))),
    ...(same.length > 1 ? [continued(texts.sameIn(same))] : []),
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

/** The attempts up to the last one that failed in the very same way: a loop that makes no way. */
function attemptsLikeTheLast(state: RunState): number[] {
  const way = (attempt: Attempt): string =>
    JSON.stringify([attempt.judged?.reasons, failedCheck(attempt)?.phase, failedCheck(attempt)?.index]);
  const last = lastAttempt(state);
  const different = state.attempts.findLastIndex(
    (attempt) => last !== undefined && way(attempt) !== way(last),
  );
  return state.attempts.slice(different + 1).map((attempt) => attempt.index);
}
