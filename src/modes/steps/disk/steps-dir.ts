import fs from "node:fs";
import { join } from "node:path";
import { errorCode, messageOf } from "../../../platform/failure.ts";
import type { Step } from "../../../core/step.ts";
import { duplicates, mismatches, mixedLengths } from "../across-steps.ts";
import { looksLikeStep } from "../read-step.ts";
import type { StepProblem, StepWarning } from "../../../text/json/problem.ts";
import { readStepFile } from "./step-bytes.ts";

const MAX_STEP_FILES = 10_000;

export interface Steps {
  readonly kind: "steps";
  /** In the order of their file names, without those that have problems. */
  readonly steps: readonly Step[];
  /** Other `.json` names. */
  readonly skipped: readonly string[];
  readonly warnings: readonly StepWarning[];
  readonly problems: readonly StepProblem[];
}

/** Why a directory holds no steps at all. */
export type StepsDirRefusal =
  | { readonly kind: "missing" | "not_a_directory" | "no_json" }
  | { readonly kind: "unreadable"; readonly why: string }
  | { readonly kind: "no_steps"; readonly names: readonly string[] }
  | { readonly kind: "too_many"; readonly count: number; readonly limit: number };

export type StepsDir = Steps | StepsDirRefusal;

/** Reports all problems at once, before anything runs. */
export function readStepsDir(dir: string): StepsDir {
  const names = jsonNames(dir);
  if (!Array.isArray(names)) return names;
  if (names.length === 0) return { kind: "no_json" };
  const files = names.filter((name) => looksLikeStep(name));
  if (files.length === 0) return { kind: "no_steps", names };
  if (files.length > MAX_STEP_FILES) {
    return { kind: "too_many", count: files.length, limit: MAX_STEP_FILES };
  }
  const read = files.map((file) => readStepFile(join(dir, file), file));
  const steps = read.flatMap((one) => ("step" in one ? [one.step] : []));
  const problems = read.flatMap((one) => ("problems" in one ? one.problems : []));
  return {
    kind: "steps",
    steps,
    skipped: names.filter((name) => !looksLikeStep(name)),
    warnings: [...mixedLengths(files), ...mismatches(steps)],
    problems: [...problems, ...duplicates(files, steps)],
  };
}

/** In the order of their code units, which does not depend on a locale. */
function jsonNames(dir: string): string[] | StepsDirRefusal {
  try {
    return fs
      .readdirSync(dir)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return { kind: "missing" };
    return code === "ENOTDIR" ? { kind: "not_a_directory" } : { kind: "unreadable", why: messageOf(error) };
  }
}
