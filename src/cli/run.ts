import { runStore } from "./run-store.ts";
import { loadConfig } from "./config/load.ts";
import type { Config } from "./config/config.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import { isTaken } from "../modes/steps/steps-left.ts";
import { findAgents, NO_AGENTS, readyAgents, refuseNotInstalled, refuseUncounted } from "./agents.ts";
import { showPlan } from "./dry-run.ts";
import { markedIn, settleEarlier, unjudgedIn } from "./earlier-run.ts";
import { inLanguage } from "./in-language.ts";
import type { Io } from "./io.ts";
import { modelsFor } from "./models.ts";
import { runToCompletion } from "./open-run.ts";
import { readSteps, refuseUnusableSteps } from "./read-steps.ts";
import { workDir } from "./run-flags.ts";
import {
  chosenSteps,
  refuseIdleFlags,
  refuseReadOnlyDir,
  RUN,
  stepsDirFrom,
  stepsSettings,
} from "./run-settings.ts";
import type { FlagsOf } from "./settings/table.ts";
import { startRun } from "./start-run.ts";

/** `run`: implements, tests and verifies the steps of a directory, one after the other. */
export async function run(dir: string, flags: FlagsOf<"run">, io: Io): Promise<number> {
  const cwd = workDir(flags, RUN, io);
  const config = await loadConfig({ cwd, env: io.env });
  return inLanguage(flags, config, io, (inLang) => start(dir, flags, cwd, config, inLang));
}

async function start(
  dir: string,
  flags: FlagsOf<"run">,
  cwd: string,
  config: Config,
  io: Io,
): Promise<number> {
  refuseIdleFlags(flags, io);
  const stepsDir = stepsDirFrom(dir, io);
  const earlier = flags.dryRun === true ? null : await settleEarlier(runStore(io.env), stepsDir, io);
  const steps = readSteps(stepsDir, flags, io);
  const chosen = chosenSteps(flags, steps, io);
  const fullVerify = flags.fullVerify === true;
  const taken = steps.filter((step, index) => isTaken(step, index + 1, { chosen, fullVerify }));
  refuseUnusableSteps(taken, { stepsDir, steps, dryRun: flags.dryRun === true }, io);
  const isWork = taken.length > 0;
  const { workers, verifiers, missing } = workersAndVerifiers(flags, config, isWork, cwd, io);
  const left = { markedBefore: markedIn(earlier, steps), unjudgedBefore: unjudgedIn(earlier, steps) };
  const found = { cwd, stepsDir, steps, chosen, ...left, workers, verifiers, config };
  const settings = stepsSettings(flags, found, io);
  refuseUncounted(settings.agents, settings.limits, null);
  for (const agents of isWork ? [workers, verifiers] : []) refuseNotInstalled(agents, cwd, io.env);
  if (flags.dryRun === true) return showPlan(settings, flags, io);
  refuseReadOnlyDir(stepsDir, io);
  const agents = await readyAgents(settings.agents, io.env);
  const { context, lock } = await startRun(
    { settings, agents, missingAgents: missing, config, kept: null },
    flags,
    io,
  );
  return runToCompletion(context, lock);
}

/** If all steps are done, no agent has to be installed. */
function workersAndVerifiers(
  flags: FlagsOf<"run">,
  config: Config,
  isWork: boolean,
  cwd: string,
  io: Io,
): {
  readonly workers: readonly AgentProfile[];
  readonly verifiers: readonly AgentProfile[];
  readonly missing: readonly string[];
} {
  const at = { command: RUN, cwd };
  const working = findAgents({ flag: "--agents", given: flags.agents }, config.agents.value, config, at, io);
  const checking =
    flags.verifiers === undefined && config.verifiers.value.length === 0
      ? NO_AGENTS
      : findAgents({ flag: "--verifier", given: flags.verifiers }, config.verifiers.value, config, at, io);
  const withModel = modelsFor([...working.known, ...checking.known], flags.model, RUN, io);
  return {
    workers: working.agents.map(withModel),
    verifiers: checking.agents.map(withModel),
    missing: isWork ? [...new Set([...working.missing, ...checking.missing])] : [],
  };
}
