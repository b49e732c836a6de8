import { isUnavailable } from "./agent-turn.ts";
import { isAnswerToIt, isStopped } from "./question-options.ts";
import { exitCodeOfEnd } from "./end.ts";
import { isOwnedBy, type ModeEvent } from "./events/index.ts";
import type {
  AttemptJudged,
  MainEnded,
  ReviewEnded,
  RunEnded,
  RunEvent,
  RunResumed,
  TurnEnded,
  TurnFailed,
  TurnStarted,
} from "./event.ts";
import { lastAttempt, type RunState } from "./state.ts";

/**
 * Why an event cannot follow a state, or null. The engine never makes such an event, but a forged journal with valid checksums may
 * contain one. Above all, an acceptance must be the verdict on the evidence recorded before it. These rules do not repeat the policy,
 * because a later version may decide otherwise, and it must still be able to read and verify this journal.
 */
export function whyImpossible(state: RunState, event: RunEvent): string | null {
  if (state.ended) return "the run has ended";
  return state.mode.legality.any?.(state, event) ?? whyNotNow(state, event);
}

function whyNotNow(state: RunState, event: RunEvent): string | null {
  switch (event.type) {
    case "run_started":
      return "the run has started already";
    case "turn_started":
      return whyNoTurn(state, event);
    case "turn_ended":
      return whyNotOpen(state, event) ?? whyNotItsAgent(state, event) ?? whyNotItsWork(state, event);
    case "review_ended":
      return whyNotOpen(state, event) ?? whyNotItsAgent(state, event) ?? whyNotItsReview(state, event);
    case "main_ended":
      return whyNotOpen(state, event) ?? whyNotItsAgent(state, event) ?? whyNotOwn(state, event);
    case "turn_failed":
      return whyNotOpen(state, event) ?? whyNotItsAgent(state, event);
    case "turn_interrupted":
      return whyNotOpen(state, event);
    case "wait_started":
      return state.openTurn || state.wait || state.failures.length === 0
        ? "there is nothing to wait for"
        : null;
    case "wait_ended":
      return state.wait ? null : "nothing is waited for";
    case "attempt_judged":
      return whyNoVerdict(state, event);
    case "question_asked":
      if (state.question) return "a question is open";
      return state.mode.evidence.isHeld(state) ? null : state.mode.legality.question(state);
    case "question_answered":
      if (state.question?.id !== event.id) return "no such question is open";
      return isAnswerToIt(state, event.answer) ? null : "it answers another question";
    case "run_ended":
      return whyNoEnd(state, event);
    case "run_resumed":
      return whyNoMoreLoops(state, event);
    case "run_stopped":
    case "answer_refused":
      return null;
    default:
      return isOwnedBy("evidence", event)
        ? state.mode.evidence.whyImpossible(state, event)
        : whyNotOwn(state, event);
  }
}

/** Events of one mode cannot happen in another. */
function whyNotOwn(state: RunState, event: ModeEvent): string | null {
  const { name, legality } = state.mode;
  if (!isOwnedBy(name, event)) return "it is an event of another mode";
  return legality.own?.(state, event, state.settings) ?? null;
}

function whyNoMoreLoops(state: RunState, { maxLoops }: RunResumed): string | null {
  if (maxLoops === undefined) return null;
  const { legality } = state.mode;
  return legality.moreLoops ? legality.moreLoops(state, maxLoops) : "no iteration would be left";
}

function whyNotOpen({ openTurn }: RunState, event: { attempt: number; turn: number }): string | null {
  return openTurn?.attempt === event.attempt && openTurn.turn === event.turn ? null : "no such turn is open";
}

function whyNotItsWork({ openTurn, mode }: RunState, { product, claim }: TurnEnded): string | null {
  if (openTurn?.role !== "worker") return "the role is wrong";
  const fits = (product?.kind ?? null) === mode.turnResult && (claim !== null) === mode.claims;
  return fits ? null : "it is the work of another mode";
}

/** An agent that was not available has not worked, and the other way round. */
function whyNotItsAgent(
  { openTurn, settings }: RunState,
  event: TurnEnded | ReviewEnded | MainEnded | TurnFailed,
): string | null {
  const { agent } = event;
  if (settings.agents.length > 0 && agent?.name !== openTurn?.agent) return "it is another agent's turn";
  const unavailable = agent?.failure ? isUnavailable(agent.failure.class) : false;
  return unavailable === (event.type === "turn_failed") ? null : "its end is not of this kind";
}

function whyNotItsReview(state: RunState, event: ReviewEnded): string | null {
  const { legality } = state.mode;
  return legality.review ? legality.review(state, event) : "this mode has no reviews";
}

function whyNoTurn(state: RunState, event: TurnStarted): string | null {
  const { turn, agent } = event;
  if (state.openTurn) return "a turn is open";
  if (state.wait) return "the run waits";
  const { agents } = state.settings;
  const known = agents.length === 0 ? agent === null : agents.some(({ name }) => name === agent);
  if (!known) return "the run has no such agent";
  if (state.question) return "a question is open";
  if (turn !== state.turns + 1) return "turns are counted one by one";
  return state.mode.legality.turn(state, event, state.settings);
}

function whyNoVerdict(state: RunState, event: AttemptJudged): string | null {
  const expected =
    lastAttempt(state)?.index === event.attempt && !state.openTurn
      ? state.mode.evidence.verdict(state)
      : null;
  if (!expected) return "no attempt waits for a verdict";
  const same = expected.verdict === event.verdict && expected.reasons.join() === event.reasons.join();
  return same ? null : "the evidence leads to another verdict";
}

function whyNoEnd(state: RunState, event: RunEnded): string | null {
  const { status, reason, exitCode } = event;
  if (exitCode !== exitCodeOfEnd(status, reason)) return "its exit code is another run's";
  const last = state.decisions.at(-1);
  const decided = last?.answer.kind;
  switch (status) {
    case "passed":
      return state.mode.legality.passed(state, event);
    case "manually_passed":
      if (state.mode.legality.manuallyPassed) return state.mode.legality.manuallyPassed(state);
      return decided === "mark_pass" ? null : "no person decided it";
    case "manually_failed":
      return decided === "mark_fail" || isStopped(last) ? null : "no person decided it";
    case "failed":
      return null;
    default:
      return unknownEvent(status);
  }
}

/** No code can make one; a journal can contain one. */
function unknownEvent(event: never): string {
  return `unknown event: ${JSON.stringify(event)}`;
}
