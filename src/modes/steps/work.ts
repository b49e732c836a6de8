import { basename } from "node:path";
import { stepsRules } from "./rules.ts";
import type { StepsSettings } from "../../core/settings.ts";
import { progressPath } from "./step-outcome.ts";
import { stepsReport } from "./steps-report.ts";
import { changedSteps } from "./changed-steps.ts";
import { markStepFile, startStep, whyNotThisStep } from "./mark-step.ts";
import { writeStepFeedback } from "./write-feedback.ts";
import type { ModeWork } from "../../engine/ports.ts";
import { stepAssignment, treeToReview, treeWithoutSteps } from "./step-assignments.ts";
import { stepsFiles } from "./steps-files.ts";

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
  assignment: (attempt, state, settings, context) =>
    stepAssignment(state.openTurn?.role ?? "worker", attempt, state, settings, context),
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
  files: (_settings, _runId, _paths, superseded) => (superseded ? {} : stepsFiles),
  report: stepsReport,
};
