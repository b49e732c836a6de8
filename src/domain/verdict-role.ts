import type { FailureClass } from "./agent-turn.ts";
import type { BoardRole } from "./board/answer.ts";
import type { Order } from "./board/order.ts";
import type { RoleReport } from "./event.ts";
import { succeeded, type ProcessEnd } from "./process-end.ts";
import type { Reason } from "./reason.ts";
import { agentReasons, howItFailed, turnReasons, verdictOf, type Verdict } from "./verdict.ts";

/** What is known of a turn of TEST, DEV or REVIEW. */
export interface RoleEvidence {
  readonly role: BoardRole;
  readonly order: Order;
  readonly tasks: readonly string[];
  readonly turn: { readonly end: ProcessEnd; readonly agentFailure: FailureClass | null };
  readonly report: RoleReport;
  /** How the acceptance commands ended that the foreman ran, and how many are due. */
  readonly checks: readonly ProcessEnd[];
  readonly due: number;
}

/** The verdict on what a role did: its claim has to be borne out by what the foreman saw. */
export function judgeRole(evidence: RoleEvidence): Verdict {
  const { turn, report, checks, due } = evidence;
  const reasons: Reason[] = [
    ...turnReasons(turn.end),
    ...agentReasons(turn.agentFailure),
    ...(report.changed !== null && report.changed.length > 0 ? (["forbidden_change"] as const) : []),
    ...claimReasons(evidence),
    ...(checks.length > 0 ? checkReasons(evidence) : []),
  ];
  return verdictOf(reasons, checks.length === due);
}

/** The last look at everything before a run ends well. */
export function judgeFinish(checks: readonly ProcessEnd[], due: number): Verdict {
  return verdictOf(redReasons(checks), checks.length === due);
}

function claimReasons({ role, order, tasks, report }: RoleEvidence): Reason[] {
  const { said } = report;
  const investigates = order.reviewMode === "investigate";
  switch (said.claim) {
    case "BLOCKED":
      return ["role_blocked"];
    case "FAIL":
      // To have found somebody at fault is what an investigation is for.
      return investigates && said.fault !== null ? [] : ["role_failed"];
    case null:
      if (!investigates) return ["report_without_conclusion"];
      return said.fault === null ? ["report_without_conclusion"] : [];
    case "SKIPPED":
      return role === "DEV" && order.selfTest === "disabled" ? [] : ["report_incomplete"];
    case "PASS":
      if (investigates) return said.fault === null ? ["report_incomplete"] : [];
      return isComplete(role, order, tasks, report) ? [] : ["report_incomplete"];
  }
}

function isComplete(
  role: BoardRole,
  order: Order,
  tasks: readonly string[],
  { said, absentFiles }: RoleReport,
): boolean {
  switch (role) {
    case "TEST": {
      const required = Array.from({ length: order.requirements }, (_, index) => index + 1);
      const covers = required.every((item) => said.covered.includes(item));
      return said.testFiles.length > 0 && absentFiles.length === 0 && said.commands.length > 0 && covers;
    }
    case "DEV":
      return true;
    case "REVIEW":
      return tasks.every((id) => said.tasks.includes(id));
  }
}

function checkReasons({ role, order, checks }: RoleEvidence): Reason[] {
  if (role !== "TEST") return redReasons(checks);
  const broken = checks.filter((end) => !succeeded(end) && !isRed(end));
  if (broken.length > 0) return ["acceptance_not_runnable", ...broken.flatMap(howItFailed)];
  return order.redWaiver === null && checks.every(succeeded) ? ["not_red"] : [];
}

function redReasons(checks: readonly ProcessEnd[]): Reason[] {
  const red = checks.filter((end) => !succeeded(end));
  return red.length === 0 ? [] : ["acceptance_failed", ...new Set(red.flatMap(howItFailed))];
}

/** A test that ran and failed: not one that could not be found, hung, or was killed. */
export function isRed(end: ProcessEnd): boolean {
  return end.kind === "exited" && end.code > 0 && end.code < 126;
}
