import fs from "node:fs";
import { dirname, join } from "node:path";
import { Failure, messageOf } from "../../../platform/failure.ts";
import { DONE, type Step, type StepStatus, type UnitTest } from "../../../core/step.ts";
import { withStatus, withUnitTest } from "../edit-step.ts";
import { changedFields, type StepField } from "../same-step.ts";
import type { StepProblem } from "../../../text/json/problem.ts";
import { isItself } from "../../../platform/files/directories.ts";
import { writeFileDurable } from "../../../platform/files/write-file.ts";
import { MAX_BYTES, readStepFile, type StepText } from "./step-bytes.ts";
import { readStepsDir } from "./steps-dir.ts";
import { sha256Of } from "../../../platform/files/sha256.ts";

/** The run's last knowledge of a step file. */
export interface Known {
  readonly sha256: string;
  readonly step: Step;
}
export interface StepChange {
  readonly status: StepStatus;
  /** Null: keep the current one. */
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
  /** `edited`: others had changed the file without changing the step; the change was made in their text. */
  | { readonly kind: "marked"; readonly sha256: string; readonly edited: boolean }
  | Changed
  | Invalid
  | { readonly kind: "failed"; readonly why: string };

/** `edited`: the bytes differ but the step is the same. Contains its current form. */
export type Look =
  | { readonly kind: "same" }
  | { readonly kind: "edited"; readonly step: Step }
  | Changed
  | Invalid;

/** Compares a step file with its known state. */
export function lookAt(path: string, known: Known): Look {
  const now = readAgain(path, known, [known.step.unitTest]);
  if ("kind" in now) return now;
  return now.step.sha256 === known.sha256 ? { kind: "same" } : { kind: "edited", step: now.step };
}

/**
 * Writes a change into the current step file. A file that already has the change is left alone, because a crash may have come between the write and
 * its record.
 */
export function markStep(path: string, known: Known, change: StepChange): MarkResult {
  const now = readAgain(path, known, [known.step.unitTest, change.unitTest ?? known.step.unitTest]);
  if ("kind" in now) return now;
  const marked = withStatus(now.text, change.status);
  const target = change.unitTest === null ? marked : withUnitTest(marked, change.unitTest);
  if (target === now.text) return { kind: "marked", sha256: now.step.sha256, edited: false };
  // Otherwise it could not be read again.
  if (Buffer.byteLength(target) > MAX_BYTES) return { kind: "failed", why: "it would become too large" };
  try {
    refuseReadOnly(path, now.mode);
    writeFileDurable(path, target, now.mode & 0o7777);
  } catch (error) {
    return { kind: "failed", why: messageOf(error) };
  }
  return { kind: "marked", sha256: sha256Of(target), edited: now.step.sha256 !== known.sha256 };
}

/** The run's view of a step when the run was left. */
export interface LeftStep extends Pick<Step, "status" | "unitTest"> {
  /** The step as in its file at the start of the run. */
  readonly step: Step;
}

export function isSameStep({ step, unitTest }: LeftStep, now: Step): boolean {
  return changedFields(step, now, [step.unitTest, unitTest]).length === 0;
}

/**
 * Restores the run's own status in a step file. Without it, the next run would believe a status that the agent wrote. The rest of the file stays. A
 * file that holds another step by now does not become done.
 */
export function restoreStatus(path: string, left: LeftStep): void {
  if (!isItself(dirname(path))) return;
  const now = readStepFile(path, left.step.file);
  if ("problems" in now || now.step.status === left.status) return;
  if (left.status === DONE && !isSameStep(left, now.step)) return;
  try {
    writeStatus(path, now, left.status);
  } catch {
    // The report lists the file as edited.
  }
}

export interface LoweredStatus {
  readonly file: string;
  readonly from: StepStatus;
  readonly to: StepStatus;
}

/**
 * Reverts done marks that only an agent of a killed run can have made. A step is known by its content, because a person may have renamed files or
 * written new steps since.
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

/** A rename needs no right to write the file, and root needs no rights at all. Both would bypass a person's protection. */
export function refuseReadOnly(path: string, mode: number): void {
  if ((mode & 0o222) === 0) throw new Error("EACCES: it is read-only");
  // Not access(), which checks the real user instead of the effective one. O_NONBLOCK avoids waiting for a pipe in its place.
  fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY | (fs.constants.O_NONBLOCK ?? 0)));
}
