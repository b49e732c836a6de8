import type { AnalyzeSettings, StepsSettings } from "../../core/settings.ts";
import { excerptsOf } from "../../engine/feedback.ts";
import type { WriteFeedback } from "../../engine/ports.ts";
import { analysisFeedback } from "./analysis-feedback.ts";
import { stepFeedback } from "./step-feedback.ts";

export const writeStepFeedback: WriteFeedback = (state, attempt, verdict, safe) => {
  const settings = state.settings as StepsSettings;
  return stepFeedback({ state, settings, attempt, verdict, excerpts: excerptsOf(attempt, safe) });
};

export const writeAnalysisFeedback: WriteFeedback = ({ settings }, attempt, verdict) =>
  analysisFeedback(settings as AnalyzeSettings, attempt, verdict);
