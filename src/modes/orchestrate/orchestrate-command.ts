import { join } from "node:path";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { visible } from "../../text/text.ts";
import { shellWord } from "../../text/shell-quote.ts";
import { nearPath } from "../../ui/near-path.ts";
import { repeatedFlags } from "../../ui/repeated-flags.ts";

/** Used within the work directory if no other is named. */
export const DEFAULT_BOARD = "blackboard";

/** Starts a new run that continues on the board, typed in the directory `here`; `without`: a flag that gets another value. */
export function orchestrateCommand(settings: OrchestrateSettings, here: string, without?: string): string {
  const { cwd, boardDir } = settings;
  const flags = [
    ...repeatedFlags(settings, here, (flag) => flag !== "--board" && flag !== without),
    ...(boardDir === join(cwd, DEFAULT_BOARD) ? [] : ["--board", shellWord(nearPath(boardDir, here))]),
  ];
  return visible(["agent-foreman orchestrate", ...flags].join(" "));
}
