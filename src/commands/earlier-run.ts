import { Failure } from "../domain/failure.ts";
import type { Settings } from "../domain/settings.ts";
import { attemptsAt, type RunState } from "../domain/state.ts";
import { DONE, type Step } from "../domain/step.ts";
import { isMarkedByPerson } from "../domain/steps-left.ts";
import { visible } from "../domain/text.ts";
import { runTexts } from "../i18n/run.ts";
import { readJournal } from "../journal/read.ts";
import type { RunStore } from "../journal/run-store.ts";
import { resumeCommand } from "../reports/shell-command.ts";
import { isSameStep, lowerStatuses } from "../steps/write-step.ts";
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

/** The later run that keeps this one from going on, or null. */
export function supersededBy(
  { runId, settings, ended }: RunState,
  live: boolean,
  store: RunStore,
): string | null {
  return ended || live ? null : laterRun(store, runId, settings);
}

/** Going on would undo what a later run has made of the steps, and pay for it again. An answer would never be read. */
export function refuseSuperseded({ runId, settings }: RunState, store: RunStore): void {
  const other = laterRun(store, runId, settings);
  if (other === null || settings.mode !== "run") return;
  throw new Failure("steps_taken_over", { runId, other, path: settings.stepsDir });
}

/**
 * An agent of a run that was killed may have marked steps as done. A run that was stopped has left its files in order itself: what
 * they say since then, a person said. Returns that run, if nobody is at work on it.
 */
export async function settleEarlier(store: RunStore, stepsDir: string, io: Io): Promise<RunState | null> {
  const runId = newestAt(store, stepsDir);
  if (runId === null || (await isLive(store, runId))) return null;
  const { state } = readJournal(store.paths(runId).journal, runId);
  if (state.ended) return state;
  const lowered = state.stopped === null ? lowerStatuses(stepsDir, state.steps) : [];
  const texts = runTexts[io.lang];
  const lines = [
    ...lowered.map((change) => texts.lowered(runId, change)),
    texts.unfinished(runId, resumeCommand(state)),
  ];
  for (const line of lines) io.stderr.write(`${texts.warning}${visible(line)}\n`);
  return state;
}

/** Which steps, from 1, an earlier run took as done by a person's word alone. */
export function markedIn(earlier: RunState | null, steps: readonly Step[]): readonly number[] {
  if (earlier?.settings.mode !== "run") return [];
  const { settings } = earlier;
  const marked = earlier.steps.filter((step, index) =>
    isMarkedByPerson(step, index + 1, attemptsAt(earlier, index + 1), settings),
  );
  return numbersOf(marked, steps, ({ status }) => status === DONE);
}

/** Which steps, from 1, have work of an earlier run in the tree that no verifier gave a verdict on. */
export function unjudgedIn(earlier: RunState | null, steps: readonly Step[]): readonly number[] {
  if (earlier?.settings.mode !== "run") return [];
  const { unjudgedBefore = [] } = earlier.settings;
  const unjudged = earlier.steps.filter((_, index) => {
    const attempts = attemptsAt(earlier, index + 1);
    const last = attempts.at(-1);
    if (last?.judged === null && last.faultyReviews.length > 0) return true;
    return unjudgedBefore.includes(index + 1) && attempts.every(({ judged }) => judged === null);
  });
  return numbersOf(unjudged, steps, ({ status }) => status !== DONE);
}

function numbersOf(
  known: RunState["steps"],
  steps: readonly Step[],
  fits: (step: Step) => boolean,
): readonly number[] {
  return steps.flatMap((step, index) =>
    fits(step) && known.some((one) => isSameStep(one, step)) ? [index + 1] : [],
  );
}
