import { attemptsAt, type Attempt, type RunState, type StepState } from "../../core/state.ts";
import type { Settings, StepsSettings } from "../../core/settings.ts";
import { DONE, type Step } from "../../core/step.ts";

/** Whether a step that was begun has been accepted or marked as done. */
export function isFinished(state: RunState, step: number): boolean {
  const current = state.steps[step - 1];
  return current !== undefined && isDone(current, attemptsAt(state, step));
}

/** The same for callers that already have the attempts at the step, because finding them means a scan of all attempts. */
export function isDone({ status, markedDone }: StepState, attempts: readonly Attempt[]): boolean {
  return status === DONE && (markedDone || attempts.at(-1)?.judged?.verdict === "accepted");
}

/** Whether a person's decision, of this run or an earlier one, is the last word on a step, without later evidence. */
export function isMarkedByPerson(
  { status, markedDone }: StepState,
  number: number,
  attempts: readonly Attempt[],
  { markedBefore }: Pick<StepsSettings, "markedBefore">,
): boolean {
  if (status !== DONE || attempts.at(-1)?.judged?.verdict === "accepted") return false;
  return markedDone || markedBefore.includes(number);
}

export function hasSteps(settings: Settings): settings is StepsSettings {
  return settings.mode === "run";
}

export function isChosen({ settings }: RunState, step: number): boolean {
  return hasSteps(settings) && (settings.chosen === null || settings.chosen.includes(step));
}

/** Whether a run takes a step: finished ones only to test them again. */
export function isTaken(
  { status }: Pick<Step, "status">,
  number: number,
  { chosen, fullVerify }: Pick<StepsSettings, "chosen" | "fullVerify">,
): boolean {
  return (fullVerify || status !== DONE) && (chosen === null || chosen.includes(number));
}

/** The step after this one (null: the first), or null: none is left. */
export function nextStepAfter(state: RunState, after: number | null): number | null {
  const { settings, steps } = state;
  if (!hasSteps(settings)) return null;
  for (let next = (after ?? 0) + 1; next <= steps.length; next++) {
    const step = steps[next - 1];
    if (step && isTaken(step, next, settings)) return next;
  }
  return null;
}

/** Whether every step of the directory was done before the run took one. */
export function nothingLeft(state: RunState): boolean {
  return (
    hasSteps(state.settings) && state.step === null && state.steps.every(({ status }) => status === DONE)
  );
}
