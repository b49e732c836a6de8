import type { ProtectedFiles } from "../protected/protected-files.ts";
import type { Artifact } from "../../platform/process/process-end.ts";
import { writeResults } from "../results/kept-results.ts";
import type { TestReport } from "../../core/evidence/result.ts";
import { failureMessage } from "../results/failure-message.ts";
import type { Redactor } from "../../text/redact.ts";
import { writeArtifact } from "../../platform/files/artifact.ts";
import type { EvidenceContext } from "./evidence-context.ts";

export function keepResults(path: string, report: TestReport, { redactor }: EvidenceContext): Artifact {
  return writeArtifact(path, writeResults(redactedReport(report, redactor)));
}

/** Redacts test names before they are compared, because the base's results are stored redacted and must match. */
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

/** Runners write snapshots for tests that have none yet. */
const SNAPSHOTS = /(?:^|\/)__snapshots__\/|\.(?:snap|ambr)$/;

/** Installers and builds rewrite configuration. Nothing legitimate rewrites tests, scripts and declared files. */
export function isWatched(path: string, { kindOf }: ProtectedFiles): boolean {
  const kind = kindOf(path);
  return (kind === "test" || kind === "script" || kind === "declared") && !SNAPSHOTS.test(path);
}
