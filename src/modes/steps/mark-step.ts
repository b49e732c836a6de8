import { join } from "node:path";
import type { Decision } from "../../core/decision.ts";
import type { RunEvent, StepRefused } from "../../core/event.ts";
import type { RunState, StepState } from "../../core/state.ts";
import { lookAt, markStep, type Known, type Look, type MarkResult } from "./disk/write-step.ts";
import { stepProblemText } from "./words/step-problems.ts";

/** Turns to a step if its file still matches the start of the run. */
export function startStep({ step, regression }: Decision & { do: "start_step" }, state: RunState): RunEvent {
  return whyNotThisStep({ ...state, step }) ?? { type: "step_started", step, regression };
}

/** Writes a step's file, unless it holds another step by now. */
export function markStepFile(
  { step, status, unitTest }: Decision & { do: "mark_step" },
  state: RunState,
): RunEvent {
  const { path, known } = fileOf(step, state);
  const result = markStep(path, known, { status, unitTest });
  if (result.kind !== "marked") return refused(step, result, state);
  return { type: "step_marked", step, status, unitTest, sha256: result.sha256, edited: result.edited };
}

/** Why the step is not worth paid work in its current form; null: go on. */
export function whyNotThisStep(state: RunState): StepRefused | null {
  if (state.step === null) return null;
  const { path, known } = fileOf(state.step, state);
  const seen = lookAt(path, known);
  return seen.kind === "same" || seen.kind === "edited" ? null : refused(state.step, seen, state);
}

function fileOf(
  step: number,
  { settings, steps }: RunState,
): { readonly path: string; readonly known: Known } {
  const current = steps[step - 1];
  if (settings.mode !== "run" || !current) throw new Error(`there is no step ${step}`);
  return { path: join(settings.stepsDir, current.step.file), known: knownOf(current) };
}

function knownOf({ step, status, unitTest, sha256 }: StepState): Known {
  return { sha256, step: { ...step, status, unitTest } };
}

type Refusal = Exclude<Look | MarkResult, { kind: "same" | "edited" | "marked" }>;

function refused(step: number, refusal: Refusal, { settings }: RunState): StepRefused {
  switch (refusal.kind) {
    case "changed":
      return { type: "step_refused", step, why: "changed", message: refusal.fields.join(", ") };
    case "invalid": {
      const message = refusal.problems.map((problem) => stepProblemText(problem, settings.lang)).join("; ");
      return { type: "step_refused", step, why: "invalid", message };
    }
    case "failed":
      return { type: "step_refused", step, why: "write_failed", message: refusal.why };
  }
}
