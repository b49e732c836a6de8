import { isTalk } from "../modes/chat/reviews.ts";
import { runStore } from "./run-store.ts";
import fs from "node:fs";
import { join } from "node:path";
import type { Config } from "./config/config.ts";
import { candidateFiles, isThere } from "./config/read.ts";
import { Failure, messageOf } from "../platform/failure.ts";
import type { KeptFile, Settings } from "../core/settings.ts";
import { record } from "../engine/engine.ts";
import { refuseLeftConfig } from "../evidence/base/left-changes.ts";
import type { RunContext } from "../engine/ports.ts";
import { writeFileDurable } from "../platform/files/write-file.ts";
import type { Lock } from "../core/journal/lock.ts";
import { newRunId, type RunPaths, type RunStore } from "../core/journal/run-store.ts";
import { VERSION } from "../version.ts";
import { headCommitIn } from "../platform/git/tree-repository.ts";
import { clearAbandoned, removeNotBegun } from "./dead-runs.ts";
import { readyAgents, versionsOf } from "./agents.ts";
import type { Call } from "./call.ts";
import { workOf } from "../modes/registry.ts";
import { canAsk, type Io } from "./io.ts";
import {
  lockRun,
  openContext,
  outputsOf,
  refuseWithoutSandbox,
  forgetCall,
  runToCompletion,
} from "./open-run.ts";
import type { AnyFlags, Verb } from "./settings/table.ts";
import { redactorFor } from "./redactor.ts";

/** Settings without the report's path, because its default name contains the run id. */
export type Unreported<S extends Settings = Settings> = S extends Settings
  ? Omit<S, "reportPath"> & { readonly reportPath: string | null }
  : never;

interface NewRun {
  readonly settings: Unreported;
  /** Agents that were named but are not installed. */
  readonly missing?: readonly string[];
  /** The input file kept with the run. */
  readonly kept?: Buffer | null;
}

/** Runs it to completion. If it cannot start, it leaves no files. */
export async function startRun(
  { flags, config, io }: Pick<Call<Verb, AnyFlags>, "flags" | "config" | "io">,
  { settings, missing = [], kept = null }: NewRun,
): Promise<number> {
  const { context, lock } = await openNewRun(settings, { flags, config, missing, kept, io });
  return runToCompletion(context, lock);
}

async function openNewRun(
  asked: Unreported,
  {
    flags,
    config,
    missing,
    kept,
    io,
  }: Pick<Call<Verb, AnyFlags>, "flags" | "config" | "io"> & Required<Omit<NewRun, "settings">>,
): Promise<{ context: RunContext; lock: Lock }> {
  const agents = await readyAgents(asked.agents, io.env);
  refuseWithoutSandbox(asked);
  const store = runStore(io.env);
  await removeNotBegun(store, io);
  await clearAbandoned(store, io);
  const { runId, paths, lock } = await claimRun(store, asked, io);
  const redactor = redactorFor(asked, io.env);
  const settings = withoutSecrets(withReport(asked, runId, paths), (text) => redactor.text(text));
  const files = workOf(settings).files?.(settings, runId, paths, false) ?? {};
  try {
    files.prepare?.();
    if (kept) keepInput(paths.plan, kept);
    const journal = store.newJournal(runId);
    const context = openContext(io, flags, { store, paths, journal, files, agents, settings });
    refuseLeftConfig(settings, context);
    record(context, {
      type: "run_started",
      runId,
      settings,
      missingAgents: missing,
      config: keptFiles(config, settings.cwd, io.env),
      containment: context.machine.container.level,
      interactive: canAsk(io),
      baseCommit: headCommitIn(context.tree.root, settings.cwd),
      agentVersions: versionsOf(context.agents),
      toolVersion: VERSION,
      ...outputsOf(context),
      node: process.version,
      platform: `${process.platform}-${process.arch}`,
    });
    forgetCall(paths);
    return { context, lock };
  } catch (error) {
    files.discard?.();
    fs.rmSync(paths.dir, { recursive: true, force: true });
    lock.release();
    throw error;
  }
}

/** Takes the lock before it creates the directory: a directory without lock and record belongs to a run that never began. */
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

/** The report of `chat` goes to the run's directory, because daily conversations would fill the project with files. */
function withReport(settings: Unreported, runId: string, { dir }: RunPaths): Settings {
  const place = isTalk(settings)
    ? join(dir, "report.json")
    : join(settings.calledFrom, `goldagent-${settings.mode}-report-${runId}.json`);
  return { ...settings, reportPath: settings.reportPath ?? place };
}

/** Only flags can hold a secret; other settings with secrets are rejected. */
function withoutSecrets(settings: Settings, redact: (text: string) => string): Settings {
  if (!settings.callFlags) return settings;
  const callFlags = settings.callFlags.map(({ flag, values }) => ({ flag, values: values.map(redact) }));
  return { ...settings, callFlags };
}

/** Includes files that do not exist yet: an agent that creates one would control the next run. */
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
