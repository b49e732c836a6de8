import type { Settings, StepsSettings } from "../domain/settings.ts";
import { visible } from "../domain/text.ts";
import { restoreStatuses } from "../engine/steps-files.ts";
import { runTexts } from "../i18n/run.ts";
import { readJournal } from "../journal/read.ts";
import type { RunStore } from "../journal/run-store.ts";
import type { Io } from "./io.ts";
import { isLive } from "./live.ts";

/** The last run that was started on a steps directory. */
function newestAt(store: RunStore, stepsDir: string): string | null {
  return store.newestWith(({ settings }) => settings.mode === "run" && settings.stepsDir === stepsDir);
}

/** Which later run has worked on the steps of this one, or null. */
export function laterRun(store: RunStore, runId: string, settings: Settings): string | null {
  const newest = settings.mode === "run" ? newestAt(store, settings.stepsDir) : null;
  return newest === runId ? null : newest;
}

/**
 * The last run on these steps may have been killed: what its files said then is not what they say now if an agent was at them. Its
 * journal knows.
 */
export async function settleEarlier(store: RunStore, stepsDir: string, io: Io): Promise<void> {
  const runId = newestAt(store, stepsDir);
  if (runId === null || (await isLive(store, runId))) return;
  const { state } = readJournal(store.paths(runId).journal, runId);
  if (state.ended) return;
  restoreStatuses(state, state.settings as StepsSettings);
  const texts = runTexts[io.lang];
  io.stderr.write(`${texts.warning}${visible(texts.unfinished(runId))}\n`);
}
