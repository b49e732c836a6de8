import type { Captured } from "../process-end.ts";
import type { Runner } from "./result.ts";

/** Names of tests: how many, and the first of them. */
export interface Names {
  readonly count: number;
  readonly some: readonly string[];
}

/** A failed test, and why it failed in the runner's words. */
export interface TestFailure {
  readonly test: string;
  readonly message: string;
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
  /** Of the tests that fail now, by their names above; not all runners say why. */
  readonly failures: readonly TestFailure[];
  readonly complete: boolean;
  readonly exitedBy: readonly string[];
  /** All results, one a line. */
  readonly kept: Captured;
}

/** Whether any test was told, here or on the base; else there is nothing to count. */
export function areTold({ runners, vanished }: Pick<TestFindings, "runners" | "vanished">): boolean {
  return runners.length > 0 || vanished.count > 0;
}

/** Whether every test that failed says why: then the output of the command has nothing to add for a person. */
export function explainsItself(findings: TestFindings | null): boolean {
  if (!findings || findings.failed === 0 || !findings.complete) return false;
  const explained = new Set(findings.failures.map(({ test }) => test));
  return [findings.regressed, findings.newFailing, findings.failing, findings.alreadyFailing]
    .flatMap(({ some }) => some)
    .every((test) => explained.has(test));
}
