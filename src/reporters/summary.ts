import { budgetReached } from "../domain/budget.ts";
import { impasseOf, outcomeOf } from "../domain/end.ts";
import type { EndReason, Impasse, TurnFailed } from "../domain/event.ts";
import { lastAttempt, type Attempt, type RunState } from "../domain/state.ts";
import { diffCommand, resumeCommand } from "../reports/shell-command.ts";
import { visible } from "../domain/text.ts";
import type { Reason } from "../domain/reason.ts";
import type { SummaryLabel, TerminalTexts } from "../i18n/terminal.ts";
import type { Change } from "../workspace/git.ts";
import { failureText, lastFailures, limitText } from "./agent-wording.ts";
import { duration, padToWidth } from "./format.ts";
import { costBudget, spentText, tokenBudget } from "./money.ts";
import type { Line } from "./page.ts";
import type { Parting } from "./reporter.ts";
import { endText, failedCheck, judgedCount, leakedIn, totalWorkedMs } from "./wording.ts";

/** How the foreman leaves a run, what speaks for it, and the one command to type next. */
export function summaryLines(state: RunState, parting: Parting, texts: TerminalTexts): Line[] {
  const end = howItEnded(state, parting, texts);
  const worked = totalWorkedMs(state);
  const used = [worked === 0 ? null : duration(worked), spentText(state, texts)].filter(
    (part) => part !== null,
  );
  return [
    { ...end.head, text: [end.head.text, ...used].join("  ") },
    ...end.facts,
    ...changeLine(state, parting.change, texts),
    ...blemishes(state, texts),
    ...(outcomeOf(state) ? [row("report", visible(state.settings.reportPath), texts)] : []),
    row("next", end.next, texts),
  ];
}

interface End {
  readonly head: Line;
  readonly facts: readonly Line[];
  readonly next: string;
}

