import type { AnalyzeSettings } from "../../core/settings.ts";
import { visible } from "../../text/text.ts";
import { analyzeAttemptReport } from "./analyze-report.ts";
import { analyzeHistory, recordedAnalysis } from "./analyze-history.ts";
import type { ModeView } from "../../ui/mode-view.ts";
import { analyzeCommand, runWrittenCommand } from "./run-steps-command.ts";
import { analyzeEnd, analyzeImpasse, analyzeInterrupted } from "./summary-analyze.ts";
import { stepTerms } from "./words/terminal.ts";
import { labelled } from "../../ui/summary-parts.ts";
import { agentNames } from "../../ui/wording.ts";
import { COMMON } from "../../ui/common-view.ts";

export const analyzeView: ModeView<AnalyzeSettings> = {
  ...COMMON,
  describe: (event, scene, texts) => (scene.kept ? recordedAnalysis : analyzeHistory)(event, scene, texts),
  ended: analyzeEnd,
  interrupted: analyzeInterrupted,
  impasse: analyzeImpasse,
  about: ({ settings }, { label }, { lang }) => [
    labelled(label.agent, agentNames(settings)),
    labelled(stepTerms[lang].label.requirements, visible(settings.requirements.path)),
  ],
  startAgain: ({ settings }, here) => analyzeCommand(settings, here),
  next: ({ settings, written }, here) => {
    if (settings.dryRun) return analyzeCommand(settings, here);
    return written && runWrittenCommand(settings, written.dir, here);
  },
  unfinished: ({ attempts, settings }) => ({
    attempts: attempts.flatMap((attempt) => analyzeAttemptReport(attempt, settings) ?? []),
  }),
};
