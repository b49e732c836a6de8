import { Failure } from "../platform/failure.ts";
import type { Settings } from "../core/settings.ts";
import { attemptsAt, type RunState } from "../core/state.ts";
import { DONE, type Step } from "../core/step.ts";
import { hasSteps, isMarkedByPerson } from "../modes/steps/steps-left.ts";
import { visible } from "../text/text.ts";
import { runTexts } from "./words/run.ts";
import type { RunStore } from "../core/journal/run-store.ts";
import { resumeCommand } from "../ui/shell-command.ts";
import { isSameStep, lowerStatuses } from "../modes/steps/disk/write-step.ts";
import type { Io } from "./io.ts";
import { isLive } from "./run-store.ts";

/** The latest run of a steps directory. */
function newestAt(store: RunStore, stepsDir: string): string | null {
  return store.newestWith(({ settings }) => hasSteps(settings) && settings.stepsDir === stepsDir);
}

/** The later run that worked on the same steps, or null. */
export function laterRun(store: RunStore, runId: string, settings: Settings): string | null {
  const newest = hasSteps(settings) ? newestAt(store, settings.stepsDir) : null;
  return newest === runId ? null : newest;
}

/** The later run that prevents this one from resuming, or null. */
export function supersededBy(
  { runId, settings, ended }: RunState,
  live: boolean,
  store: RunStore,
): string | null {
  return ended || live ? null : laterRun(store, runId, settings);
}

/** Resuming would undo and pay again for the steps of a later run. An answer would never be read. */
export function refuseSuperseded({ runId, settings }: RunState, store: RunStore): void {
  const other = laterRun(store, runId, settings);
  if (other === null || !hasSteps(settings)) return;
  throw new Failure("steps_taken_over", { runId, other, path: settings.stepsDir });
}

/**
 * An agent of a killed run may have marked steps as done. A run that stopped normally has restored its files, so later edits come from a person.
 * Returns that run unless a process still works on it.
 */
export async function settleEarlier(store: RunStore, stepsDir: string, io: Io): Promise<RunState | null> {
  const runId = newestAt(store, stepsDir);
  if (runId === null || (await isLive(store, runId))) return null;
  const { state } = store.read(runId);
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

/** Steps, from 1, that an earlier run accepted only because a person marked them as done. */
export function markedIn(earlier: RunState | null, steps: readonly Step[]): readonly number[] {
  if (!earlier || !hasSteps(earlier.settings)) return [];
  const { settings } = earlier;
  const marked = earlier.steps.filter((step, index) =>
    isMarkedByPerson(step, index + 1, attemptsAt(earlier, index + 1), settings),
  );
  return numbersOf(marked, steps, ({ status }) => status === DONE);
}

/** Steps, from 1, whose work from an earlier run is in the tree without a verdict. */
export function unjudgedIn(earlier: RunState | null, steps: readonly Step[]): readonly number[] {
  if (!earlier || !hasSteps(earlier.settings)) return [];
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
