import type { Oracle } from "../domain/oracle/oracle.ts";
import type { Captured } from "../domain/process-end.ts";
import { writeResults } from "../domain/tests/kept-results.ts";
import type { TestReport } from "../domain/tests/result.ts";
import { failureMessage } from "../domain/tests/failure-message.ts";
import type { Redactor } from "../domain/redact.ts";
import { keep } from "./keep.ts";
import type { RunContext } from "./ports.ts";

export function keepResults(path: string, report: TestReport, { redactor }: RunContext): Captured {
  return keep(path, writeResults(redactedReport(report, redactor)));
}

/** Names of tests are redacted before they are compared: the results of the base are kept redacted, and have to match. */
export function redactedReport(report: TestReport, redactor: Redactor): TestReport {
  return {
    ...report,
    results: report.results.map((result) => ({
      suite: redactor.text(result.suite),
      name: redactor.text(result.name),
      status: result.status,
      ...(result.message !== undefined && { message: failureMessage(result, redactor) }),
    })),
    exitedBy: report.exitedBy.map((file) => redactor.text(file)),
  };
}

/** Runners write them for tests that have none yet. */
const SNAPSHOTS = /(?:^|\/)__snapshots__\/|\.(?:snap|ambr)$/;

/** What configures is written anew by what installs and builds; tests and scripts are by nobody. */
export function isWatched(path: string, { kindOf }: Oracle): boolean {
  const kind = kindOf(path);
  return (kind === "test" || kind === "script") && !SNAPSHOTS.test(path);
}
