import fs from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import { candidateFiles, isThere } from "../config/read.ts";
import { stateDir } from "../config/state-dir.ts";
import { Failure, messageOf } from "../domain/failure.ts";
import type { KeptFile, Settings } from "../domain/settings.ts";
import { record } from "../engine/engine.ts";
import { refuseLeftConfig } from "../engine/left-changes.ts";
import type { RunContext } from "../engine/ports.ts";
import { writeFileDurable } from "../files/write-file.ts";
import { Journal } from "../journal/journal.ts";
import type { Lock } from "../journal/lock.ts";
import { RunStore, type RunPaths } from "../journal/run-store.ts";
import { VERSION } from "../version.ts";
import { headCommit } from "../workspace/git.ts";
import { versionsOf } from "./agents.ts";
import { filesOf } from "./files-of.ts";
import { canAsk, type Io } from "./io.ts";
import { lockRun, openContext, refuseWithoutSandbox, type ViewFlags } from "./open-run.ts";

/** Settings whose report has no place yet: by default its name holds the run's id. */
export type Unreported<S extends Settings = Settings> = S extends Settings
  ? Omit<S, "reportPath"> & { readonly reportPath: string | null }
  : never;

export interface NewRun {
  readonly settings: Unreported;
  readonly agents: RunContext["agents"];
  readonly missingAgents: readonly string[];
  readonly config: Config;
  /** What the run is given to read; null: nothing. */
  readonly kept: Buffer | null;
}

/** Nothing is left behind when a run cannot start. */
export async function startRun(
  run: NewRun,
  view: ViewFlags,
  io: Io,
): Promise<{ context: RunContext; lock: Lock }> {
  refuseWithoutSandbox(run.settings);
  const store = new RunStore(stateDir(io.env));
  const { runId, paths } = store.create(new Date());
  const settings = withReport(run.settings, runId, paths);
  const files = filesOf(settings, runId, paths);
  let lock: Lock | undefined;
  try {
    lock = await lockRun(store, runId, settings.cwd);
    files.prepare();
    if (run.kept) keepInput(paths.plan, run.kept);
    const journal = Journal.create(paths.journal);
    const context = openContext(io, view, { paths, journal, files, agents: run.agents, settings });
    refuseLeftConfig(settings, context);
    record(context, {
      type: "run_started",
      runId,
      settings,
      missingAgents: run.missingAgents,
      config: keptFiles(run.config, settings.cwd, io.env),
      containment: context.machine.container.level,
      interactive: canAsk(io),
      baseCommit: headCommit(settings.cwd),
      agentVersions: versionsOf(context.agents),
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

/** A person who talks to their agent all day would not want a file in their project for each time. */
function withReport(settings: Unreported, runId: string, { dir }: RunPaths): Settings {
  const atTerminal = settings.mode === "chat" && settings.prompt === null;
  const place = atTerminal
    ? join(dir, "report.json")
    : join(settings.calledFrom, `goldagent-${settings.mode}-report-${runId}.json`);
  return { ...settings, reportPath: settings.reportPath ?? place };
}

/** Also the files that are not there: whoever makes one would rule the next run. */
function keptFiles({ files }: Config, cwd: string, env: NodeJS.ProcessEnv): KeptFile[] {
  const absent = candidateFiles(cwd, env).filter((path) => !isThere(path));
  return [
    ...files.map(({ path, sha256 }) => ({ path, sha256 })),
    ...absent.map((path) => ({ path, sha256: null })),
  ];
}

function keepInput(path: string, text: Buffer): void {
  try {
    writeFileDurable(path, text);
  } catch (error) {
    throw new Failure("state_dir_not_writable", { path, why: messageOf(error) }, { cause: error });
  }
}
