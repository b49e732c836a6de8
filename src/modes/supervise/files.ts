import fs from "node:fs";
import { dirname, join } from "node:path";
import type { RunEvent } from "../../core/event.ts";
import { writeState } from "../../platform/files/write-state.ts";
import { makeDirectories } from "../../platform/files/directories.ts";
import { readPlainFile } from "../../platform/files/read-file.ts";
import { writeFileAtomic } from "../../platform/files/write-file.ts";
import { attemptReport } from "./report.ts";
import type { SuperviseSettings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { removeAny } from "../../platform/files/remove.ts";
import { previousFeedback } from "../../engine/feedback.ts";
import { writeSuperviseFeedback } from "./feedback.ts";
import type { RunFiles } from "../../engine/files.ts";

const RUNS_FOLDER = ".goldagent-supervise";
const IGNORE_ALL = "*\n";

export function superviseRunDir(calledFrom: string, runId: string): string {
  return join(calledFrom, RUNS_FOLDER, runId);
}

/** The files that `supervise` leaves in the directory of the call. */
export class SuperviseFiles implements RunFiles {
  readonly #settings: SuperviseSettings;
  readonly #runDir: string;
  readonly #feedback: string;
  readonly #ignore: string;

  constructor(settings: SuperviseSettings, runId: string) {
    const { calledFrom } = settings;
    this.#settings = settings;
    this.#runDir = superviseRunDir(calledFrom, runId);
    this.#feedback = join(this.#runDir, "feedback.md");
    this.#ignore = join(calledFrom, RUNS_FOLDER, ".gitignore");
  }

  readonly environment = (attempt: number): Record<string, string> => ({
    GA_PREV_FEEDBACK_FILE: this.#feedback,
    GA_RUN_DIR: this.#runDir,
    GA_ATTEMPT_DIR: this.#attemptDir(attempt),
  });

  /** Makes git ignore the folder. */
  readonly prepare = (): void => {
    writeState(this.#runDir, () => {
      this.#ensureRunDir();
      if (!holds(this.#ignore, IGNORE_ALL)) replace(this.#ignore, IGNORE_ALL);
    });
  };

  readonly discard = (): void => discardRunDir(this.#runDir);

  /** Writes the input of the next attempt, and prepares the place for its output. */
  readonly prepareTurn = (attempt: number, feedback: string): void => {
    this.prepare();
    writeState(this.#runDir, () => {
      ensureDirectory(this.#attemptDir(attempt));
      if (!holds(this.#feedback, feedback)) replace(this.#feedback, feedback);
    });
  };

  readonly follow = (event: RunEvent, state: RunState): void => {
    if (event.type !== "attempt_judged") return;
    this.#writeAttempt(state, event.attempt);
    this.#writeFeedback(previousFeedback(state, writeSuperviseFeedback));
  };

  /** Also restores files that a crash prevented or that others changed. */
  readonly leave = (state: RunState): void => {
    this.prepare();
    this.#writeFeedback(previousFeedback(state, writeSuperviseFeedback));
    for (const { index } of state.attempts) this.#writeAttempt(state, index);
  };

  #attemptDir(index: number): string {
    return join(this.#runDir, `attempt-${index}`);
  }

  #writeAttempt(state: RunState, index: number): void {
    const attempt = state.attempts[index - 1];
    const report = attempt && attemptReport(attempt, state.attempts, this.#settings);
    if (!report) return;
    const path = join(this.#runDir, `attempt-${index}.json`);
    const text = `${JSON.stringify(report, null, 2)}\n`;
    writeState(path, () => {
      this.#ensureRunDir();
      if (!holds(path, text)) replace(path, text);
    });
  }

  #writeFeedback(text: string): void {
    writeState(this.#feedback, () => {
      this.#ensureRunDir();
      replace(this.#feedback, text);
    });
  }

  #ensureRunDir(): void {
    const folder = dirname(this.#runDir);
    // A file of that name is not ours.
    if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isFile())
      throw new Error(`${RUNS_FOLDER} is a file`);
    ensureDirectory(folder);
    ensureDirectory(this.#runDir);
  }
}

/** Also removes the folder of all runs if no other run is in it. */
export function discardRunDir(runDir: string): void {
  removeAny(runDir);
  const folder = dirname(runDir);
  if (fs.existsSync(folder) && fs.readdirSync(folder).every((name) => name === ".gitignore"))
    removeAny(folder);
}

/** Ensures a real directory at the path: a link that an agent planted there is removed, not followed. */
function ensureDirectory(path: string): void {
  const there = fs.lstatSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there) fs.unlinkSync(path);
  makeDirectories(path);
}

function holds(path: string, text: string): boolean {
  return (
    fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() === true &&
    readPlainFile(path).toString("utf8") === text
  );
}

/** The rename replaces a link but fails on a directory, so a directory is removed first. */
function replace(path: string, text: string): void {
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) fs.rmSync(path, { recursive: true });
  writeFileAtomic(path, text);
}
