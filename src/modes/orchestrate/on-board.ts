import type { OrchestrateSettings, Settings } from "../../core/settings.ts";

export function isOnBoard(settings: Settings): settings is OrchestrateSettings {
  return settings.mode === "orchestrate";
}

/** Whether a run works on the board in this directory. */
export function worksOn(boardDir: string): (run: { readonly settings: Settings }) => boolean {
  return ({ settings }) => isOnBoard(settings) && settings.boardDir === boardDir;
}
