import fs from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load.ts";
import { candidateFiles, isThere } from "../config/read.ts";
import { stateDir } from "../config/state-dir.ts";
import type { KeptFile } from "../domain/event.ts";
import { Failure, messageOf } from "../domain/failure.ts";
import { record } from "../engine/engine.ts";
import type { RunContext } from "../engine/ports.ts";
import { WorkFiles } from "../engine/work-files.ts";
import { writeFileDurable } from "../files/write-file.ts";
import { Journal } from "../journal/journal.ts";
import type { Lock } from "../journal/lock.ts";
import { RunStore } from "../journal/run-store.ts";
import { headCommit } from "../workspace/git.ts";
import { VERSION } from "../version.ts";
import { installedAgents, namedAgents, readyAgents, refuseUncounted } from "./agents.ts";
import { canAsk, type Io } from "./io.ts";
import { conduct, lockRun, openContext, type ViewFlags } from "./open-run.ts";
import { inspectPlan, settingsFrom, workDir, type SuperviseFlags } from "./settings.ts";

/** `supervise`: starts a run and drives it. */
export async function supervise(flags: SuperviseFlags & ViewFlags, io: Io): Promise<number> {
  const { context, lock } = await start(flags, io);
  const exitCode = await conduct(context, lock);
  const { plan, settings } = context.journal.state.started;
  // The run has its report; the person at the terminal is told as of any bad input.
  if ("problem" in plan) throw new Failure(plan.problem, { path: settings.planFile });
  return exitCode;
}

/** Nothing is left behind when a run cannot start. */
async function start(
  flags: SuperviseFlags & ViewFlags,
  io: Io,
): Promise<{ context: RunContext; lock: Lock }> {
  const cwd = workDir(flags, io);
  const config = await loadConfig({ cwd, env: io.env });
  const inLang = { ...io, lang: flags.lang ?? config.lang.value ?? io.lang };
  const named = namedAgents(flags, config, inLang);
  const agents = installedAgents(named, cwd, io.env);
  const settings = settingsFrom(flags, cwd, agents, config, inLang);
  refuseUncounted(agents, settings.limits, settings.agentCmd);
  const ready = await readyAgents(agents, io.env);
  const { plan, text } = inspectPlan(settings.planFile);
  const store = new RunStore(stateDir(io.env));
  const { runId, paths } = store.create(new Date());
  const files = new WorkFiles(io.cwd, runId);
  let lock: Lock | undefined;
  try {
    lock = await lockRun(store, runId, settings.cwd);
    files.prepare();
    if (agents.length > 0) keepPlan(paths.plan, text);
    const journal = Journal.create(paths.journal);
    const context = openContext(inLang, flags, { paths, journal, files, agents: ready, settings });
    record(context, {
      type: "run_started",
      runId,
      settings: {
        ...settings,
        reportPath: settings.reportPath ?? join(io.cwd, `goldagent-supervise-report-${runId}.json`),
      },
      plan,
      missingAgents: named.filter((agent) => !agents.includes(agent)).map(({ name }) => name),
      config: keptFiles(config, cwd, io.env),
      containment: context.machine.container.level,
      interactive: canAsk(io),
      baseCommit: headCommit(settings.cwd),
      toolVersion: VERSION,
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
    });
    return { context, lock };
  } catch (error) {
    lock?.release();
    files.discard();
    fs.rmSync(paths.dir, { recursive: true, force: true });
    throw error;
  }
}

/** Also the files that are not there: whoever makes one would rule the next run. */
function keptFiles({ files }: Config, cwd: string, env: NodeJS.ProcessEnv): KeptFile[] {
  const absent = candidateFiles(cwd, env).filter((path) => !isThere(path));
  return [
    ...files.map(({ path, sha256 }) => ({ path, sha256 })),
    ...absent.map((path) => ({ path, sha256: null })),
  ];
}

function keepPlan(path: string, text: Buffer): void {
  try {
    writeFileDurable(path, text);
  } catch (error) {
    throw new Failure("state_dir_not_writable", { path, why: messageOf(error) }, { cause: error });
  }
}
