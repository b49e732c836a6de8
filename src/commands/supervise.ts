import fs from "node:fs";
import { join } from "node:path";
import { stateDir } from "../config/state-dir.ts";
import { record } from "../engine/engine.ts";
import { Journal } from "../journal/journal.ts";
import { RunStore } from "../journal/run-store.ts";
import { headCommit } from "../workspace/git.ts";
import { VERSION } from "../version.ts";
import { canAsk, type Io } from "./io.ts";
import { conduct, lockRun, openContext, type ViewFlags } from "./open-run.ts";
import { inspectPlan, settingsFrom, type SuperviseFlags } from "./settings.ts";

/** `supervise`: starts a run. Nothing is left behind when it cannot start. */
export async function supervise(flags: SuperviseFlags & ViewFlags, io: Io): Promise<number> {
  const settings = settingsFrom(flags, io);
  const store = new RunStore(stateDir(io.env));
  const { runId, paths } = store.create(new Date());
  const reportPath = settings.reportPath ?? join(io.cwd, `goldagent-supervise-report-${runId}.json`);
  const lock = await lockRun(store, runId, settings.cwd).catch((error: unknown) => {
    fs.rmSync(paths.dir, { recursive: true, force: true });
    throw error;
  });
  const journal = Journal.create(paths.journal);
  const context = openContext(io, flags, { runId, paths, journal, calledFrom: io.cwd });
  context.files.prepare();
  record(context, {
    type: "run_started",
    runId,
    settings: { ...settings, reportPath },
    plan: inspectPlan(settings.planFile),
    containment: context.machine.container.level,
    interactive: canAsk(io),
    baseCommit: headCommit(settings.cwd),
    toolVersion: VERSION,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  });
  return conduct(context, lock);
}
