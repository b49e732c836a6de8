import type { StepStatus, UnitTest } from "../step.ts";
import type { PlannedStep, Requirement } from "./requirements.ts";

/** Events about steps and their files. */
export type StepEvent = StepStarted | StepMarked | StepRefused | StepsWritten;

/** The run turns to a step. */
export interface StepStarted {
  readonly type: "step_started";
  /** From 1, in the order of the settings. */
  readonly step: number;
  /** The step is marked as done, and the run checks that it still is. */
  readonly regression: boolean;
}
/** The step's file holds this now. Written when it is under way it begins an attempt. */
export interface StepMarked {
  readonly type: "step_marked";
  readonly step: number;
  readonly status: StepStatus;
  readonly unitTest: UnitTest | null;
  readonly sha256: string;
  /** The file was changed by someone else; their text was kept. */
  readonly edited: boolean;
}
/** The step's file could not be read or written, or says something else than the run was started with. */
export interface StepRefused {
  readonly type: "step_refused";
  readonly step: number;
  readonly why: "changed" | "invalid" | "write_failed";
  readonly message: string;
}
/** The result of an analysis. */
export interface StepsWritten {
  readonly type: "steps_written";
  /** In a dry run: where they would be. */
  readonly dir: string;
  readonly files: readonly string[];
  /** Of each file, what its step says. */
  readonly steps: readonly PlannedStep[];
  /** What the document asks for. */
  readonly requirements: readonly Requirement[];
  /** The directory held these very files already; left out where they were written. */
  readonly unchanged?: true;
}
