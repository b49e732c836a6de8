import type { Captured } from "../process-end.ts";
import type { Runner } from "./result.ts";

/** Names of tests: how many, and the first of them. */
export interface Names {
  readonly count: number;
  readonly some: readonly string[];
}

/** How many names an event holds of each kind; the rest is in the kept results. */
export const NAMES_TOLD = 20;

/** What a run of a test command showed, test by test, beside what its run on the base showed. */
export interface TestFindings {
  readonly runners: readonly Runner[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tests that the base does not have. */
  readonly added: number;
  /** Passed on the base and fail now. */
  readonly regressed: Names;
  /** Failed on the base and fail now. */
  readonly alreadyFailing: Names;
  /** Fail now, and the base does not have them. */
  readonly newFailing: Names;
  /** Fail now, and the command was not run on the base. */
  readonly failing: Names;
  /** Ran on the base and do not run now. */
  readonly vanished: Names;
  /** Ran on the base and are skipped now. */
  readonly skippedNow: Names;
  readonly complete: boolean;
  readonly exitedBy: readonly string[];
  /** All results, one a line. */
  readonly kept: Captured;
}

/** Whether any test was told, here or on the base; else there is nothing to count. */
export function areTold({ runners, vanished }: Pick<TestFindings, "runners" | "vanished">): boolean {
  return runners.length > 0 || vanished.count > 0;
}
