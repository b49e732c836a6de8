import { join } from "node:path";
import type { OrchestrateSettings } from "../domain/settings.ts";
import { visible } from "../domain/text.ts";
import { shellWord } from "../reports/shell-command.ts";
import { nearPath } from "./near-path.ts";

/** In the work directory, where no other is named. */
export const DEFAULT_BOARD = "blackboard";

/** Starts a new run that goes on with the board, typed in the directory `here`. */
export function orchestrateCommand({ cwd, boardDir }: OrchestrateSettings, here: string): string {
  const flags = [
    ...(cwd === here ? [] : ["--cwd", shellWord(nearPath(cwd, here))]),
    ...(boardDir === join(cwd, DEFAULT_BOARD) ? [] : ["--board", shellWord(nearPath(boardDir, here))]),
  ];
  return visible(["agent-foreman orchestrate", ...flags].join(" "));
}
