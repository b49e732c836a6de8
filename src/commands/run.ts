import { loadConfig } from "../config/load.ts";
import type { Config } from "../config/config.ts";
import type { AgentProfile } from "../domain/agent-profile.ts";
import { stateDir } from "../config/state-dir.ts";
import { RunStore } from "../journal/run-store.ts";
import { isTaken } from "../domain/steps-left.ts";
import { installedAgents, missingOf, readyAgents, refuseUncounted, wantedAgents } from "./agents.ts";
import { showPlan } from "./dry-run.ts";
import { settleEarlier } from "./earlier-run.ts";
import { inLanguage } from "./in-language.ts";
import type { Io } from "./io.ts";
import { conduct, type ViewFlags } from "./open-run.ts";
import { readSteps } from "./read-steps.ts";
import { workDir } from "./run-flags.ts";
import {
  chosenSteps,
  refuseIdleFlags,
  refuseReadOnlyDir,
  RUN,
  stepsDirFrom,
  stepsSettings,
  type StepsFlags,
} from "./run-settings.ts";
import { startRun } from "./start-run.ts";

/** `run`: gets the steps of a directory implemented, tested and verified, one after the other. */
export async function run(dir: string, flags: StepsFlags & ViewFlags, io: Io): Promise<number> {
  const cwd = workDir(flags, RUN, io);
  const config = await loadConfig({ cwd, env: io.env });
  return inLanguage(flags, config, io, (inLang) => start(dir, flags, cwd, config, inLang));
}

async function start(
  dir: string,
  flags: StepsFlags & ViewFlags,
  cwd: string,
  config: Config,
  io: Io,
): Promise<number> {
  refuseIdleFlags(flags, io);
  const stepsDir = stepsDirFrom(dir, io);
  if (flags.dryRun !== true) await settleEarlier(new RunStore(stateDir(io.env)), stepsDir, io);
  const steps = readSteps(stepsDir, flags, io);
  const chosen = chosenSteps(flags, steps, io);
  const fullVerify = flags.fullVerify === true;
  const isWork = steps.some((step, index) => isTaken(step, index + 1, { chosen, fullVerify }));
  const { workers, verifiers, missing } = findAgents(flags, config, isWork, cwd, io);
  const settings = stepsSettings(flags, { cwd, stepsDir, steps, chosen, workers, verifiers, config }, io);
  refuseUncounted(settings.agents, settings.limits, null);
  if (flags.dryRun === true) return showPlan(settings, flags, io);
  refuseReadOnlyDir(stepsDir, io);
  const agents = await readyAgents(settings.agents, io.env);
  const { context, lock } = await startRun(
    { settings, agents, missingAgents: missing, config, kept: null },
    flags,
    io,
  );
  return conduct(context, lock);
}

/** Where all is done already nobody is needed. */
function findAgents(
  flags: StepsFlags,
  config: Config,
  isWork: boolean,
  cwd: string,
  io: Io,
): {
  readonly workers: readonly AgentProfile[];
  readonly verifiers: readonly AgentProfile[];
  readonly missing: readonly string[];
} {
  const wanted = wantedAgents(
    { flag: "--agents", given: flags.agents },
    config.agents.value,
    config,
    RUN,
    io,
  );
  const checking =
    flags.verifier === undefined && config.verifiers.value.length === 0
      ? { agents: [] }
      : wantedAgents({ flag: "--verifier", given: flags.verifier }, config.verifiers.value, config, RUN, io);
  if (!isWork) return { workers: wanted.agents, verifiers: checking.agents, missing: [] };
  const workers = installedAgents(wanted.agents, cwd, io.env);
  const verifiers = installedAgents(checking.agents, cwd, io.env);
  const missing = [
    ...(wanted.named ? missingOf(wanted.agents, workers) : []),
    ...missingOf(checking.agents, verifiers),
  ];
  return { workers, verifiers, missing: [...new Set(missing)] };
}
