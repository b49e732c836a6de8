import { join } from "node:path";
import { readDecisions } from "../core/board/decisions.ts";
import type { OrchestrateSettings } from "../core/settings.ts";
import type { RunState } from "../core/state.ts";
import { lastIterationIn } from "../modes/orchestrate/disk/board-dir.ts";
import { BOARD, lastIterationOf } from "../modes/orchestrate/disk/names.ts";
import type { Board } from "../modes/orchestrate/disk/read-board.ts";
import { worksOn } from "../modes/orchestrate/on-board.ts";
import { redFor } from "../modes/orchestrate/task-evidence.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import { modelsFor, refuseNotInstalled, refuseUncounted } from "./agents.ts";
import type { Call } from "./call.ts";
import type { Io } from "./io.ts";
import { boardDirFrom, readCheckedBoard, refuseNoBoard } from "./read-board.ts";
import { redactorFor } from "./redactor.ts";
import { roleAgents, type FoundRoles } from "./role-agents.ts";
import {
  agentCommands,
  commonSettings,
  inProject,
  probe,
  promptsFrom,
  refuseDanger,
  refuseSecretsIn,
  reportPathFrom,
  secretsOf,
  sha256,
} from "./run-flags.ts";
import { runStore } from "./run-store.ts";
import type { FlagsOf } from "./settings/table.ts";
import { startRun, type Unreported } from "./start-run.ts";

const MAX_TASK = 200;

/** `orchestrate`: MAIN plans and decides, TEST, DEV and REVIEW do the work, and the foreman checks it. */
export function orchestrate(flags: FlagsOf<"orchestrate">, io: Io): Promise<number> {
  return inProject("orchestrate", flags, io, start);
}

async function start(call: Call<"orchestrate">): Promise<number> {
  const { cwd, config, values, io } = call;
  const boardDir = boardDirFrom(call);
  refuseNoBoard(boardDir);
  const found = roleAgents(call);
  const agents = found.agents.map(modelsFor(call, found.known));
  const redactor = redactorFor({ secrets: secretsOf(config), agents }, io.env);
  const board = readCheckedBoard(boardDir, values, redactor, io);
  const settings = settingsFrom(call, { ...found, agents }, boardDir, board);
  refuseUncounted(agents, settings.limits);
  refuseReadOnlyBoard(boardDir);
  for (const names of Object.values(found.roles)) {
    const ofRole = agents.filter(({ name }) => names.includes(name));
    refuseNotInstalled(ofRole, cwd, io.env);
  }
  const kept = board.history === null ? null : Buffer.from(board.history);
  return startRun(call, { settings, missing: found.missing, kept });
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

function settingsFrom(
  call: Call<"orchestrate">,
  { roles, agents }: FoundRoles,
  boardDir: string,
  board: Board,
): Unreported<OrchestrateSettings> {
  const { values, io } = call;
  const earlier = earlierRun(boardDir, io);
  if (!values.force) refuseDanger(agentCommands(agents));
  const prompts = promptsFrom(call, "main", "test", "dev", "review");
  const common = commonSettings(call);
  refuseSecretsIn({ ...common, agents, prompts }, [], io);
  return {
    ...common,
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
    maxLoops: values.maxIterations,
    reportPath: reportPathFrom(
      call,
      Object.values(BOARD).map((name) => join(boardDir, name)),
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
function refuseReadOnlyBoard(boardDir: string): void {
  try {
    probe(boardDir);
  } catch (error) {
    throw new Failure("board_not_writable", { path: boardDir, why: messageOf(error) }, { cause: error });
  }
}
