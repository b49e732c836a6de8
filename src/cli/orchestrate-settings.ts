import { join } from "node:path";
import { lastIterationIn } from "../modes/orchestrate/disk/board-dir.ts";
import { BOARD, lastIterationOf } from "../modes/orchestrate/disk/names.ts";
import type { Board } from "../modes/orchestrate/disk/read-board.ts";
import type { Config } from "./config/config.ts";
import { candidateFiles } from "./config/read.ts";
import { readDecisions } from "../core/board/decisions.ts";
import { redFor } from "../modes/orchestrate/task-evidence.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import type { Redactor } from "../text/redact.ts";
import type { OrchestrateSettings } from "../core/settings.ts";
import type { RunState } from "../core/state.ts";
import type { Io } from "./io.ts";
import type { FoundRoles } from "./role-agents.ts";
import {
  commonSettings,
  probe,
  profileTexts,
  promptFrom,
  refuseSecrets,
  roomTexts,
  reportPathFrom,
  sha256,
} from "./run-flags.ts";
import { agentCommands, refuseDanger } from "./supervise-settings.ts";
import type { FlagsOf } from "./settings/table.ts";
import { valuesOf } from "./settings/values.ts";
import type { Unreported } from "./start-run.ts";

export const ORCHESTRATE = "orchestrate";
const MAX_TASK = 200;

interface Found extends FoundRoles {
  readonly cwd: string;
  readonly boardDir: string;
  readonly board: Board;
  readonly config: Config;
  readonly redactor: Redactor;
  /** The previous run on this board. */
  readonly earlier: RunState | null;
}

export function boardSettings(
  flags: FlagsOf<"orchestrate">,
  found: Found,
  io: Io,
): Unreported<OrchestrateSettings> {
  const { cwd, boardDir, board, config, roles, agents, redactor, earlier } = found;
  if (flags.force !== true) refuseDanger(agentCommands(agents));
  const prompts = {
    main: promptFrom("main", config, io),
    test: promptFrom("test", config, io),
    dev: promptFrom("dev", config, io),
    review: promptFrom("review", config, io),
  };
  const common = commonSettings(flags, cwd, config, ORCHESTRATE, io);
  refuseSecrets(
    [
      ...Object.entries(prompts).map(([name, { text }]) => [`prompts.${name}`, text] as const),
      ...profileTexts(agents),
      ...roomTexts(common.room),
    ],
    redactor,
  );
  const own = Object.values(BOARD).map((name) => join(boardDir, name));
  return {
    ...common,
    mode: ORCHESTRATE,
    task: titleOf(board.context),
    boardDir,
    // A person may have added order files. Each order of ours also has an entry in the history.
    iterationsBefore: board.history === null ? lastIterationIn(boardDir) : lastIterationOf(board.history),
    plan: board.planText,
    context: board.context,
    projectEnv: board.envText,
    historySha256: board.history === null ? null : sha256(board.history),
    decided: readDecisions(board.decisions),
    redBefore: earlier && redFor(earlier),
    env: board.env,
    roles,
    agents,
    session: "fresh",
    prompts,
    maxLoops: valuesOf(flags, config).maxIterations,
    reportPath: reportPathFrom(
      flags,
      { mode: ORCHESTRATE, taken: [...own, ...candidateFiles(cwd, io.env)] },
      io,
    ),
  };
}

/** The first line that is no heading; used as a title in lists. */
function titleOf(context: string): string {
  const lines = context
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const title = lines.find((line) => !line.startsWith("#")) ?? lines[0] ?? "";
  return title.slice(0, MAX_TASK);
}

/** Tries to write before anything is started. */
export function refuseReadOnlyBoard(boardDir: string): void {
  try {
    probe(boardDir);
  } catch (error) {
    throw new Failure("board_not_writable", { path: boardDir, why: messageOf(error) }, { cause: error });
  }
}
