import fs from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../core/event.ts";
import { Failure, messageOf } from "../../platform/failure.ts";
import type { StepsSettings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { isItself } from "../../platform/files/directories.ts";
import { writeFileAtomic, writeFileDurable } from "../../platform/files/write-file.ts";
import type { RunPaths } from "../../core/journal/run-store.ts";
import { progressMarkdown } from "./progress.ts";
import { progressPath } from "./step-outcome.ts";
import { stepsReport } from "./steps-report.ts";
import { restoreStatus } from "./disk/write-step.ts";
import type { RunFiles } from "../../engine/files.ts";
import { writeReportFile } from "../../engine/report-file.ts";

/** The files of `run`: run-progress.md beside the steps, which is always current, and a report. */
export class StepsFiles implements RunFiles {
  readonly #paths: RunPaths;
  readonly #superseded: boolean;

  /** `superseded`: a later run has worked on the steps and owns them now. */
  constructor(paths: RunPaths, superseded: boolean) {
    this.#paths = paths;
    this.#superseded = superseded;
  }

  readonly prepare = (): void => undefined;
  readonly discard = (): void => undefined;
  readonly prepareTurn = (): void => undefined;
  readonly environment = (): Record<string, string> => ({});
  readonly changed = (): readonly string[] => [];
  readonly settle = (): void => undefined;

  readonly follow = (event: RunEvent, state: RunState): void => {
    if (this.#superseded) return;
    if (isLeaving(event)) restoreStatuses(state, stepsSettings(state));
    // During the run the file can be rebuilt from the journal. Its final content must be durable.
    if (movesProgress(event))
      writeProgress(state, stepsSettings(state), isLeaving(event) ? writeFileDurable : writeFileAtomic);
  };

  /** A crash may have kept the end out of the progress file. */
  readonly leave = (state: RunState): void => {
    const settings = stepsSettings(state);
    if (!this.#superseded) writeProgress(state, settings, writeFileDurable);
    writeReportFile(state, stepsReport(state, settings, this.#paths.journal), this.#paths.reserve);
  };
}

function isLeaving({ type }: RunEvent): boolean {
  return type === "run_stopped" || type === "run_ended";
}

function restoreStatuses({ steps }: RunState, { stepsDir }: StepsSettings): void {
  for (const left of steps) restoreStatus(join(stepsDir, left.step.file), left);
}

/** A verdict on work is followed by a mark in the step's file, so the progress moves then. */
function movesProgress(event: RunEvent): boolean {
  switch (event.type) {
    case "run_started":
    case "run_resumed":
    case "run_stopped":
    case "run_ended":
    case "step_marked":
    case "step_refused":
    case "question_asked":
    case "question_answered":
      return true;
    case "attempt_judged":
      return event.attempt === 0;
    default:
      return false;
  }
}

function stepsSettings({ settings }: RunState): StepsSettings {
  if (settings.mode !== "run") throw new Error(`these are the files of another mode than ${settings.mode}`);
  return settings;
}

/** If the directory itself is gone, the file has no place. The next step reports that. */
function writeProgress(
  state: RunState,
  settings: StepsSettings,
  write: (path: string, text: string) => void,
): void {
  const path = progressPath(settings);
  if (!isItself(settings.stepsDir)) return;
  try {
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) fs.rmSync(path, { recursive: true });
    write(path, progressMarkdown(state, settings));
  } catch (error) {
    const about = { path, why: messageOf(error), runId: state.runId };
    throw new Failure("state_write_failed", about, { cause: error });
  }
}
