import { exitCodeOfEnd } from "./end.ts";
import { isUnavailable } from "./agent-turn.ts";
import type {
  AttemptJudged,
  CheckEnded,
  RunEnded,
  RunEvent,
  TurnEnded,
  TurnFailed,
  TurnStarted,
} from "./event.ts";
import { lastAttempt, type Attempt, type RunState } from "./state.ts";
import { judge, type AttemptEvidence } from "./verdict.ts";

/** What is known of an attempt whose turn has ended. */
export function evidenceOf(attempt: Attempt, { settings }: RunState): AttemptEvidence | undefined {
  if (!attempt.turn) return undefined;
  return {
    turnEnd: attempt.turn.process.end,
    claim: attempt.turn.claim,
    agentFailure: attempt.turn.agent?.failure?.class ?? null,
    checks: attempt.checks.map((check) => ({ phase: check.phase, end: check.process.end })),
    fastTests: settings.testFast.length,
    fullTests: settings.testFull.length,
  };
}

/**
 * Why an event cannot follow a state, or null. The engine never makes such an event; a journal that somebody wrote by hand,
 * checksums and all, may hold one. Above all an acceptance must be the verdict on the evidence recorded before it.
 */
export function whyImpossible(state: RunState, event: RunEvent): string | null {
  if (state.ended) return "the run has ended";
  switch (event.type) {
    case "run_started":
      return "the run has started already";
    case "turn_started":
      return whyNoTurn(state, event);
    case "turn_ended":
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
    case "question_asked":
      return state.question || !lastAttempt(state)?.judged ? "there is nothing to ask" : null;
    case "question_answered":
      return state.question?.id === event.id ? null : "no such question is open";
    case "run_ended":
      return whyNoEnd(state, event);
    case "run_resumed":
    case "run_stopped":
    case "answer_refused":
      return null;
    default:
      return unknownEvent(event);
  }
}

function whyNotOpen({ openTurn }: RunState, event: { attempt: number; turn: number }): string | null {
  return openTurn?.attempt === event.attempt && openTurn.turn === event.turn ? null : "no such turn is open";
}

/** An agent that was not available has not worked, and the other way round. */
function whyNotItsAgent({ openTurn, settings }: RunState, event: TurnEnded | TurnFailed): string | null {
  const { agent } = event;
  if (settings.agents.length > 0 && agent?.name !== openTurn?.agent) return "it is another agent's turn";
  const unavailable = agent?.failure ? isUnavailable(agent.failure.class) : false;
  return unavailable === (event.type === "turn_failed") ? null : "its end is not of this kind";
}

function whyNoTurn(state: RunState, { attempt, turn, agent }: TurnStarted): string | null {
  if (state.openTurn) return "a turn is open";
  if (state.wait) return "the run waits";
  const { agents } = state.settings;
  const known = agents.length === 0 ? agent === null : agents.some(({ name }) => name === agent);
  if (!known) return "nobody named this agent";
  if (state.question) return "a question is open";
  const last = lastAttempt(state);
  const retry = last !== undefined && !last.turn;
  if (last?.turn && !last.judged) return "the last attempt is not judged";
  if (attempt !== (last?.index ?? 0) + (retry ? 0 : 1)) return "attempts are counted one by one";
  if (turn !== state.turns + 1) return "turns are counted one by one";
  return attempt > state.maxLoops ? "no attempt is left" : null;
}

function whyNoCheck(state: RunState, event: CheckEnded): string | null {
  const attempt = lastAttempt(state);
  if (attempt?.index !== event.attempt || !attempt.turn || attempt.judged) return "no turn waits for tests";
  const done = attempt.checks.filter((check) => check.phase === event.phase).length;
  const given = event.phase === "fast" ? state.settings.testFast : state.settings.testFull;
  return event.index === done + 1 && done < given.length ? null : "it is not the test that is next";
}

function whyNoVerdict(state: RunState, event: AttemptJudged): string | null {
  const attempt = lastAttempt(state);
  const evidence =
    attempt?.index === event.attempt && !attempt.judged ? evidenceOf(attempt, state) : undefined;
  if (!evidence) return "no attempt waits for a verdict";
  const { verdict, reasons } = judge(evidence);
  const same = verdict === event.verdict && reasons.join() === event.reasons.join();
  return same ? null : "the evidence does not bear the verdict";
}

function whyNoEnd(state: RunState, { status, reason, exitCode }: RunEnded): string | null {
  if (exitCode !== exitCodeOfEnd(status, reason)) return "its exit code is another run's";
  const accepted = lastAttempt(state)?.judged?.verdict === "accepted";
  const decided = state.decisions.at(-1)?.answer.kind;
  switch (status) {
    case "passed":
      return accepted ? null : "nothing was accepted";
    case "manually_passed":
      return decided === "mark_pass" ? null : "nobody decided it";
    case "manually_failed":
      return decided === "mark_fail" ? null : "nobody decided it";
    case "failed":
      return null;
    default:
      return unknownEvent(status);
  }
}

/** No code can make one; a journal can hold one. */
function unknownEvent(event: never): string {
  return `nobody knows ${JSON.stringify(event)}`;
}
