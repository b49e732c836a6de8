import type { Oracle } from "../domain/oracle/oracle.ts";
import type { Captured } from "../domain/process-end.ts";
import { writeResults } from "../domain/tests/kept-results.ts";
import type { TestReport } from "../domain/tests/result.ts";
import { keep } from "./keep.ts";
import type { RunContext } from "./ports.ts";

export function keepResults(path: string, report: TestReport, { redactor }: RunContext): Captured {
  return keep(path, writeResults(redactor.deep(report)));
}

/** Runners write them for tests that have none yet. */
const SNAPSHOTS = /(?:^|\/)__snapshots__\/|\.(?:snap|ambr)$/;

/** What configures is written anew by what installs and builds; tests and scripts are by nobody. */
export function isWatched(path: string, { kindOf }: Oracle): boolean {
  const kind = kindOf(path);
  return (kind === "test" || kind === "script") && !SNAPSHOTS.test(path);
}
