import { impasseOf } from "../core/end.ts";
import {
  isBestEffort,
  type Answer,
  type CheckEnded,
  type Containment,
  type RunStopped,
} from "../core/event.ts";
import type { Leaked, ProcessEnd } from "../platform/process/process-end.ts";
import type { Claim } from "../core/claim/claim.ts";
import { checkPassed } from "../evidence/verdict.ts";
import type { RunTime } from "../core/run-time.ts";
import { attemptsAt, type Attempt, type QuestionAbout, type RunState, taskOf } from "../core/state.ts";
import { stuckAfter, type Stuck } from "../evidence/stuck.ts";
import type { Settings } from "../core/settings.ts";
import { visible } from "../text/text.ts";
import type { Line } from "./page.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { duration } from "../text/time-text.ts";
import { byteSize } from "./format.ts";

export function endText(end: ProcessEnd, texts: TerminalTexts): string {
  switch (end.kind) {
    case "exited":
      return texts.exit(end.code);
    case "signaled":
      return texts.killedBy(end.signal);
    case "timeout":
      return texts.timedOut(duration(end.afterMs));
    case "stalled":
      return texts.stalled(duration(end.afterMs));
    case "finished":
      return texts.finished;
    case "over_budget":
      return texts.overBudget;
    case "output_cap":
      return texts.tooMuchOutput(byteSize(end.capBytes));
    case "not_started":
      return texts.notStarted(visible(end.message));
  }
}

/** The agent's unchecked claim. */
export function saidText(claim: Claim, texts: TerminalTexts): string {
  switch (claim.status) {
    case null:
      return texts.saidNothing;
    case "invalid":
      return texts.saidUnknown(visible(claim.statusText ?? ""));
    case "DONE":
      return claim.evidence === null ? texts.saidWithoutEvidence(claim.status) : texts.said(claim.status);
    case "NEEDS_WORK":
    case "BLOCKED":
      return texts.said(claim.status);
  }
}

export function answerText(answer: Answer, texts: TerminalTexts, about: QuestionAbout = "limit"): string {
  switch (answer.kind) {
    case "continue_n":
      return texts.grantedMore(answer.n);
    case "mark_pass":
      return texts.markedPassed;
    case "mark_fail":
      return texts.markedFailed;
    case "option":
      if (about === "protected") return texts.room.chose[answer.option === "allow" ? "allow" : "refuse"];
      return texts.chosen(visible(answer.option));
  }
}

export function containmentText(containment: Containment, texts: TerminalTexts): string {
  const how = texts.containment[containment];
  return isBestEffort(containment) ? texts.bestEffort(how) : texts.contained(how);
}

/** `supervise 1116-bvev  claude  up to 6 attempts  contained: pid namespace`: the first line of a run. */
export function headLine(
  { runId, settings, containment }: RunState,
  terms: readonly string[],
  texts: TerminalTexts,
): Line {
  const parts = [`${settings.mode} ${runId}`, ...terms, containmentText(containment, texts)];
  return { text: parts.filter((part) => part !== "").join("  ") };
}

export function agentNames({ agents }: Settings): string {
  return agents.map(({ name }) => visible(name)).join(", ");
}

export function failedCheck(attempt: Attempt): CheckEnded | undefined {
  return attempt.checks.find((check) => !checkPassed(check));
}

/** `stuck: failed as attempt 1 did, and the work tree has not changed since`; null: the attempt is not stuck. */
export function stuckText(stuck: Stuck | null, texts: TerminalTexts): string | null {
  return stuck && `${texts.goesInCircles}${texts.colon}${texts.stuck(stuck)}`;
}

export function stuckAtStep(attempt: Attempt, state: RunState): Stuck | null {
  return stuckAfter(attemptsAt(state, attempt.step), attempt);
}

/** Shorter waits, such as for an answer typed ahead, are not shown. */
export const SHORTEST_WAIT_MS = 1000;

/** `18m40s, waited 1h02m`; `show` has the format of a time. */
export function timeText(
  { workedMs, waitedMs }: RunTime,
  texts: TerminalTexts,
  show: (ms: number) => string = duration,
): string {
  const waited = waitedMs < SHORTEST_WAIT_MS ? "" : texts.listSeparator + texts.waited(show(waitedMs));
  return show(workedMs) + waited;
}

export function leakedIn(attempt: Attempt): readonly Leaked[] {
  return [
    ...attempt.main.flatMap((answer) => answer.process.leaked),
    ...(attempt.turn?.process.leaked ?? []),
    ...attempt.checks.flatMap((check) => check.process.leaked),
    ...[...attempt.faultyReviews, attempt.review].flatMap((review) => review?.process.leaked ?? []),
  ];
}

/** Agents whose profile differs from their name: `claude: program ./other, model big`. */
export function agentDetails({ settings }: RunState): string[] {
  return settings.agents.flatMap(({ name, program, command, endpoint, model }) => {
    const parts = Object.entries({ program, command, endpoint, model }).flatMap(([key, value]) =>
      value === null ? [] : [`${key} ${visible(value)}`],
    );
    return parts.length === 0 ? [] : [`${visible(name)}: ${parts.join(", ")}`];
  });
}

export function stopText(by: RunStopped["by"], texts: TerminalTexts): string {
  const impasse = impasseOf(by);
  if (impasse !== null) return texts.impasse[impasse];
  return by === "undecided" ? texts.undecided : texts.stopped(by);
}

export function takesOver(agent: string | null, { lastAgent }: RunState): boolean {
  return agent !== null && lastAgent !== null && lastAgent !== agent;
}

/** The number of used attempts, at the task or at the current step. One that waits for a person's answer counts, too. */
export function attemptsUsed(state: RunState): number {
  return attemptsAt(state, state.step).filter(({ turn, index }) => turn && index > 0).length;
}

/** `[2/3]`: the current step. */
export function stepPlace({ step, steps }: RunState): string {
  return `[${step ?? 0}/${steps.length}]`;
}

/** `1/6` */
export function roundPlace({ maxLoops }: RunState, attempt: number): string {
  return `${attempt}/${maxLoops}`;
}

/** `[2/3] 1/5`; attempt 0 tests a finished step again. */
export function stepAttemptPlace(state: RunState, attempt: number): string {
  return attempt === 0 ? stepPlace(state) : `${stepPlace(state)} ${roundPlace(state, attempt)}`;
}

/** The topic of the last question that a person answered. */
export function lastDecidedAbout({ decisions }: RunState): QuestionAbout {
  return decisions.at(-1)?.about ?? "limit";
}

/** The current attempt; 0 before the first one of the step, or of the person's last input. */
export function currentAttempt(state: RunState): number {
  const last = attemptsAt(state, state.step).at(-1);
  return last && (!last.chat || last.chat.task === taskOf(state)) ? last.index : 0;
}
