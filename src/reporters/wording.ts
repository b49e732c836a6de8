import { commandsDue } from "../domain/board/call.ts";
import { roleOf } from "../domain/board/iterations.ts";
import { failedAgain, taskOf } from "../domain/chat/reviews.ts";
import { impasseOf } from "../domain/end.ts";
import {
  isBestEffort,
  type Answer,
  type CheckEnded,
  type Containment,
  type RunStopped,
} from "../domain/event.ts";
import type { Leaked, ProcessEnd } from "../domain/process-end.ts";
import type { Claim } from "../domain/protocol/claim.ts";
import { checkPassed } from "../domain/room/verdict.ts";
import type { RunTime } from "../domain/run-time.ts";
import { attemptsAt, lastAttempt, type Attempt, type QuestionAbout, type RunState } from "../domain/state.ts";
import { stuckAfter, type Stuck } from "../domain/stuck.ts";
import { visible } from "../domain/text.ts";
import type { LivePhase } from "../i18n/live-phase.ts";
import { inIterations } from "../i18n/terminal-iterations.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { reviewNumber } from "../reports/chat-parts.ts";
import { iterationPlace } from "./board-wording.ts";
import { duration } from "../domain/time-text.ts";
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

/** What the agent said, and nothing that anybody has checked. */
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
      if (about === "oracle") return texts.room.chose[answer.option === "allow" ? "allow" : "refuse"];
      return texts.chosen(visible(answer.option));
  }
}

export function containmentText(containment: Containment, texts: TerminalTexts): string {
  const how = texts.containment[containment];
  return isBestEffort(containment) ? texts.bestEffort(how) : texts.contained(how);
}

export function failedCheck(attempt: Attempt): CheckEnded | undefined {
  return attempt.checks.find((check) => !checkPassed(check));
}

/** `stuck: failed as attempt 1 did, and the work tree has not changed since`; null: the attempt is not stuck. */
export function stuckText(attempt: Attempt, state: RunState, texts: TerminalTexts): string | null {
  const stuck = stuckByMode(attempt, state);
  return stuck && `${texts.steps.goesInCircles}${texts.colon}${texts.steps.stuck(stuck)}`;
}

function stuckByMode(attempt: Attempt, state: RunState): Stuck | null {
  switch (state.settings.mode) {
    case "supervise":
    case "run":
      return stuckAfter(attemptsAt(state, attempt.step), attempt);
    case "chat":
      return failedAgain(state, attempt);
    // Some turns rightly change nothing.
    case "analyze":
    case "orchestrate":
      return null;
  }
}

/** Waits that are shorter, such as that for an answer typed ahead, are nothing to show. */
export const SHORTEST_WAIT_MS = 1000;

/** `18m40s, waited 1h02m`; `show` says how a time is written. */
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

/** Agents that a profile has made something else of what their name says: `claude: program ./other, model big`. */
export function agentDetails({ settings }: RunState): string[] {
  return settings.agents.flatMap(({ name, program, command, endpoint, model }) => {
    const parts = Object.entries({ program, command, endpoint, model }).flatMap(([key, value]) =>
      value === null ? [] : [`${key} ${visible(value)}`],
    );
    return parts.length === 0 ? [] : [`${visible(name)}: ${parts.join(", ")}`];
  });
}

/** Why the run was stopped. */
export function stopText(by: RunStopped["by"], texts: TerminalTexts): string {
  const impasse = impasseOf(by);
  if (impasse !== null) return texts.impasse[impasse];
  return by === "undecided" ? texts.undecided : texts.stopped(by);
}

/** Whether another agent than the last one takes the turn. */
export function takesOver(agent: string | null, { lastAgent }: RunState): boolean {
  return agent !== null && lastAgent !== null && lastAgent !== agent;
}

/** How many attempts are used up, at the task or at the current step. One that waits for a person's answer is used up, too. */
export function attemptsUsed(state: RunState): number {
  return attemptsAt(state, state.step).filter(({ turn, index }) => turn && index > 0).length;
}

/** `[2/3]`: which step the run is at. */
export function stepPlace({ step, steps }: RunState): string {
  return `[${step ?? 0}/${steps.length}]`;
}

/**
 * `[2/3] 1/5`; `1/6` where there are no steps, `[12]` on a board, where a limit says little. Testing a step again that was done is no
 * attempt. In a conversation, `#2 1/5`.
 */
export function attemptPlace(state: RunState, attempt: number): string {
  const round = `${attempt}/${state.maxLoops}`;
  switch (state.settings.mode) {
    case "orchestrate":
      return iterationPlace(state, attempt);
    case "run":
      return attempt === 0 ? stepPlace(state) : `${stepPlace(state)} ${round}`;
    case "chat":
      return chatPlace(state, attempt);
    default:
      return round;
  }
}

/** `1/5`, where a script asks; `#2 1/5`: the task that a person asked for, and its review. */
function chatPlace(state: RunState, index: number): string {
  const attempt = state.attempts.find((one) => one.index === index);
  const round = `${attempt ? reviewNumber(state, attempt) : 0}/${state.maxLoops}`;
  if (state.settings.mode === "chat" && state.settings.prompt !== null) return round;
  const task = attempt?.chat?.task ?? taskOf(state);
  return task === 0 ? "-" : `#${task} ${round}`;
}

/** Where a phase is, with a gap behind it; the base is tested before there is an attempt. */
export function phasePlace(phase: LivePhase, attempt: number, state: RunState): string {
  return phase === "base" ? "" : `${attemptPlace(state, attempt)} `;
}

/** What the question was about that a person has answered last. */
export function lastDecidedAbout({ decisions }: RunState): QuestionAbout {
  return decisions.at(-1)?.about ?? "limit";
}

/** The words for a run: what a board's limit counts is iterations. */
export function termsFor({ board }: RunState, texts: TerminalTexts): TerminalTexts {
  return board ? inIterations(texts) : texts;
}

/** What is under way: on a board, whose work it is, and which command. */
export function phaseText(phase: LivePhase, state: RunState, texts: TerminalTexts): string {
  const attempt = lastAttempt(state);
  if (state.board && attempt) {
    if (phase === "agent") return texts.board.turnOf(roleOf(attempt) ?? "");
    if (phase === "acceptance")
      return `${texts.phase[phase]} ${attempt.checks.length + 1}/${commandsDue(attempt).length}`;
  }
  return state.chat && phase === "review" ? texts.chat.review : texts.phase[phase];
}

/** Which attempt the run is at, 0 before the first one of the step, or of what a person asked last. */
export function currentAttempt(state: RunState): number {
  const last = attemptsAt(state, state.step).at(-1);
  return last && (!last.chat || last.chat.task === taskOf(state)) ? last.index : 0;
}
