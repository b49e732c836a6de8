import fs from "node:fs";
import { dirname, join } from "node:path";
import { Failure, messageOf } from "../domain/failure.ts";
import { makeDirectories } from "../files/directories.ts";
import { readPlainFile } from "../files/read-file.ts";
import { writeFileAtomic, writeFileDurable } from "../files/write-file.ts";
import { attemptReport, runReport } from "../reports/report.ts";
import type { RunState } from "../domain/state.ts";

const RUNS_FOLDER = ".goldagent-supervise";
const IGNORE_ALL = "*\n";

/**
 * The files a run leaves where it was called from. All of them are written from the journal and can be rebuilt; the agent
 * can reach them, so nothing read back is ever believed.
 */
export class WorkFiles {
  readonly runDir: string;
  readonly feedback: string;
  readonly #ignore: string;

  constructor(calledFrom: string, runId: string) {
    this.runDir = join(calledFrom, RUNS_FOLDER, runId);
    this.feedback = join(this.runDir, "feedback.md");
    this.#ignore = join(calledFrom, RUNS_FOLDER, ".gitignore");
  }

  attemptDir(index: number): string {
    return join(this.runDir, `attempt-${index}`);
  }

  /** Git is told to look away from it. */
  prepare(): void {
    guard(this.runDir, () => {
      this.#ensureRunDir();
      if (!holds(this.#ignore, IGNORE_ALL)) replace(this.#ignore, IGNORE_ALL);
    });
  }

  /** For a run that never started. */
  discard(): void {
    fs.rmSync(this.runDir, { recursive: true, force: true });
    const folder = dirname(this.runDir);
    if (fs.existsSync(folder) && fs.readdirSync(folder).every((name) => name === ".gitignore"))
      fs.rmSync(folder, { recursive: true, force: true });
  }

  /** What the next attempt reads and where it may write. */
  prepareTurn(attempt: number, feedback: string): void {
    this.prepare();
    guard(this.runDir, () => {
      ensureDirectory(this.attemptDir(attempt));
      if (!holds(this.feedback, feedback)) replace(this.feedback, feedback);
    });
  }

  writeAttempt(state: RunState, index: number): void {
    const attempt = state.attempts[index - 1];
    const report = attempt && attemptReport(attempt, state);
    if (!report) return;
    const path = join(this.runDir, `attempt-${index}.json`);
    const text = `${JSON.stringify(report, null, 2)}\n`;
    guard(path, () => {
      this.#ensureRunDir();
      if (!holds(path, text)) replace(path, text);
    });
  }

  writeFeedback(text: string): void {
    guard(this.feedback, () => {
      this.#ensureRunDir();
      replace(this.feedback, text);
    });
  }

  /**
   * The final report, and whatever attempt files are missing or were changed. On a full disk the reserve is given up for it: the end of a
   * run is worth more than space set aside.
   */
  writeReport(state: RunState, journalPath: string, reserve: string): void {
    const report = runReport(state, { runDir: this.runDir, journal: journalPath });
    const text = `${JSON.stringify(report, null, 2)}\n`;
    try {
      try {
        writeFileDurable(state.settings.reportPath, text);
      } catch {
        fs.rmSync(reserve, { force: true, recursive: true });
        writeFileDurable(state.settings.reportPath, text);
      }
    } catch (error) {
      const about = { runId: state.runId, path: state.settings.reportPath, why: messageOf(error) };
      throw new Failure("report_write_failed", about, { cause: error });
    }
    for (const { index } of state.attempts) this.writeAttempt(state, index);
    // A run that may go on will need it again.
    if (state.ended) fs.rmSync(reserve, { force: true, recursive: true });
  }

  #ensureRunDir(): void {
    const folder = dirname(this.runDir);
    // A file of that name is somebody's.
    if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isFile())
      throw new Error(`${RUNS_FOLDER} is a file`);
    ensureDirectory(folder);
    ensureDirectory(this.runDir);
  }
}

/** A real directory at the path: a link that an agent planted there is removed, not followed. */
function ensureDirectory(path: string): void {
  const there = fs.lstatSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there) fs.rmSync(path, { force: true });
  makeDirectories(path);
}

function holds(path: string, text: string): boolean {
  return (
    fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() === true &&
    readPlainFile(path).toString("utf8") === text
  );
}

/** Nothing but a plain file may stand where one is to be put: a link is replaced by the rename, a directory is not. */
function replace(path: string, text: string): void {
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) fs.rmSync(path, { recursive: true });
  writeFileAtomic(path, text);
}

function guard(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new Failure("state_write_failed", { path, why: messageOf(error) }, { cause: error });
  }
}
