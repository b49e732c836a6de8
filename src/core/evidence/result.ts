import { about, codes, list, type TypeOf } from "../../text/shape.ts";

const RUNNERS = [
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
export const runners = about(list(codes(RUNNERS)), "Runners that reported their tests");
export type Runner = TypeOf<typeof runners>[number];

const STATUSES = ["passed", "failed", "skipped"] as const;
export type TestStatus = (typeof STATUSES)[number];

export interface TestResult {
  /** Its file or package, by the runner's name for it, relative to the work tree; empty: unknown. */
  readonly suite: string;
  /** The runner's full name; nested ones joined by ` > `. */
  readonly name: string;
  readonly status: TestStatus;
  /** The runner's message about a failure, if any. */
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

/** The results of one run of a test command, test by test. */
export interface TestReport {
  readonly runners: readonly Runner[];
  readonly results: readonly TestResult[];
  /** Whether every runner that began came to its own end: product code can end the process under it. */
  readonly complete: boolean;
  /** The files that ended tests early with a success: files of the product, else of the tests, else replacements of other files. */
  readonly exitedBy: readonly string[];
}

export function isRunner(value: unknown): value is Runner {
  return RUNNERS.some((runner) => runner === value);
}

export function isStatus(value: unknown): value is TestStatus {
  return STATUSES.some((status) => status === value);
}
