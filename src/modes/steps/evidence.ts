import { changedNothing, changesOf } from "../../evidence/held.ts";
import { endInEvidence } from "../../evidence/verdict.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { currentStep, reviewOf, type Attempt, type RunState } from "../../core/state.ts";
import type { StepsSettings } from "../../core/settings.ts";
import { DONE } from "../../core/step.ts";
import type { StepEvidence } from "./verdict-step.ts";

/** The evidence for and against an attempt at a step; null before any work. */
export function stepEvidence(attempt: Attempt, state: RunState): StepEvidence | null {
  const { turn, checks } = attempt;
  if (!turn && attempt.index > 0) return null;
  return {
    turn: turn && { end: turn.process.end, agentFailure: turn.agent?.failure?.class ?? null },
    refused: turn?.product?.kind === "step_work" ? turn.product.refused : null,
    unitTests: { due: unitTestsDue(state, attempt).length, ends: checks.map(endInEvidence) },
    review: reviewOf(attempt),
    needsReview: !changedNothing(state, attempt),
    turnSuffices: turnSuffices(attempt, state),
  };
}

/**
 * The unit tests to run: that of the step. After changes of protected files also those of finished steps, because this step's unit test may not run
 * the changed tests.
 */
export function unitTestsDue(state: RunState, attempt: Attempt): readonly string[] {
  const own = currentStep(state)?.unitTest?.command;
  const others = changesOf(attempt).length === 0 ? [] : state.steps.filter(({ status }) => status === DONE);
  const commands = [own, ...others.map(({ unitTest }) => unitTest?.command)];
  return [...new Set(commands.filter((command) => command !== undefined))];
}

/** The person wants no verification of work on a step that a regression check re-opened. */
export function turnSuffices(attempt: Attempt, state: RunState): boolean {
  if (attempt.index === 0 || (state.settings as StepsSettings).reverify) return false;
  return state.attempts.some(({ step, index }) => step === attempt.step && index === 0);
}

/** Whether the turn at a step left something to test. */
export function turnWorked({ turn }: Attempt): boolean {
  if (!turn) return false;
  const refused = turn.product?.kind === "step_work" && turn.product.refused !== null;
  return !refused && succeeded(turn.process.end) && turn.agent?.failure == null;
}
