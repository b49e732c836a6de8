import type { Settings } from "../domain/settings.ts";
import { visible } from "../domain/text.ts";
import { runTexts } from "../i18n/run.ts";
import { readJournal } from "../journal/read.ts";
import type { RunStore } from "../journal/run-store.ts";
import { lowerStatuses } from "../steps/write-step.ts";
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
 * An agent of a run that was killed may have marked steps as done. A run that was stopped has left its files in order itself: what
 * they say since then, a person said.
 */
export async function settleEarlier(store: RunStore, stepsDir: string, io: Io): Promise<void> {
  const runId = newestAt(store, stepsDir);
  if (runId === null || (await isLive(store, runId))) return;
  const { state } = readJournal(store.paths(runId).journal, runId);
  if (state.ended) return;
  const lowered = state.stopped === null ? lowerStatuses(stepsDir, state.steps) : [];
  const texts = runTexts[io.lang];
  const lines = [...lowered.map((change) => texts.lowered(runId, change)), texts.unfinished(runId)];
  for (const line of lines) io.stderr.write(`${texts.warning}${visible(line)}\n`);
}
