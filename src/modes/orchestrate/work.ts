import { ownPaths } from "./disk/names.ts";
import { orchestrateRules } from "./rules.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { boardReport } from "./board-report.ts";
import { BoardFiles } from "./board-files.ts";
import { changedTests, treeDigests } from "./board-tree.ts";
import { mainAssignment } from "./main-assignment.ts";
import { writeIterationReport } from "./iteration-report.ts";
import type { ModeWork } from "../../engine/ports.ts";
import { roleAssignment } from "./role-assignment.ts";

export const orchestrateWork: ModeWork<OrchestrateSettings> = {
  rules: orchestrateRules,
  restrictsWorker: true,
  forksReview: false,
  inputFiles: ({ boardDir }) => [boardDir],
  ownPaths: ({ boardDir }) => ownPaths(boardDir),
  treeBefore: (_role, state, _settings, context) => treeDigests(state, context),
  assignment: (attempt, state, settings, context) =>
    state.openTurn?.role === "main"
      ? mainAssignment(attempt, state, settings, context)
      : roleAssignment(attempt, state, settings, context),
  feedback: writeIterationReport,
  afterChecks: (state, context) => ({ changedByChecks: changedTests(state, context) }),
  files: (settings, _, paths) => new BoardFiles(paths, settings),
  report: boardReport,
};
