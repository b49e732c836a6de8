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
import { newRunId, RunStore, type RunPaths } from "../journal/run-store.ts";
import { VERSION } from "../version.ts";
import { headCommit } from "../workspace/git.ts";
import { clearAbandoned } from "./abandoned-runs.ts";
import { versionsOf } from "./agents.ts";
import { filesOf } from "./files-of.ts";
import { canAsk, type Io } from "./io.ts";
import { removeNotBegun } from "./never-began.ts";
import {
  lockRun,
  openContext,
  outputsOf,
  refuseWithoutSandbox,
  type ViewFlags,
  forgetCall,
} from "./open-run.ts";
import { redactorFor } from "./redactor.ts";

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
  await removeNotBegun(store, io);
  await clearAbandoned(store, io);
  const { runId, paths, lock } = await claimRun(store, run.settings, io);
  const redactor = redactorFor(run.settings, io.env);
  const settings = withoutSecrets(withReport(run.settings, runId, paths), (text) => redactor.text(text));
  const files = filesOf(settings, runId, paths);
  try {
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
      ...outputsOf(context),
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
    });
    forgetCall(paths);
    return { context, lock };
  } catch (error) {
    files.discard();
    fs.rmSync(paths.dir, { recursive: true, force: true });
    lock.release();
    throw error;
  }
}

/** The lock comes before the directory: one that has neither lock nor record belongs to a run that never began. */
async function claimRun(
  store: RunStore,
  settings: Unreported,
  io: Io,
): Promise<{ readonly runId: string; readonly paths: RunPaths; readonly lock: Lock }> {
  const redactor = redactorFor(settings, io.env);
  const call = { cwd: io.cwd, args: io.args.map((word) => redactor.text(word)) };
  for (;;) {
    const runId = newRunId(new Date());
    const lock = await lockRun(store, runId, settings.cwd);
    try {
      const paths = store.create(runId, call);
      if (paths) return { runId, paths, lock };
    } catch (error) {
      lock.release();
      throw error;
    }
    lock.release();
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

/** Of all settings only the flags can hold a secret: the others are refused with one. */
function withoutSecrets(settings: Settings, redact: (text: string) => string): Settings {
  if (!settings.callFlags) return settings;
  const callFlags = settings.callFlags.map(({ flag, values }) => ({ flag, values: values.map(redact) }));
  return { ...settings, callFlags };
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
