import fs from "node:fs";
import { join } from "node:path";
import type { RunEvent } from "../../core/event.ts";
import { Failure, messageOf } from "../../platform/failure.ts";
import type { StepsSettings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { isItself } from "../../platform/files/directories.ts";
import { writeFileAtomic, writeFileDurable } from "../../platform/files/write-file.ts";
import { progressMarkdown } from "./progress.ts";
import { progressPath } from "./step-outcome.ts";
import { restoreStatus } from "./disk/write-step.ts";
import type { RunFiles } from "../../engine/files.ts";

/** The file of `run`: run-progress.md beside the steps, which is always current. */
export function stepsFiles(settings: StepsSettings): RunFiles {
  return {
    follow(event, state) {
      if (isLeaving(event)) restoreStatuses(state, settings);
      // During the run the file can be rebuilt from the journal. Its final content must be durable.
      if (movesProgress(event))
        writeProgress(state, settings, isLeaving(event) ? writeFileDurable : writeFileAtomic);
    },
    /** A crash may have kept the end out of the progress file. */
    leave: (state) => writeProgress(state, settings, writeFileDurable),
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
