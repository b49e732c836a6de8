import { unitTestsDue } from "./evidence.ts";
import { checkPassed } from "../../evidence/verdict.ts";
import type { ReviewEnded, RunEvent, StepMarked, StepStarted, TurnStarted } from "../../core/event.ts";
import type { StepsSettings } from "../../core/settings.ts";
import {
  attemptsAt,
  currentStep,
  lastAttempt,
  reviewOf,
  type Attempt,
  type RunState,
} from "../../core/state.ts";
import { DOING, DONE, TODO, type UnitTest } from "../../core/step.ts";
import { sameUnitTest } from "./same-step.ts";
import { isChosen, isFinished, nextStepAfter } from "./steps-left.ts";

/** Why the run cannot turn to this step now. */
export function whyNoStep(state: RunState, { step, regression }: StepStarted): string | null {
  if (state.openTurn || state.wait || state.question) return "something else is open";
  if (state.step !== null && !isFinished(state, state.step)) return "the step before is not finished";
  if (step !== nextStepAfter(state, state.step)) return "it is not the next step";
  return regression === (state.steps[step - 1]?.status === DONE) ? null : "its file has another status";
}

/** A step is done only by an accepted attempt or by a person's decision. */
export function whyNoMark(state: RunState, { step, status, unitTest }: StepMarked): string | null {
  const current = currentStep(state);
  if (!current || state.step !== step) return "the run is at another step";
  if (state.openTurn) return "a turn is open";
  const last = attemptsAt(state, step).at(-1);
  const isNamed =
    current.step.unitTest === null && unitTest !== null && sameUnitTest(unitTest, namedIn(last));
  if (!sameUnitTest(unitTest, current.unitTest) && !isNamed) return "the agent did not name this test";
  switch (status) {
    case DOING:
      if (last?.judged?.verdict === "accepted") return "an attempt was accepted";
      return last && last.judged !== null && last.index >= state.maxLoops ? "no attempt is left" : null;
    case TODO:
      return last?.judged?.verdict === "rejected" ? null : "no attempt was rejected";
    case DONE:
      return last?.judged?.verdict === "accepted" || current.markedDone ? null : "nothing was accepted";
  }
}

function namedIn(attempt: Attempt | undefined): UnitTest | null {
  const product = attempt?.turn?.product;
  return product?.kind === "step_work" ? product.unitTest : null;
}

/** Rejects work or a verification out of turn. */
export function whyNoStepTurn(state: RunState, { attempt, role, agent }: TurnStarted): string | null {
  const last = lastAttempt(state);
  if (last?.step !== state.step || last?.index !== attempt || last.judged) return "no attempt is open";
  const settings = state.settings as StepsSettings;
  if (role === "worker") {
    if (!settings.workers.includes(agent ?? "")) return "this agent does not work here";
    return last.turn === null && last.index > 0 ? null : "the work of this attempt is done";
  }
  const reviewers = settings.verifiers.length > 0 ? settings.verifiers : settings.workers;
  if (!reviewers.includes(agent ?? "")) return "this agent does not review here";
  if (reviewOf(last) || (last.turn === null && last.index > 0)) return "there is nothing to review";
  const tested = last.checks.every(checkPassed);
  return tested && last.checks.length === unitTestsDue(state, last).length ? null : "its test has not passed";
}

/** A review has a result for every item, or a problem. */
export function whyNoReview(state: RunState, { items, problem }: ReviewEnded): string | null {
  if (state.openTurn?.role !== "reviewer") return "the role is wrong";
  const listed = currentStep(state)?.step.verification.length ?? 0;
  const wanted = problem === null ? Math.max(1, listed) : 0;
  return items.length === wanted ? null : "it is about another list";
}

/** A refused step ends the run. */
export function whyNotAfterRefusal(state: RunState, event: RunEvent): string | null {
  if (!state.steps.some(({ refused }) => refused !== null)) return null;
  switch (event.type) {
    case "run_resumed":
    case "run_stopped":
    case "answer_refused":
      return null;
    case "run_ended":
      return event.status === "failed" ? null : "a step was refused";
    default:
      return "a step was refused";
  }
}

/** A refusal is about the current step or the one that the run turns to. */
export function whyNoRefusal(state: RunState, step: number): string | null {
  if (step === state.step) return null;
  const finished = state.step === null || isFinished(state, state.step);
  return finished && step === nextStepAfter(state, state.step) ? null : "the run is at another step";
}

/** All chosen steps are done by evidence; where `marked`, at least one of them by a person's decision. */
export function whyNotAllDone(state: RunState, marked: boolean): string | null {
  if (state.step !== null && !isFinished(state, state.step)) return "a step is under way";
  const isLeft = state.steps.some(({ status }, index) => isChosen(state, index + 1) && status !== DONE);
  if (isLeft || nextStepAfter(state, state.step) !== null) return "steps are left";
  if (state.step === null) return "no step was taken";
  return state.steps.some(({ markedDone }) => markedDone) === marked
    ? null
    : "the status does not fit the steps";
}
