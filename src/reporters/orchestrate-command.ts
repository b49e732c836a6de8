import { join } from "node:path";
import type { OrchestrateSettings } from "../domain/settings.ts";
import { visible } from "../domain/text.ts";
import { shellWord } from "../reports/shell-command.ts";
import { nearPath } from "./near-path.ts";
import { repeatedFlags } from "./repeated-flags.ts";

/** In the work directory, where no other is named. */
export const DEFAULT_BOARD = "blackboard";

/** Starts a new run that goes on with the board, typed in the directory `here`; `without`: a flag that is given another value. */
export function orchestrateCommand(settings: OrchestrateSettings, here: string, without?: string): string {
  const { cwd, boardDir } = settings;
  const flags = [
    ...repeatedFlags(settings, here, (flag) => flag !== "--board" && flag !== without),
    ...(boardDir === join(cwd, DEFAULT_BOARD) ? [] : ["--board", shellWord(nearPath(boardDir, here))]),
  ];
  return visible(["agent-foreman orchestrate", ...flags].join(" "));
}
