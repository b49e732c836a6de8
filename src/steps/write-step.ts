import fs from "node:fs";
import { dirname, join } from "node:path";
import { Failure, messageOf } from "../domain/failure.ts";
import { DONE, type Step, type StepStatus, type UnitTest } from "../domain/step.ts";
import { withStatus, withUnitTest } from "../domain/steps/edit-step.ts";
import { changedFields, type StepField } from "../domain/steps/same-step.ts";
import type { StepProblem } from "../domain/steps/step-problem.ts";
import { isItself } from "../files/directories.ts";
import { writeFileDurable } from "../files/write-file.ts";
import { MAX_BYTES, readStepFile, sha256Of, type StepText } from "./step-bytes.ts";
import { readStepsDir } from "./steps-dir.ts";

/** What the run last knew of a step file. */
export interface Known {
  readonly sha256: string;
  readonly step: Step;
}
export interface StepChange {
  readonly status: StepStatus;
  /** Null: the one that stands there stays. */
  readonly unitTest: UnitTest | null;
}

interface Changed {
  readonly kind: "changed";
  readonly fields: readonly StepField[];
}
interface Invalid {
  readonly kind: "invalid";
  readonly problems: readonly StepProblem[];
}
export type MarkResult =
  /** `edited`: somebody else had changed what does not make the step another; the change was made in his text. */
  | { readonly kind: "marked"; readonly sha256: string; readonly edited: boolean }
  | Changed
  | Invalid
  | { readonly kind: "failed"; readonly why: string };

/** `edited`: bytes are other, the step is the same; here as it reads now. */
export type Look =
  | { readonly kind: "same" }
  | { readonly kind: "edited"; readonly step: Step }
  | Changed
  | Invalid;

/** What became of a step file since it was known. */
export function lookAt(path: string, known: Known): Look {
  const now = readAgain(path, known, [known.step.unitTest]);
  if ("kind" in now) return now;
  return now.step.sha256 === known.sha256 ? { kind: "same" } : { kind: "edited", step: now.step };
}

/**
 * Writes a change into a step file as it stands now. A file that already says so is left alone: a crash may have come between
 * the write and its record.
 */
export function markStep(path: string, known: Known, change: StepChange): MarkResult {
  const now = readAgain(path, known, [known.step.unitTest, change.unitTest ?? known.step.unitTest]);
  if ("kind" in now) return now;
  const marked = withStatus(now.text, change.status);
  const target = change.unitTest === null ? marked : withUnitTest(marked, change.unitTest);
  if (target === now.text) return { kind: "marked", sha256: now.step.sha256, edited: false };
  // It could not be read again.
  if (Buffer.byteLength(target) > MAX_BYTES) return { kind: "failed", why: "it would become too large" };
  try {
    refuseReadOnly(path, now.mode);
    writeFileDurable(path, target, now.mode & 0o7777);
  } catch (error) {
    return { kind: "failed", why: messageOf(error) };
  }
  return { kind: "marked", sha256: sha256Of(target), edited: now.step.sha256 !== known.sha256 };
}

/** A step as a run knew it when the run was left. */
export interface LeftStep extends Pick<Step, "status" | "unitTest"> {
  /** As its file said it when the run started. */
  readonly step: Step;
}

export function isSameStep({ step, unitTest }: LeftStep, now: Step): boolean {
  return changedFields(step, now, [step.unitTest, unitTest]).length === 0;
}

/**
 * Puts the run's own status back into a step file. Without it, the next run would believe a status that the agent wrote. The rest of
 * the file stays. A file that holds another step by now does not become done.
 */
export function restoreStatus(path: string, left: LeftStep): void {
  if (!isItself(dirname(path))) return;
  const now = readStepFile(path, left.step.file);
  if ("problems" in now || now.step.status === left.status) return;
  if (left.status === DONE && !isSameStep(left, now.step)) return;
  try {
    writeStatus(path, now, left.status);
  } catch {
    // The report names the file as edited.
  }
}

export interface LoweredStatus {
  readonly file: string;
  readonly from: StepStatus;
  readonly to: StepStatus;
}

/**
 * Takes back what only an agent of a killed run can have marked as done. A step is known by its content, because a person may have
 * renamed files or written new steps since.
 */
export function lowerStatuses(stepsDir: string, left: readonly LeftStep[]): readonly LoweredStatus[] {
  const found = readStepsDir(stepsDir);
  if (found.kind !== "steps") return [];
  return found.steps.flatMap(({ file, status }): LoweredStatus[] => {
    const path = join(stepsDir, file);
    const now = status === DONE ? readStepFile(path, file) : null;
    if (!now || "problems" in now) return [];
    const known = left.find((each) => isSameStep(each, now.step));
    if (!known || known.status === DONE) return [];
    try {
      writeStatus(path, now, known.status);
    } catch (error) {
      throw new Failure("step_status_stays", { path, why: messageOf(error) }, { cause: error });
    }
    return [{ file, from: status, to: known.status }];
  });
}

function writeStatus(path: string, { text, mode }: StepText, status: StepStatus): void {
  refuseReadOnly(path, mode);
  writeFileDurable(path, withStatus(text, status), mode & 0o7777);
}

function readAgain(
  path: string,
  { step }: Known,
  unitTests: readonly (UnitTest | null)[],
): StepText | Changed | Invalid {
  if (!isItself(dirname(path))) return { kind: "invalid", problems: [{ kind: "gone", file: step.file }] };
  const now = readStepFile(path, step.file);
  if ("problems" in now) return { kind: "invalid", problems: now.problems };
  const fields = changedFields(step, now.step, unitTests);
  return fields.length === 0 ? now : { kind: "changed", fields };
}

/** A rename needs no right to write the file itself, and root needs none at all: both would get around a person's protection. */
export function refuseReadOnly(path: string, mode: number): void {
  if ((mode & 0o222) === 0) throw new Error("EACCES: it is read-only");
  // Not access(), which asks for the real user instead of the effective one. A pipe in its place must not be waited for.
  fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY | (fs.constants.O_NONBLOCK ?? 0)));
}