function howItEnded(state: RunState, parting: Parting, texts: TerminalTexts): End {
  const current = lastAttempt(state)?.index ?? null;
  const used = judgedCount(state);
  const { runId, maxLoops } = state;
  if (state.ended) return endedBy(state.ended.reason, state, parting, texts);
  if (state.question)
    return {
      head: { text: `? ${texts.endWaiting(used, maxLoops)}`, tone: "ask" },
      facts: reasonLines("why", state, texts),
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

function stoppedBy(impasse: Impasse, state: RunState, parting: Parting, texts: TerminalTexts): End {
  const next = resumeCommand(state);
  const now = Date.parse(state.updatedAt);
  const errors = lastFailures(state).flatMap(({ event }) => failureLines(event, now, parting, texts));
  switch (impasse) {
    case "budget_reached":
      return {
        head: { text: `! ${budgetHead(state, texts)}`, tone: "warn" },
        facts: [...untoldLines(state, texts), ...errors],
        next,
      };
    case "wait_limit_reached": {
      const last = state.failures.at(-1)?.event;
      const what = last ? failureText(last, now, texts) : "";
      return {
        head: { text: `! ${texts.endWaitLimit(what, limitText(state.limits.waitMs))}`, tone: "warn" },
        facts: errors,
        next,
      };
    }
    case "no_agent_available":
      return { head: { text: `! ${texts.endNoAgent}`, tone: "warn" }, facts: errors, next };
  }
}

/** What the agent said, and what a person can do about it. */
function failureLines(event: TurnFailed, now: number, { mending }: Parting, texts: TerminalTexts): Line[] {
  const { name, failure } = event.agent;
  const said = `${failureText(event, now, texts)}${texts.colon}${visible(failure.message)}`;
  const help = mending?.get(name);
  const todo =
    failure.class === "permission"
      ? texts.allowTools
      : failure.class === "auth"
        ? help?.login
        : failure.class === "missing"
          ? help?.install
          : undefined;
  return [
    { ...row("agent", said, texts), mayBeCut: true },
    ...(todo === undefined || todo === "" ? [] : [continued(todo)]),
  ];
}

/** A limit that could not be kept any more, for nobody told what a turn used. */
function untoldLines({ spent, limits }: RunState, texts: TerminalTexts): Line[] {
  const cost = limits.costUsd !== null && spent.unpriced > 0;
  const tokens = limits.tokens !== null && spent.uncounted > 0;
  return [
    ...(cost ? [row("agent", texts.costUntold, texts)] : []),
    ...(tokens ? [row("agent", texts.tokensUntold, texts)] : []),
  ];
}

function budgetHead(state: RunState, texts: TerminalTexts): string {
  const last = lastAttempt(state);
  const notJudged = last?.turn && !last.judged ? last.index : null;
  if (untoldLines(state, texts).length > 0) return texts.endUncounted(notJudged);
  switch (budgetReached(state, state.updatedAt)) {
    case "tokens":
      return texts.endBudget(tokenBudget(state, texts) ?? "", notJudged);
    case "cost":
      return texts.endBudget(costBudget(state, texts) ?? "", notJudged);
    default: {
      const time = texts.of(duration(state.activeMs), duration(state.limits.timeMs ?? 0));
      return texts.endBudget(time, notJudged);
    }
  }
}

function endedBy(reason: EndReason, state: RunState, parting: Parting, texts: TerminalTexts): End {
  const show = `agent-foreman show ${state.runId}`;
  const last = lastAttempt(state);
  switch (reason) {
    case "accepted":
      return {
        head: { text: `✓ ${texts.endAccepted(last?.index ?? 0, state.maxLoops)}`, tone: "good" },
        facts: fullTestLines(last, texts),
        next: diffCommand(state, state.settings.calledFrom, parting.change) ?? show,
      };
    case "limit_reached":
      return {
        head: { text: `✗ ${texts.endRejected(judgedCount(state), state.maxLoops)}`, tone: "bad" },
        facts: reasonLines("why", state, texts),
        next: show,
      };
    case "marked_by_person": {
      const passed = state.ended?.status === "manually_passed";
      const head: Line = passed
        ? { text: `✓ ${texts.endMarkedPassed}`, tone: "good" }
        : { text: `✗ ${texts.endMarkedFailed}`, tone: "bad" };
      const facts = [...noteLine(state, texts), ...reasonLines("found", state, texts)];
      return {
        head,
        facts,
        next: (passed ? diffCommand(state, state.settings.calledFrom, parting.change) : undefined) ?? show,
      };
    }
    case "plan_file_missing":
    case "plan_file_unreadable":
      return {
        head: { text: `✗ ${texts.endPlan[reason]} (${reason})`, tone: "bad" },
        facts: [row("plan", visible(state.settings.planFile), texts)],
        next: show,
      };
    case "cancelled":
      return {
        head: { text: `✗ ${texts.endCancelled(last?.index ?? null)}`, tone: "bad" },
        facts: [],
        next: show,
      };
  }
}

function row(label: SummaryLabel, text: string, texts: TerminalTexts): Line {
  return { text: `  ${padToWidth(texts.label[label], 7)} ${text}` };
}

const continued = (text: string): Line => ({ text: `${" ".repeat(10)}${text}` });

function fullTestLines(attempt: Attempt | undefined, texts: TerminalTexts): Line[] {
  return (attempt?.checks ?? [])
    .filter((check) => check.phase === "full")
    .map(({ process }) =>
      row(
        "full",
        `${visible(process.command)}${texts.colon}${texts.passed} (${duration(process.durationMs)})`,
        texts,
      ),
    );
}

function reasonLines(label: SummaryLabel, state: RunState, texts: TerminalTexts): Line[] {
  const attempt = lastAttempt(state);
  const reasons = attempt?.judged?.reasons ?? [];
  if (!attempt || reasons.length === 0) return [];
  const [first = "", ...rest] = reasons.map((reason) => reasonText(reason, attempt, texts));
  const same = attemptsLikeTheLast(state);
  const failed = failedCheck(attempt);
  return [
    row(label, first, texts),
    ...rest.map(continued),
    ...(same.length > 1 ? [continued(texts.sameIn(same))] : []),
    ...(failed && failed.output.bytes > 0 ? [row("output", visible(failed.output.path), texts)] : []),
  ];
}

function reasonText(reason: Reason, attempt: Attempt, texts: TerminalTexts): string {
  const failed = failedCheck(attempt);
  const isAboutCheck = failed && reason === `${failed.phase}_test_failed`;
  const facts = isAboutCheck
    ? [visible(failed.process.command), endText(failed.process.end, texts)]
    : reason === "agent_exit_nonzero" && attempt.turn
      ? [endText(attempt.turn.process.end, texts)]
      : [];
  const detail = facts.length === 0 ? "" : `${texts.colon}${facts.join(texts.listSeparator)}`;
  return `${texts.reason[reason]}${detail} (${reason})`;
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

function noteLine(state: RunState, texts: TerminalTexts): Line[] {
  const note = state.decisions.at(-1)?.note ?? null;
  return note === null ? [] : [{ ...row("note", visible(note), texts), mayBeCut: true }];
}

function changeLine(state: RunState, change: Change | undefined, texts: TerminalTexts): Line[] {
  const base = state.started.baseCommit;
  if (!change || base === null) return [];
  const { files, insertions, deletions, untracked } = change;
  const parts = [
    ...(files > 0 ? [texts.change(files, insertions, deletions)] : []),
    ...(untracked > 0 ? [texts.newFiles(untracked)] : []),
  ];
  const what = parts.length === 0 ? texts.noChange : parts.join(texts.listSeparator);
  return [row("change", texts.since(what, base.slice(0, 7)), texts)];
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
