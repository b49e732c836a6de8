import { attemptsAt, type Attempt, type RunState, type StepState } from "./state.ts";
import type { StepsSettings } from "./settings.ts";
import { DONE, type Step } from "./step.ts";

/** Whether a step that was begun has come to its good end. */
export function isFinished(state: RunState, step: number): boolean {
  const current = state.steps[step - 1];
  return current !== undefined && isDone(current, attemptsAt(state, step));
}

/** The same for whoever has the attempts at the step at hand: to look for them takes as long as there are attempts at all. */
export function isDone({ status, markedDone }: StepState, attempts: readonly Attempt[]): boolean {
  return status === DONE && (markedDone || attempts.at(-1)?.judged?.verdict === "accepted");
}

/** Whether a person's word stands for a step, given in this run or an earlier one, and no evidence since. */
export function isMarkedByPerson(
  { status, markedDone }: StepState,
  number: number,
  attempts: readonly Attempt[],
  { markedBefore }: Pick<StepsSettings, "markedBefore">,
): boolean {
  if (status !== DONE || attempts.at(-1)?.judged?.verdict === "accepted") return false;
  return markedDone || markedBefore.includes(number);
}

export function isChosen({ settings }: RunState, step: number): boolean {
  return settings.mode === "run" && (settings.chosen === null || settings.chosen.includes(step));
}

/** Whether a run takes a step: done ones only to test them again. */
export function isTaken(
  { status }: Pick<Step, "status">,
  number: number,
  { chosen, fullVerify }: Pick<StepsSettings, "chosen" | "fullVerify">,
): boolean {
  return (fullVerify || status !== DONE) && (chosen === null || chosen.includes(number));
}

/** Which step is to be taken after this one (null: at the beginning), or null: none is left. */
export function nextStepAfter(state: RunState, after: number | null): number | null {
  const { settings, steps } = state;
  if (settings.mode !== "run") return null;
  for (let next = (after ?? 0) + 1; next <= steps.length; next++) {
    const step = steps[next - 1];
    if (step && isTaken(step, next, settings)) return next;
  }
  return null;
}

/** Whether every step of the directory was done before the run took one. */
export function nothingLeft(state: RunState): boolean {
  return (
    state.settings.mode === "run" && state.step === null && state.steps.every(({ status }) => status === DONE)
  );
}
