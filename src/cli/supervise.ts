import type { Config } from "./config/config.ts";
import { loadConfig } from "./config/load.ts";
import {
  findAgents,
  NO_AGENTS,
  readyAgents,
  refuseNotInstalled,
  refuseUncounted,
  type FoundAgents,
} from "./agents.ts";
import { inLanguage } from "./in-language.ts";
import type { Io } from "./io.ts";
import { runToCompletion } from "./open-run.ts";
import { modelsFor } from "./models.ts";
import { workDir } from "./run-flags.ts";
import { inspectPlan, refuseMissingFlags, settingsFrom, unusablePlan } from "./supervise-settings.ts";
import type { FlagsOf } from "./settings/table.ts";
import { startRun } from "./start-run.ts";

type SuperviseFlags = FlagsOf<"supervise">;

/** `supervise`: starts a run and drives it. */
export async function supervise(flags: SuperviseFlags, io: Io): Promise<number> {
  const cwd = workDir(flags, "supervise", io);
  const config = await loadConfig({ cwd, env: io.env });
  return inLanguage(flags, config, io, (inLang) => start(flags, cwd, config, inLang));
}

async function start(flags: SuperviseFlags, cwd: string, config: Config, io: Io): Promise<number> {
  refuseMissingFlags(flags, config);
  const { agents, missing } = agentsFor(flags, cwd, config, io);
  const { plan, text } = inspectPlan(flags.planFile, io);
  const settings = settingsFrom(flags, { cwd, agents, plan, config }, io);
  refuseUncounted(agents, settings.limits, settings.agentCmd);
  // Without a usable plan no agent starts, and the run ends with a report of the problem.
  if (!("problem" in plan)) refuseNotInstalled(agents, cwd, io.env);
  const { context, lock } = await startRun(
    {
      settings,
      agents: await readyAgents(agents, io.env),
      missingAgents: missing,
      config,
      kept: agents.length > 0 ? text : null,
    },
    flags,
    io,
  );
  const exitCode = await runToCompletion(context, lock);
  // The run has its report; the terminal shows the usual message for bad input.
  if ("problem" in plan) throw unusablePlan(plan.problem, settings.planFile);
  return exitCode;
}

/** None if a shell command is used instead. */
function agentsFor(
  flags: SuperviseFlags,
  cwd: string,
  config: Config,
  io: Io,
): Pick<FoundAgents, "agents" | "missing"> {
  if (flags.agentCmd !== undefined) return NO_AGENTS;
  const asked = { flag: "--agent", given: flags.agents };
  const found = findAgents(asked, config.agents.value, config, { command: "supervise", cwd }, io);
  const withModel = modelsFor(found.known, flags.model, "supervise", io);
  return { agents: found.agents.map(withModel), missing: found.missing };
}
