import { captured } from "../../platform/process/process-end.ts";
import { about, count, flag, foreign, list, object, type TypeOf } from "../../text/shape.ts";
import { runners } from "./result.ts";

/** Names of tests or files. */
export const names = about(
  object({ count, some: list(foreign()) }),
  "Number of names, and the first of them",
);
export type Names = TypeOf<typeof names>;

/** The limit of names of each kind in an event; the rest is in the kept results. */
export const MAX_NAMES = 20;

export const NO_NAMES: Names = { count: 0, some: [] };

export function firstNames(all: readonly string[]): Names {
  return { count: all.length, some: all.slice(0, MAX_NAMES) };
}

/** The part that reports include as well. */
export const passedOrNot = object({
  runners,
  passed: count,
  failed: count,
  skipped: count,
  added: about(count, "number of tests that are new since the base"),
  regressed: about(names, "tests that passed on the base and fail now"),
  vanished: about(names, "tests that ran on the base and do not run now"),
  complete: about(flag, "every runner that started also finished"),
  kept: about(captured, "file with all results, one per line"),
});

/** A run of a test command, test by test, compared with its run on the base. */
export const findings = object({
  ...passedOrNot.fields,
  /** Failed on the base and fail now. */
  alreadyFailing: names,
  /** Fail now, and the base does not have them. */
  newFailing: names,
  /** Fail now, and the command was not run on the base. */
  failing: names,
  /** Ran on the base and are skipped now. */
  skippedNow: names,
  /** For the tests that fail now, by their names above; not all runners give a message. */
  failures: list(object({ test: foreign(), message: foreign() })),
  exitedBy: list(foreign()),
});
export type TestFindings = TypeOf<typeof findings>;
/** A failed test with the runner's message. */
export type TestFailure = TestFindings["failures"][number];

/** Whether any test was reported, here or on the base; otherwise there is nothing to count. */
export function reportsTests(shown: Pick<TestFindings, "runners" | "vanished">): boolean {
  return shown.runners.length > 0 || shown.vanished.count > 0;
}

/** Whether every failed test has a message: then a person does not need the command's output. */
export function explainsItself(shown: TestFindings | null): boolean {
  if (!shown || shown.failed === 0 || !shown.complete) return false;
  const explained = new Set(shown.failures.map(({ test }) => test));
  return [shown.regressed, shown.newFailing, shown.failing, shown.alreadyFailing]
    .flatMap(({ some }) => some)
    .every((test) => explained.has(test));
}
