import { isOnBoard } from "../modes/orchestrate/on-board.ts";
import { hasSteps } from "../modes/steps/steps-left.ts";
import { refuseEnded, runStore } from "./run-store.ts";
import fs from "node:fs";
import { loadConfig } from "./config/load.ts";
import { userFile } from "./config/read.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import type { RunResumed } from "../core/event.ts";
import { Failure } from "../platform/failure.ts";
import { withVerifiers } from "../modes/steps/fold.ts";
import { record } from "../engine/engine.ts";
import { isAsItWas } from "../platform/files/kept.ts";
import type { RunContext } from "../engine/ports.ts";
import { usageTexts } from "./words/usage.ts";
import { orchestrateCommand } from "../modes/orchestrate/orchestrate-command.ts";
import type { RunStore } from "../core/journal/run-store.ts";
import type { Settings } from "../core/settings.ts";
import type { RunState } from "../core/state.ts";
import type { Lock } from "../core/journal/lock.ts";
import { endTagged, LIVE_TAG } from "../platform/process/leftovers.ts";
import { VERSION } from "../version.ts";
import { findAgents, readyAgents, refuseNotInstalled, refuseUncounted, versionsOf } from "./agents.ts";
import { refuseNoTerminal } from "./chat.ts";
import { laterRun, refuseSuperseded, supersededBy } from "./earlier-run.ts";
import { workOf } from "../modes/registry.ts";
import { usage } from "./usage.ts";
import { canAsk, type Io } from "./io.ts";
import {
  close,
  runToCompletion,
  finish,
  lockRun,
  openContext,
  outputsOf,
  refuseWithoutSandbox,
} from "./open-run.ts";
import { agentCommands, refuseDanger, refuseSecretsIn } from "./run-flags.ts";
import { raisedLimits } from "./settings/values.ts";
import type { FlagsOf, ViewFlags } from "./settings/table.ts";
import { startAgainCommand } from "../screens/show/run-places.ts";
import { whichRun } from "./which-run.ts";

type ResumeFlags = FlagsOf<"resume">;

/** `resume`: continues an interrupted run. If an ended run is named, writes its report again. */
export async function resume(given: string | undefined, flags: ResumeFlags, io: Io): Promise<number> {
  const store = runStore(io.env);
  const runId = await whichRun(store, given, io, {
    for: "resume",
    fits: (state) => canGoOn(state, store),
  });
  const verifiers = await verifiersFor(runId, flags, io);
  const { context, lock } = await reopen(runId, flags, io, {
    verifiers,
    agentsFor: ({ ended }, { agents }) => (ended ? NO_AGENTS : readyAgents(agents, io.env)),
  });
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
  const { limits, mode } = context.journal.state;
  const settings = withVerifiers(context.journal.state.settings, verifiers);
  const raised = raisedLimits(flags, limits);
  try {
    if (context.live) await refuseNoTerminal(io);
    refuseWithoutSandbox(settings);
    refuseSuperseded(context.journal.state, store);
    refuseUncounted(settings.agents, raised, mode.command?.(settings) ?? null);
  } catch (error) {
    close(context, lock);
    throw error;
  }
  recordResumed(context, canAsk(io), {
    limits: raised,
    askNow: flags.now === true,
    ...(flags.maxIterations !== undefined && { maxLoops: flags.maxIterations }),
    ...(verifiers && { verifiers }),
  });
  return runToCompletion(context, lock);
}

function canGoOn(state: RunState, store: RunStore): boolean {
  return state.ended === null && supersededBy(state, false, store) === null;
}

/** Only for an open run of `orchestrate`, and more than it has begun. */
function refuseIterations(
  { runId, settings, ended, attempts }: RunState,
  { maxIterations }: ResumeFlags,
  io: Io,
): void {
  if (maxIterations === undefined) return;
  const about = { runId, mode: settings.mode, count: String(maxIterations), used: String(attempts.length) };
  if (!isOnBoard(settings)) throw new Failure("iterations_wrong_mode", about);
  if (ended)
    throw new Failure("iterations_ended", {
      ...about,
      command: orchestrateCommand(settings, io.cwd, "--max-iterations"),
    });
  if (maxIterations <= attempts.length)
    throw new Failure("iterations_used", { ...about, more: String(attempts.length + maxIterations) });
}

