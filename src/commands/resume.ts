import fs from "node:fs";
import { relative } from "node:path";
import { stateDir } from "../config/state-dir.ts";
import type { RunResumed } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import { record } from "../engine/engine.ts";
import type { RunContext } from "../engine/ports.ts";
import { Journal } from "../journal/journal.ts";
import { orchestrateCommand } from "../reporters/orchestrate-command.ts";
import { shellWord } from "../reports/shell-command.ts";
import { readJournal } from "../journal/read.ts";
import { RunStore } from "../journal/run-store.ts";
import type { Settings } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import type { Lock } from "../journal/lock.ts";
import { endTagged, LIVE_TAG } from "../process/leftovers.ts";
import { VERSION } from "../version.ts";
import { readyAgents, refuseUncounted, versionsOf } from "./agents.ts";
import { refuseNoTerminal } from "./chat.ts";
import { laterRun } from "./earlier-run.ts";
import { filesOf } from "./files-of.ts";
import { canAsk, type Io } from "./io.ts";
import { raisedLimits, type LimitFlags } from "./limits.ts";
import {
  close,
  conduct,
  finish,
  lockRun,
  openContext,
  outputsOf,
  type ViewFlags,
  refuseWithoutSandbox,
} from "./open-run.ts";
import { startAgainCommand } from "../views/run-places.ts";
import { whichRun } from "./which-run.ts";

export interface ResumeFlags extends LimitFlags, ViewFlags {
  readonly now?: boolean;
  /** Of `orchestrate`. */
  readonly maxIterations?: number;
}

/** `resume`: goes on with a run that was interrupted; writes the report of an ended one again if that is named. */
export async function resume(given: string | undefined, flags: ResumeFlags, io: Io): Promise<number> {
  const store = new RunStore(stateDir(io.env));
  const runId = await whichRun(store, given, io, (state) => canGoOn(state, store));
  const { context, lock } = await reopen(runId, flags, io, ({ settings, ended }) =>
    ended ? NOBODY : readyAgents(settings.agents, io.env),
  );
  try {
    const { state } = context.journal;
    refuseIterations(state, flags, io);
    const command = startAgainCommand(state, io.cwd);
    if (given === undefined && state.ended)
      throw new Failure("nothing_to_resume", { runId, path: io.cwd, ...(command !== null && { command }) });
  } catch (error) {
    close(context, lock);
    throw error;
  }
  if (context.journal.state.ended) {
    try {
      return finish(context, context.journal.state);
    } finally {
      close(context, lock);
    }
  }
  const { settings, limits } = context.journal.state;
  const raised = raisedLimits(flags, limits);
  try {
    if (context.live) await refuseNoTerminal(io);
    refuseWithoutSandbox(settings);
    refuseTakenOver(settings, runId, io);
    refuseUncounted(settings.agents, raised, settings.mode === "supervise" ? settings.agentCmd : null);
  } catch (error) {
    close(context, lock);
    throw error;
  }
  recordResumed(context, canAsk(io), {
    limits: raised,
    askNow: flags.now === true,
    ...(flags.maxIterations !== undefined && { maxLoops: flags.maxIterations }),
  });
  return conduct(context, lock);
}

function canGoOn({ runId, settings, ended }: RunState, store: RunStore): boolean {
  return ended === null && laterRun(store, runId, settings) === null;
}

/** Iterations can be given to a run of `orchestrate` that goes on, and more than it has begun. */
function refuseIterations(
  { runId, settings, ended, attempts }: RunState,
  { maxIterations }: ResumeFlags,
  io: Io,
): void {
  if (maxIterations === undefined) return;
  const about = { runId, mode: settings.mode, count: String(maxIterations), used: String(attempts.length) };
  if (settings.mode !== "orchestrate") throw new Failure("iterations_wrong_mode", about);
  if (ended)
    throw new Failure("iterations_ended", { ...about, command: orchestrateCommand(settings, io.cwd) });
  if (maxIterations <= attempts.length)
    throw new Failure("iterations_used", { ...about, more: String(attempts.length + maxIterations) });
}

/** What a later run has made of the steps would be undone, and paid for again. */
function refuseTakenOver(settings: Settings, runId: string, io: Io): void {
  const other = laterRun(new RunStore(stateDir(io.env)), runId, settings);
  if (other === null || settings.mode !== "run") return;
  const dir = shellWord(relative(settings.calledFrom, settings.stepsDir) || ".");
  throw new Failure("steps_taken_over", { other, path: settings.stepsDir, dir });
}

const NOBODY: RunContext["agents"] = new Map();

/** Opens a run nobody supervises. Whoever only settles it needs no agents. */
export async function reopen(
  runId: string,
  view: ViewFlags,
  io: Io,
  agentsFor: (state: RunState) => RunContext["agents"] | Promise<RunContext["agents"]> = () => NOBODY,
): Promise<{ context: RunContext; lock: Lock }> {
  const store = new RunStore(stateDir(io.env));
  const paths = store.find(runId);
  const { state } = readJournal(paths.journal, runId);
  const { settings, ended } = state;
  if (!ended && !fs.existsSync(settings.cwd)) throw new Failure("work_dir_gone", { path: settings.cwd });
  const lock = await lockRun(store, runId, settings.cwd);
  try {
    const journal = Journal.open(paths.journal, runId);
    const files = filesOf(settings, runId, paths, laterRun(store, runId, settings) !== null);
    const agents = await agentsFor(state);
    const { outputs } = state;
    return { context: openContext(io, view, { paths, journal, files, agents, settings, outputs }), lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export function recordResumed(
  context: RunContext,
  interactive: boolean,
  how: Partial<Pick<RunResumed, "limits" | "askNow" | "maxLoops">> = {},
): void {
  const edited = context.editedBoard();
  if (edited) record(context, edited);
  const { runId } = context.journal.state;
  const restoredFiles = context.files.filesToRestore?.(context.journal.state) ?? [];
  record(context, {
    type: "run_resumed",
    interactive,
    containment: context.machine.container.level,
    limits: how.limits ?? context.journal.state.limits,
    askNow: how.askNow ?? false,
    ...(how.maxLoops !== undefined && { maxLoops: how.maxLoops }),
    agentVersions: versionsOf(context.agents),
    toolVersion: VERSION,
    ...outputsOf(context),
    ...(restoredFiles.length > 0 && { restoredFiles }),
    ended: [...endTagged(runId), ...endTagged(runId, LIVE_TAG)],
  });
}
