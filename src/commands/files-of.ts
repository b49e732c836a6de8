import type { Settings } from "../domain/settings.ts";
import { BoardFiles } from "../engine/board-files.ts";
import type { RunFiles } from "../engine/files.ts";
import { ReportOnly } from "../engine/report-only.ts";
import { StepsFiles } from "../engine/steps-files.ts";
import { SuperviseFiles } from "../engine/supervise-files.ts";
import type { RunPaths } from "../journal/run-store.ts";
import { analyzeReport } from "../reports/analyze-report.ts";
import { chatReport } from "../reports/chat-report.ts";

/** The files that a run of this mode leaves. */
export function filesOf(settings: Settings, runId: string, paths: RunPaths, superseded = false): RunFiles {
  switch (settings.mode) {
    case "supervise":
      return new SuperviseFiles(settings.calledFrom, runId, paths);
    case "run":
      return new StepsFiles(paths, superseded);
    case "analyze":
      return new ReportOnly(paths.reserve, (state) => analyzeReport(state, settings, paths.journal));
    case "orchestrate":
      return new BoardFiles(paths, settings);
    case "chat":
      return new ReportOnly(paths.reserve, (state) => chatReport(state, settings, paths.journal));
  }
}
