import { superviseRules } from "./rules.ts";
import type { SuperviseSettings } from "../../core/settings.ts";
import { superviseReport } from "./report.ts";
import { writeSuperviseFeedback } from "./feedback.ts";
import type { ModeWork } from "../../engine/ports.ts";
import { takeCommandTurn } from "./command-turn.ts";
import { superviseAssignment } from "./assignment.ts";
import { SuperviseFiles, superviseRunDir } from "./files.ts";

export const superviseWork: ModeWork<SuperviseSettings> = {
  rules: superviseRules,
  restrictsWorker: false,
  forksReview: false,
  inputFiles: ({ planFile }) => [planFile],
  treeBefore: () => null,
  assignment: superviseAssignment,
  takeCommandTurn,
  feedback: writeSuperviseFeedback,
  files: (settings, runId) => new SuperviseFiles(settings, runId),
  report: (state, settings, journal) =>
    superviseReport(state, settings, { runDir: superviseRunDir(settings.calledFrom, state.runId), journal }),
  runDir: ({ calledFrom }, runId) => superviseRunDir(calledFrom, runId),
};
