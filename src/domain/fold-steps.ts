import type { RunState, StepState } from "./state.ts";
import type { Step } from "./step.ts";

export function untouched(step: Step): StepState {
  const { status, unitTest, sha256 } = step;
  return { step, status, unitTest, sha256, edited: false, refused: null, markedDone: false };
}

export function withStep(
  state: RunState,
  step: number | null,
  change: (before: StepState) => Partial<StepState>,
): RunState {
  return {
    ...state,
    steps: state.steps.map((each, index) => (index + 1 === step ? { ...each, ...change(each) } : each)),
  };
}

/** Also of steps that the run never comes to: an agent may have marked them as done, and the next run would believe it. */
export function withEdits(state: RunState, changed: readonly string[]): RunState {
  const { settings, steps } = state;
  if (settings.mode !== "run" || changed.length === 0) return state;
  const { length } = settings.stepsDir;
  const names = new Set(
    changed.map((path) => (path.startsWith(settings.stepsDir) ? path.slice(length + 1) : "")),
  );
  const isChanged = ({ step }: StepState): boolean => names.has(step.file);
  return { ...state, steps: steps.map((each) => (isChanged(each) ? { ...each, edited: true } : each)) };
}
