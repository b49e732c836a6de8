import type { SuperviseSettings } from "../../core/settings.ts";
import { excerptsOf } from "../../engine/feedback.ts";
import type { WriteFeedback } from "../../engine/ports.ts";
import { feedbackMarkdown } from "../feedback.ts";

export const writeSuperviseFeedback: WriteFeedback = (state, attempt, verdict, safe) => {
  const settings = state.settings as SuperviseSettings;
  return feedbackMarkdown({ state, settings, attempt, verdict, excerpts: excerptsOf(attempt, safe) });
};
