import { exitCodeOfEnd } from "./end.ts";
import { isUnavailable } from "./agent-turn.ts";
import { isAnswerToIt, isStopped } from "./board/asked.ts";
import { commandsDue } from "./board/call.ts";
import { atTerminal } from "./chat/reviews.ts";
import { hasFinished } from "./board/iterations.ts";
import type {
  AttemptJudged,
  CheckEnded,
  CheckPhase,
  MainEnded,
  ReviewEnded,
  RunEnded,
  RunEvent,
  RunResumed,
  TurnEnded,
  TurnFailed,
  TurnStarted,
} from "./event.ts";
import { unitTestsDue, verdictOn } from "./evidence.ts";
import { nothingLeft } from "./steps-left.ts";
import { whyNoBoardQuestion, whyNoBoardTurn, whyNoEdit, whyNotMains } from "./legality-board.ts";
import { whyNoChatEvent, whyNoChatReview, whyNoChatTurn, whyNotPassed } from "./legality-chat.ts";
import {
  whyNoMark,
  whyNoRefusal,
  whyNoReview,
  whyNoStep,
  whyNoStepTurn,
  whyNotAfterRefusal,
  whyNotAllDone,
} from "./legality-steps.ts";
import { isHeld } from "./fold-room.ts";
import { whyNoRoomEvent } from "./legality-room.ts";
import { lastAttempt, type RunState } from "./state.ts";

/**
 * Why an event cannot follow a state, or null. The engine never makes such an event; a journal that somebody wrote by hand,
 * checksums and all, may hold one. Above all an acceptance must be the verdict on the evidence recorded before it.
 */
export function whyImpossible(state: RunState, event: RunEvent): string | null {
  if (state.ended) return "the run has ended";
  const refused = whyNotAfterRefusal(state, event);
  if (refused !== null) return refused;
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
      return whyNotOpen(state, event) ?? whyNotItsAgent(state, event) ?? whyNotMains(state, event);
    case "board_edited":
      return whyNoEdit(state, event);
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
    case "check_ended":
      return whyNoCheck(state, event);
    case "attempt_judged":
      return whyNoVerdict(state, event);
    case "step_started":
      return whyNoStep(state, event);
    case "step_marked":
      return whyNoMark(state, event);
    case "step_refused":
      return whyNoRefusal(state, event.step);
    case "steps_written":
      return wasAccepted(state) && state.settings.mode === "analyze" ? null : "there is nothing to write";
    case "live_started":
    case "input_given":
    case "input_taken_back":
    case "live_turn_ended":
    case "feedback_sent":
    case "review_dropped":
    case "reviews_set":
    case "live_ended":
      return whyNoChatEvent(state, event);
    case "base_taken":
    case "base_checked":
    case "candidate_taken":
    case "candidate_confirmed":
      return whyNoRoomEvent(state, event);
    case "question_asked":
      if (state.question) return "a question is open";
      if (isHeld(state)) return null;
      if (state.chat) return "nobody is asked in a conversation";
      if (state.board) return whyNoBoardQuestion(state);
      return lastAttempt(state)?.judged ? null : "there is nothing to ask";
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
      return unknownEvent(event);
  }
}

function whyNoMoreLoops({ board, attempts }: RunState, { maxLoops }: RunResumed): string | null {
  if (maxLoops === undefined) return null;
  return board && maxLoops > attempts.length ? null : "no iteration would be left";
}

function whyNotOpen({ openTurn }: RunState, event: { attempt: number; turn: number }): string | null {
  return openTurn?.attempt === event.attempt && openTurn.turn === event.turn ? null : "no such turn is open";
}

/** What a turn leaves is another thing in every mode. */
function whyNotItsWork({ openTurn, settings }: RunState, { product, claim }: TurnEnded): string | null {
  if (openTurn?.role !== "worker") return "the turn is another's";
  const kinds = {
    supervise: undefined,
    run: "step_work",
    analyze: "analysis",
    orchestrate: "role_report",
    chat: undefined,
  } as const;
  const fits = product?.kind === kinds[settings.mode] && (claim !== null) === (settings.mode === "supervise");
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
  return state.settings.mode === "chat" ? whyNoChatReview(state, event) : whyNoReview(state, event);
}

