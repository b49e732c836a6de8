import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import { Failure } from "../domain/failure.ts";
import { installedAgents, missingOf, namedAgents, readyAgents, refuseUncounted } from "./agents.ts";
import { inLanguage } from "./in-language.ts";
import type { Io } from "./io.ts";
import { conduct, type ViewFlags } from "./open-run.ts";
import { workDir } from "./run-flags.ts";
import { inspectPlan, settingsFrom, type SuperviseFlags } from "./settings.ts";
import { startRun } from "./start-run.ts";

/** `supervise`: starts a run and drives it. */
export async function supervise(flags: SuperviseFlags & ViewFlags, io: Io): Promise<number> {
  const cwd = workDir(flags, "supervise", io);
  const config = await loadConfig({ cwd, env: io.env });
  return inLanguage(flags, config, io, (inLang) => start(flags, cwd, config, inLang));
}

async function start(
  flags: SuperviseFlags & ViewFlags,
  cwd: string,
  config: Config,
  io: Io,
): Promise<number> {
  const named = flags.agentCmd === undefined ? namedAgents(flags.agent, config, io) : [];
  const agents = installedAgents(named, cwd, io.env);
  const { plan, text } = inspectPlan(flags.planFile, io);
  const settings = settingsFrom(flags, { cwd, agents, plan, config }, io);
  refuseUncounted(agents, settings.limits, settings.agentCmd);
  const { context, lock } = await startRun(
    {
      settings,
      agents: await readyAgents(agents, io.env),
      missingAgents: missingOf(named, agents),
      config,
      kept: agents.length > 0 ? text : null,
    },
    flags,
    io,
  );
  const exitCode = await conduct(context, lock);
  // The run has its report; the person at the terminal is told as of any bad input.
  if ("problem" in plan) throw new Failure(plan.problem, { path: settings.planFile });
  return exitCode;
}
