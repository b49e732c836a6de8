import { analyzeRules } from "./analyze-rules.ts";
import type { AnalyzeSettings } from "../../core/settings.ts";
import { analyzeReport } from "./analyze-report.ts";
import { analyzeAssignment, wholeTree } from "./analyze-assignment.ts";
import { writeAnalysisFeedback } from "./write-feedback.ts";
import type { ModeWork } from "../../engine/ports.ts";
import { writeSteps } from "./write-steps.ts";

export const analyzeWork: ModeWork<AnalyzeSettings> = {
  rules: analyzeRules,
  restrictsWorker: true,
  forksReview: false,
  inputFiles: ({ requirements }) => [requirements.path],
  treeBefore: (_role, _state, _settings, { tree }) => wholeTree(tree.snapshot()),
  assignment: analyzeAssignment,
  async perform(decision, state, context) {
    if (decision.do !== "write_steps") throw new Error(`an analysis cannot ${decision.do}`);
    return writeSteps(state, context);
  },
  feedback: writeAnalysisFeedback,
  report: analyzeReport,
};