function whyNoTurn(state: RunState, event: TurnStarted): string | null {
  const { attempt, turn, agent, role } = event;
  if (state.openTurn) return "a turn is open";
  if (state.wait) return "the run waits";
  const { agents } = state.settings;
  const known = agents.length === 0 ? agent === null : agents.some(({ name }) => name === agent);
  if (!known) return "nobody named this agent";
  if (state.question) return "a question is open";
  if (turn !== state.turns + 1) return "turns are counted one by one";
  if (state.settings.mode === "run") return whyNoStepTurn(state, event);
  if (state.settings.mode === "orchestrate") return whyNoBoardTurn(state, event);
  if (state.settings.mode === "chat") return whyNoChatTurn(state, event);
  if (role !== "worker") return "nobody reviews here";
  const last = lastAttempt(state);
  const retry = last !== undefined && !last.turn;
  if (last?.turn && !last.judged) return "the last attempt is not judged";
  if (attempt !== (last?.index ?? 0) + (retry ? 0 : 1)) return "attempts are counted one by one";
  return attempt > state.maxLoops ? "no attempt is left" : null;
}

function whyNoCheck(state: RunState, event: CheckEnded): string | null {
  const attempt = lastAttempt(state);
  const finishes = attempt?.call?.answer.nextAgent === "FINISH";
  const stopped = atTerminal(state) && attempt?.chat?.settled === null;
  const waits = attempt?.turn != null || attempt?.index === 0 || finishes || stopped;
  if (attempt?.index !== event.attempt || !waits || attempt.judged || state.openTurn)
    return "no turn waits for tests";
  const inRoom = state.settings.room != null;
  if (inRoom !== (event.room !== undefined)) return "checks run elsewhere in this run";
  if (inRoom && !attempt.candidate) return "nobody knows which tree it was run on";
  const done = attempt.checks.filter((check) => check.phase === event.phase).length;
  const isNext = event.index === done + 1 && commandsOf(state, event.phase)[done] === event.process.command;
  return isNext ? null : "it is not the test that is next";
}

function commandsOf(state: RunState, phase: CheckPhase): readonly string[] {
  const { settings } = state;
  switch (phase) {
    case "fast":
      return settings.mode === "supervise" ? settings.testFast : [];
    case "full":
      return settings.mode === "supervise" ? settings.testFull : [];
    case "acceptance": {
      const attempt = lastAttempt(state);
      return attempt ? commandsDue(attempt) : [];
    }
    case "check":
      return settings.mode === "chat" ? settings.checks : [];
    case "unit": {
      const attempt = lastAttempt(state);
      return attempt ? unitTestsDue(state, attempt) : [];
    }
  }
}

function whyNoVerdict(state: RunState, event: AttemptJudged): string | null {
  const borne = lastAttempt(state)?.index === event.attempt && !state.openTurn ? verdictOn(state) : null;
  if (!borne) return "no attempt waits for a verdict";
  const same = borne.verdict === event.verdict && borne.reasons.join() === event.reasons.join();
  return same ? null : "the evidence does not bear the verdict";
}

function wasAccepted(state: RunState): boolean {
  return lastAttempt(state)?.judged?.verdict === "accepted";
}

function whyNoEnd(state: RunState, event: RunEnded): string | null {
  const { status, reason, exitCode } = event;
  if (exitCode !== exitCodeOfEnd(status, reason)) return "its exit code is another run's";
  const last = state.decisions.at(-1);
  const decided = last?.answer.kind;
  switch (status) {
    case "passed":
      if (state.settings.mode === "chat") return whyNotPassed(state, event);
      if (reason === "nothing_to_do") return nothingLeft(state) ? null : "steps are left";
      if (reason !== "accepted") return "its reason is another's";
      if (state.settings.mode === "run") return whyNotAllDone(state, false);
      if (state.settings.mode === "analyze" && !state.written) return "nothing was written";
      if (state.board) return isFinished(state) ? null : "MAIN did not finish, or something was red";
      return wasAccepted(state) ? null : "nothing was accepted";
    case "manually_passed":
      if (state.settings.mode === "run") return whyNotAllDone(state, true);
      return decided === "mark_pass" ? null : "nobody decided it";
    case "manually_failed":
      return decided === "mark_fail" || isStopped(last) ? null : "nobody decided it";
    case "failed":
      return null;
    default:
      return unknownEvent(status);
  }
}

function isFinished(state: RunState): boolean {
  const last = lastAttempt(state);
  return last !== undefined && hasFinished(last);
}

/** No code can make one; a journal can hold one. */
function unknownEvent(event: never): string {
  return `nobody knows ${JSON.stringify(event)}`;
}