/**
 * Workers stay as recorded. Other agents come from the current configuration, so that the user can name a repaired verifier. A project file that
 * changed since the start is ignored: the agent may have written a verifier that approves everything.
 */
async function verifiersFor(
  runId: string,
  { verifiers }: ResumeFlags,
  io: Io,
): Promise<readonly AgentProfile[] | undefined> {
  if (verifiers === undefined) return undefined;
  const { state } = runStore(io.env).read(runId);
  const { settings, started } = state;
  const texts = usageTexts[io.lang];
  if (!hasSteps(settings)) throw usage(texts.verifierWrongMode(runId, settings.mode), RESUME);
  refuseEnded(runId, state.ended);
  const { cwd, force, secrets } = settings;
  const workers = settings.agents.filter(({ name }) => settings.workers.includes(name));
  const kept = verifiers.map((wanted) => workers.find(({ name }) => name === wanted));
  if (kept.length > 0 && kept.every((agent) => agent !== undefined)) return kept;
  const own = userFile(io.env);
  const changed = started.config.find((file) => file.path !== own && !isAsItWas(file));
  if (changed) throw usage(texts.verifierConfigChanged(changed.path, own), RESUME);
  const config = await loadConfig({ cwd, env: io.env });
  const { known } = findAgents({ verb: RESUME, cwd, config, io }, "--verifier", verifiers, []);
  for (const agent of known) refuseNotInstalled([agent], cwd, io.env);
  if (!force) refuseDanger(agentCommands(known));
  refuseSecretsIn({ secrets, agents: known }, [], io);
  return known.map((agent) => workers.find(({ name }) => name === agent.name) ?? agent);
}

const RESUME = "resume";

const NO_AGENTS: RunContext["agents"] = new Map();

interface Reopening {
  readonly verifiers?: readonly AgentProfile[] | undefined;
  readonly agentsFor?: (
    state: RunState,
    settings: Settings,
  ) => RunContext["agents"] | Promise<RunContext["agents"]>;
}

/** Opens a run that has no supervisor. Commands that only settle it need no agents. */
export async function reopen(
  runId: string,
  view: ViewFlags,
  io: Io,
  { verifiers, agentsFor = () => NO_AGENTS }: Reopening = {},
): Promise<{ context: RunContext; lock: Lock }> {
  const store = runStore(io.env);
  const paths = store.find(runId);
  const { state } = store.read(runId);
  const { ended } = state;
  const settings = withVerifiers(state.settings, verifiers);
  if (!ended && !fs.existsSync(settings.cwd)) throw new Failure("work_dir_gone", { path: settings.cwd });
  const lock = await lockRun(store, runId, settings.cwd);
  try {
    const journal = store.openJournal(runId);
    const files =
      workOf(settings).files?.(settings, runId, paths, laterRun(store, runId, settings) !== null) ?? {};
    const agents = await agentsFor(state, settings);
    const { outputs } = state;
    return {
      context: openContext(io, view, { store, paths, journal, files, agents, settings, outputs }),
      lock,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export function recordResumed(
  context: RunContext,
  interactive: boolean,
  how: Partial<Pick<RunResumed, "limits" | "askNow" | "maxLoops" | "verifiers">> = {},
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
    ...(how.verifiers && { verifiers: how.verifiers }),
    agentVersions: versionsOf(context.agents),
    toolVersion: VERSION,
    ...outputsOf(context),
    ...(restoredFiles.length > 0 && { restoredFiles }),
    ended: [...endTagged(runId), ...endTagged(runId, LIVE_TAG)],
  });
}
