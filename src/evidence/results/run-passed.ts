import { succeeded, type ProcessEnd } from "../../platform/process/process-end.ts";
import type { Reason } from "../../core/reason.ts";
import type { TestFindings } from "../../core/evidence/findings.ts";

/** Whether the command succeeded and its tests show no problem. */
export function runPassed(findings: Omit<TestFindings, "kept"> | null, end: ProcessEnd): boolean {
  return succeeded(end) && reasonsAgainst(findings, end).length === 0;
}

/** Reasons to reject the work, from the tests of one run. */
export function reasonsAgainst(findings: Omit<TestFindings, "kept"> | null, end: ProcessEnd): Reason[] {
  if (!findings) return [];
  const { passed, failed, vanished, skippedNow, complete, exitedBy, runners } = findings;
  return [
    // If the command failed too, its own reason covers this.
    ...(failed > 0 && succeeded(end) ? (["tests_failed"] as const) : []),
    ...(exitedBy.length > 0 ? (["exited_by_product"] as const) : []),
    ...(complete ? [] : (["tests_cut_short"] as const)),
    ...(runners.length > 0 && passed + failed === 0 ? (["no_tests"] as const) : []),
    ...(vanished.count > 0 ? (["tests_vanished"] as const) : []),
    ...(skippedNow.count > 0 ? (["tests_skipped"] as const) : []),
  ];
}
