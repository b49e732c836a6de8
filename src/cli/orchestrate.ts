import { worksOn } from "../modes/orchestrate/on-board.ts";
import { runStore } from "./run-store.ts";
import { loadConfig } from "./config/load.ts";
import type { Config } from "./config/config.ts";
import { Failure } from "../platform/failure.ts";
import type { RunState } from "../core/state.ts";
import { readyAgents, refuseNotInstalled, refuseUncounted } from "./agents.ts";
import { inLanguage } from "./in-language.ts";
import type { Io } from "./io.ts";
import { runToCompletion } from "./open-run.ts";
import { boardSettings, ORCHESTRATE, refuseReadOnlyBoard } from "./orchestrate-settings.ts";
import { modelsFor } from "./models.ts";
import { boardDirFrom, readCheckedBoard, refuseNoBoard } from "./read-board.ts";
import { redactorFor } from "./redactor.ts";
import { roleAgents } from "./role-agents.ts";
import { workDir } from "./run-flags.ts";
import type { FlagsOf } from "./settings/table.ts";
import { startRun } from "./start-run.ts";

/** `orchestrate`: MAIN plans and decides, TEST, DEV and REVIEW do the work, and the foreman checks it. */
export async function orchestrate(flags: FlagsOf<"orchestrate">, io: Io): Promise<number> {
  const cwd = workDir(flags, ORCHESTRATE, io);
  const config = await loadConfig({ cwd, env: io.env });
  return inLanguage(flags, config, io, (inLang) => start(flags, cwd, config, inLang));
}

async function start(flags: FlagsOf<"orchestrate">, cwd: string, config: Config, io: Io): Promise<number> {
  const boardDir = boardDirFrom(flags, cwd, ORCHESTRATE, io);
  refuseNoBoard(boardDir);
  const roles = roleAgents(flags.roles, config, ORCHESTRATE, cwd, io);
  const withModel = modelsFor(roles.known, flags.model, ORCHESTRATE, io);
  const found = { ...roles, agents: roles.agents.map(withModel) };
  const secrets = config.secrets.map(({ value }) => value);
  const redactor = redactorFor({ secrets, agents: found.agents }, io.env);
  const board = readCheckedBoard(boardDir, { force: flags.force === true }, redactor, io);
  const earlier = earlierRun(boardDir, io);
  const settings = boardSettings(flags, { ...found, cwd, boardDir, board, config, redactor, earlier }, io);
  refuseUncounted(settings.agents, settings.limits, null);
  refuseReadOnlyBoard(boardDir);
  for (const names of Object.values(found.roles))
    refuseNotInstalled(
      found.agents.filter(({ name }) => names.includes(name)),
      cwd,
      io.env,
    );
  const { context, lock } = await startRun(
    {
      settings,
      agents: await readyAgents(settings.agents, io.env),
      missingAgents: found.missing,
      config,
      kept: board.history === null ? null : Buffer.from(board.history),
    },
    flags,
    io,
  );
  return runToCompletion(context, lock);
}

/** The previous run on the board must have ended, because two runs with partial knowledge would spoil the board. */
function earlierRun(boardDir: string, io: Io): RunState | null {
  const store = runStore(io.env);
  const runId = store.newestWith(worksOn(boardDir));
  if (runId === null) return null;
  const { state } = store.read(runId);
  if (state.ended) return state;
  throw new Failure("board_in_use", {
    runId,
    path: boardDir,
    next: state.question ? "decide" : "resume",
  });
}
