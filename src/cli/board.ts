import { loadConfig } from "./config/load.ts";
import { usageTexts } from "./words/usage.ts";
import { boardCheck } from "./board-check.ts";
import { boardInit } from "./board-init.ts";
import { BOARD_COMMAND, type BoardFlags } from "./board-place.ts";
import { boardShow } from "./board-show.ts";
import { inLanguage } from "./in-language.ts";
import type { Io } from "./io.ts";
import { boardDirFrom } from "./read-board.ts";
import { redactorFor } from "./redactor.ts";
import { usage, workDir } from "./run-flags.ts";

export type BoardAction = "show" | "check" | "init";

/** `board init|show|check`: creates a board, prints its state, or lists its problems. */
export async function board(action: BoardAction, flags: BoardFlags, io: Io): Promise<number> {
  refuseIdleFlags(action, flags, io);
  const cwd = workDir(flags, BOARD_COMMAND, io);
  const config = await loadConfig({ cwd, env: io.env });
  return inLanguage(flags, config, io, async (inLang) => {
    const dir = boardDirFrom(flags, cwd, BOARD_COMMAND, inLang);
    const secrets = config.secrets.map(({ value }) => value);
    const place = { cwd, dir, redactor: redactorFor({ secrets, agents: [] }, io.env) };
    switch (action) {
      case "init":
        return boardInit(flags, place, inLang);
      case "check":
        return boardCheck(flags, place, inLang);
      case "show":
        return boardShow(flags, place, inLang);
    }
  });
}

function refuseIdleFlags(action: BoardAction, { goal, test, yes, json }: BoardFlags, io: Io): void {
  const given = { "--goal": goal, "--test": test, "--yes": yes, "--json": json };
  const idle = action === "init" ? (["--json"] as const) : (["--goal", "--test", "--yes"] as const);
  const found = idle.find((flag) => given[flag] !== undefined);
  if (found !== undefined)
    throw usage(usageTexts[io.lang].conflict(found, `${BOARD_COMMAND} ${action}`), BOARD_COMMAND);
}
