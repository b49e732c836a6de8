import { succeeded, type ProcessEnd } from "../process-end.ts";
import type { Reason } from "../reason.ts";
import type { TestFindings } from "./findings.ts";

/** Whether a run speaks for the work: the command ended well, and its tests say nothing against it. */
export function speaksFor(findings: Omit<TestFindings, "kept"> | null, end: ProcessEnd): boolean {
  return succeeded(end) && against(findings, end).length === 0;
}

/** What the tests of one run say against it. */
export function against(findings: Omit<TestFindings, "kept"> | null, end: ProcessEnd): Reason[] {
  if (!findings) return [];
  const { passed, failed, vanished, skippedNow, complete, exitedBy, runners } = findings;
  return [
    // Where the command says so itself it need not be said twice.
    ...(failed > 0 && succeeded(end) ? (["tests_failed"] as const) : []),
    ...(exitedBy.length > 0 ? (["exited_by_product"] as const) : []),
    ...(complete ? [] : (["tests_cut_short"] as const)),
    ...(runners.length > 0 && passed + failed === 0 ? (["no_tests"] as const) : []),
    ...(vanished.count > 0 ? (["tests_vanished"] as const) : []),
    ...(skippedNow.count > 0 ? (["tests_skipped"] as const) : []),
  ];
}
