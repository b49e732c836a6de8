import { basename, join } from "node:path";
import { stepsRules } from "./rules.ts";
import type { StepsSettings } from "../../core/settings.ts";
import { progressPath } from "./step-outcome.ts";
import { stepsReport } from "./steps-report.ts";
import { writeStepFeedback } from "./step-feedback.ts";
import type { ModeWork, RunContext } from "../../engine/ports.ts";
import { stepAssignment, treeToReview, treeWithoutSteps } from "./step-assignments.ts";
import { stepsFiles } from "./steps-files.ts";
import type { Decision } from "../../core/decision.ts";
import type { RunEvent, StepRefused } from "../../core/event.ts";
import type { RunState, StepState } from "../../core/state.ts";
import { lookAt, markStep, type Known, type Look, type MarkResult } from "./disk/write-step.ts";
import { stepProblemText } from "./words/step-problems.ts";
import { looksLikeStep } from "./read-step.ts";
import { atMost } from "../../engine/tree-change.ts";
import { namesIn } from "../../platform/files/names-in.ts";

export const stepsWork: ModeWork<StepsSettings> = {
  rules: stepsRules,
  restrictsWorker: false,
  forksReview: false,
  inputFiles: ({ stepsDir }) => [stepsDir],
  ownFiles: (settings) => ({
    folder: settings.stepsDir,
    names: [...settings.steps.map(({ file }) => file), basename(progressPath(settings))],
  }),
  changedInputs: changedSteps,
  refuseTurn: whyNotThisStep,
  treeBefore: (role, _, settings, context) =>
    role === "worker" ? treeWithoutSteps(settings, context) : treeToReview(settings, context.tree.snapshot()),
  assignment: stepAssignment,
  async perform(decision, state) {
    switch (decision.do) {
      case "start_step":
        return startStep(decision, state);
      case "mark_step":
        return markStepFile(decision, state);
      default:
        throw new Error(`a run of steps cannot ${decision.do}`);
    }
  },
  feedback: writeStepFeedback,
  // A later run that has worked on the steps owns their files now.
  files: (settings, _runId, _paths, superseded) => (superseded ? {} : stepsFiles(settings)),
  report: stepsReport,
};

/** Turns to a step if its file still matches the start of the run. */
function startStep({ step, regression }: Decision & { do: "start_step" }, state: RunState): RunEvent {
  return whyNotThisStep({ ...state, step }) ?? { type: "step_started", step, regression };
}

/** Writes a step's file, unless it holds another step by now. */
function markStepFile({ step, status, unitTest }: Decision & { do: "mark_step" }, state: RunState): RunEvent {
  const { path, known } = fileOf(step, state);
  const result = markStep(path, known, { status, unitTest });
  if (result.kind !== "marked") return refused(step, result, state);
  return { type: "step_marked", step, status, unitTest, sha256: result.sha256, edited: result.edited };
}

/** Why the step is not worth paid work in its current form; null: go on. */
function whyNotThisStep(state: RunState): StepRefused | null {
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

const MAX_REPORTED = 50;

/** Step files that others changed or added. They are reported at once, and checked again when their turn comes. */
function changedSteps(
  { steps }: RunState,
  { stepsDir }: StepsSettings,
  { digests }: RunContext,
): readonly string[] {
  const known = new Set(steps.map(({ step }) => step.file));
  const changed = steps.filter(({ step, sha256 }) => digests.of(join(stepsDir, step.file)) !== sha256);
  const added = namesIn(stepsDir).filter((name) => looksLikeStep(name) && !known.has(name));
  const names = [...changed.map(({ step }) => step.file), ...added];
  return atMost(
    MAX_REPORTED,
    names.map((name) => join(stepsDir, name)),
  );
}
