import { checkPassed } from "../../evidence/verdict.ts";
import type { Decision } from "../../core/decision.ts";
import type { EndReason } from "../../core/event.ts";
import { turnSuffices, turnWorked, unitTestsDue } from "./evidence.ts";
import { changedNothing } from "../../evidence/held.ts";
import type { StepsSettings } from "../../core/settings.ts";
import {
  attemptsAt,
  currentStep,
  reviewOf,
  type Attempt,
  type RunState,
  type StepState,
} from "../../core/state.ts";
import { DOING, DONE, TODO, type StepStatus } from "../../core/step.ts";
import { sameUnitTest } from "./same-step.ts";
import { faultsInARow, MAX_FAULTS_IN_A_ROW } from "./verdict-step.ts";
import { isFinished, nextStepAfter, nothingLeft } from "./steps-left.ts";
import { end } from "../../core/end.ts";
import { nextTurn } from "../../core/next-agent.ts";
import { whenStuck, workersInTurn } from "../when-stuck.ts";

/**
 * The `run` mode: one step after the other, each with a limited number of attempts of work, test and review. A step's file says "under way" until all
 * its evidence is in.
 */
export function nextStep(state: RunState, settings: StepsSettings): Decision {
  const current = currentStep(state);
  if (!current || state.step === null || isFinished(state, state.step)) return turnToNext(state);
  if (current.refused) return end("failed", REFUSALS[current.refused.why]);
  const attempt = attemptsAt(state, state.step).at(-1);
  const mark = (status: StepStatus, unitTest = current.unitTest): Decision => ({
    do: "mark_step",
    step: state.step ?? 0,
    status,
    unitTest,
  });
  if (!attempt) return mark(DOING);
  if (!attempt.judged) return withinAttempt(state, settings, current, attempt, mark);
  if (attempt.judged.verdict === "accepted" || current.markedDone) return mark(DONE);
  if (current.status !== TODO) return mark(TODO);
  return afterRejection(state, settings, attempt) ?? mark(DOING);
}

const REFUSALS: Readonly<Record<"changed" | "invalid" | "write_failed", EndReason>> = {
  changed: "step_file_changed",
  invalid: "step_file_invalid",
  write_failed: "step_write_failed",
};

function turnToNext(state: RunState): Decision {
  const step = nextStepAfter(state, state.step);
  if (step !== null) return { do: "start_step", step, regression: state.steps[step - 1]?.status === DONE };
  if (state.step === null) return end(nothingLeft(state) ? "passed" : "failed", "nothing_to_do");
  return state.steps.some(({ markedDone }) => markedDone)
    ? end("manually_passed", "marked_by_person")
    : end("passed", "accepted");
}

function withinAttempt(
  state: RunState,
  settings: StepsSettings,
  current: StepState,
  attempt: Attempt,
  mark: (status: StepStatus, unitTest: StepState["unitTest"]) => Decision,
): Decision {
  const { index, turn, checks } = attempt;
  const judge: Decision = { do: "judge", attempt: index };
  if (index > 0) {
    if (!turn)
      return nextTurn(state, {
        role: "worker",
        attempt: index,
        names: workersInTurn(state, { onStuck: settings.onStuck, names: settings.workers }),
      });
    if (!turnWorked(attempt)) return judge;
    const named = turn.product?.kind === "step_work" ? turn.product.unitTest : null;
    if (named && !sameUnitTest(named, current.unitTest)) return mark(DOING, named);
    if (turnSuffices(attempt, state)) return judge;
  }
  if (!checks.every(checkPassed)) return judge;
  // Comes before the checks, so that no tests run for a tree that changed during the last verification.
  if (faultsInARow(attempt) >= MAX_FAULTS_IN_A_ROW) return { do: "stop", by: "no_verdict" };
  const command = unitTestsDue(state, attempt)[checks.length];
  if (command !== undefined)
    return { do: "run_check", attempt: index, phase: "unit", index: checks.length + 1, command };
  if (reviewOf(attempt) || changedNothing(state, attempt)) return judge;
  return nextTurn(state, { role: "reviewer", attempt: index, names: reviewers(settings, attempt) });
}

/** Null: make another attempt. */
function afterRejection(state: RunState, settings: StepsSettings, attempt: Attempt): Decision | null {
  if (state.decisions.at(-1)?.answer.kind === "mark_fail") return end("manually_failed", "marked_by_person");
  const stuck = whenStuck(state, { onStuck: settings.onStuck, names: settings.workers });
  if (stuck) return stuck;
  if (attempt.index < state.maxLoops) return null;
  return state.interactive ? { do: "ask" } : end("failed", "limit_reached");
}

/** Prefer an agent that did not do the work, and among those one with fewer faults. */
function reviewers(
  { verifiers, workers: names }: StepsSettings,
  { turn, faultyReviews }: Attempt,
): readonly string[] {
  const all = verifiers.length > 0 ? verifiers : names;
  const worker = turn?.agent?.name;
  const faultsOf = (name: string): number => faultyReviews.filter(({ agent }) => agent.name === name).length;
  const others = all.filter((name) => name !== worker).toSorted((a, b) => faultsOf(a) - faultsOf(b));
  return [...others, ...all.filter((name) => name === worker)];
}
