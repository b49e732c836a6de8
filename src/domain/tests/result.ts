export const RUNNERS = [
  "node:test",
  "vitest",
  "jest",
  "mocha",
  "pytest",
  "unittest",
  "go",
  "cargo",
  "junit",
  "tap",
  "ava",
  "uvu",
  "ctest",
  "bats",
] as const;
/** Who told which tests ran. */
export type Runner = (typeof RUNNERS)[number];

const STATUSES = ["passed", "failed", "skipped"] as const;
export type TestStatus = (typeof STATUSES)[number];

export interface TestResult {
  /** The file or package it is in, as the runner names it, relative to the work tree; empty: not told. */
  readonly suite: string;
  /** The runner's full name; nested ones joined by ` > `. */
  readonly name: string;
  readonly status: TestStatus;
  /** Why it failed, in the runner's words; absent: it did not, or the runner did not say. */
  readonly message?: string;
  /** The values that a failed assertion compared, as texts. Their short forms become part of the message. */
  readonly compared?: Comparison;
}

export interface Comparison {
  readonly expected: string;
  readonly actual: string;
  /** Whether the runner made the message: the lines after its first one then show the same two values. */
  readonly generated: boolean;
}

/** What one run of a test command told, test by test. */
export interface TestReport {
  readonly runners: readonly Runner[];
  readonly results: readonly TestResult[];
  /** Whether every runner that began came to its own end: product code can end the process under it. */
  readonly complete: boolean;
  /** What made tests end as if all were well: files of the product, or else the tests, or what stands in the place of something else. */
  readonly exitedBy: readonly string[];
}

export function isRunner(value: unknown): value is Runner {
  return RUNNERS.some((runner) => runner === value);
}

export function isStatus(value: unknown): value is TestStatus {
  return STATUSES.some((status) => status === value);
}
