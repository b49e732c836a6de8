import type { Settings } from "../domain/settings.ts";
import { AnalyzeFiles } from "../engine/analyze-files.ts";
import { BoardFiles } from "../engine/board-files.ts";
import { ChatFiles } from "../engine/chat-files.ts";
import type { RunFiles } from "../engine/files.ts";
import { StepsFiles } from "../engine/steps-files.ts";
import { SuperviseFiles } from "../engine/supervise-files.ts";
import type { RunPaths } from "../journal/run-store.ts";

/** The files that a run of this mode leaves. */
export function filesOf(settings: Settings, runId: string, paths: RunPaths, superseded = false): RunFiles {
  switch (settings.mode) {
    case "supervise":
      return new SuperviseFiles(settings.calledFrom, runId, paths);
    case "run":
      return new StepsFiles(paths, superseded);
    case "analyze":
      return new AnalyzeFiles(paths);
    case "orchestrate":
      return new BoardFiles(paths, settings);
    case "chat":
      return new ChatFiles(paths);
  }
}
