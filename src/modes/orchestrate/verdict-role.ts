import type { FailureClass } from "../../core/agent-turn.ts";
import type { BoardRole, Order } from "../../core/board/answer.ts";
import { reportIn, roleOf } from "../../core/board/iterations.ts";
import type { RoleReport } from "../../core/event.ts";
import { succeeded, type ProcessEnd } from "../../platform/process/process-end.ts";
import type { Reason } from "../../core/reason.ts";
import type { Attempt } from "../../core/state.ts";
import { agentReasons, howItFailed, turnReasons, verdictOf, type Verdict } from "../../core/verdict.ts";

/** Evidence about a turn of TEST, DEV or REVIEW. */
export interface RoleEvidence {
  readonly role: BoardRole;
  readonly order: Order;
  readonly tasks: readonly string[];
  readonly turn: { readonly end: ProcessEnd; readonly agentFailure: FailureClass | null };
  readonly report: RoleReport;
  /** Ends of the acceptance commands that the foreman ran, and the number of commands due. */
  readonly checks: readonly ProcessEnd[];
  readonly due: number;
  /** TEST restored tests that were red before another role changed them. They may pass now. */
  readonly restored: boolean;
}

/** The verdict on a role's work: the foreman's evidence has to confirm the role's claim. */
export function judgeRole(evidence: RoleEvidence): Verdict {
  const { turn, report, checks, due } = evidence;
  const reasons: Reason[] = [
    ...turnReasons(turn.end),
    ...agentReasons(turn.agentFailure),
    ...(report.changed !== null && report.changed.length > 0 ? (["forbidden_change"] as const) : []),
    ...(report.unrestored.length > 0 ? (["tests_not_restored"] as const) : []),
    ...claimReasons(evidence),
    ...(checks.length > 0 ? checkReasons(evidence) : []),
  ];
  return verdictOf(reasons, checks.length === due);
}

/** The last check of everything before a run passes. */
export function judgeFinish(checks: readonly ProcessEnd[], due: number): Verdict {
  return verdictOf(redReasons(checks), checks.length === due);
}

function claimReasons(evidence: RoleEvidence): Reason[] {
  const { order, report } = evidence;
  const { said } = report;
  const investigates = order.reviewMode === "investigate";
  switch (said.claim) {
    case "BLOCKED":
      return ["role_blocked"];
    case "FAIL":
      // Finding a fault is the purpose of an investigation.
      return investigates && said.fault !== null ? [] : ["role_failed"];
    case null:
      if (!investigates) return ["report_without_conclusion"];
      return said.fault === null ? ["report_without_conclusion"] : [];
    case "SKIPPED":
    case "PASS":
      return lacks(evidence).length > 0 ? ["report_incomplete"] : [];
  }
}

export const LACKS = [
  "self_test",
  "fault",
  "test_files",
  "absent_files",
  "commands",
  "coverage",
  "tasks",
] as const;

/** A missing part of a report. */
export interface Lack {
  readonly what: (typeof LACKS)[number];
  /** The files, requirements or tasks concerned. */
  readonly about: readonly string[];
}

/** Why the report of an iteration is incomplete, if it is. */
export function lacksIn(attempt: Attempt): readonly Lack[] {
  const role = roleOf(attempt);
  const report = reportIn(attempt);
  const { call } = attempt;
  return role && report && call?.order ? lacks({ role, order: call.order, tasks: call.tasks, report }) : [];
}

type Reported = Pick<RoleEvidence, "role" | "order" | "tasks" | "report">;

/** A role that does not claim success need not prove it. */
function lacks({ role, order, tasks, report }: Reported): readonly Lack[] {
  const { said } = report;
  if (said.claim === "SKIPPED") return missing("self_test", role !== "DEV" || order.selfTest !== "disabled");
  if (said.claim !== "PASS") return [];
  if (order.reviewMode === "investigate") return missing("fault", said.fault === null);
  switch (role) {
    case "TEST":
      return [
        ...missing("test_files", said.testFiles.length === 0),
        ...missingOf("absent_files", report.absentFiles),
        ...missing("commands", said.commands.length === 0),
        ...missingOf("coverage", uncovered(order, said.covered)),
      ];
    case "DEV":
      return [];
    case "REVIEW":
      return missingOf(
        "tasks",
        tasks.filter((id) => !said.tasks.includes(id)),
      );
  }
}

function missing(what: Lack["what"], isMissing: boolean): readonly Lack[] {
  return isMissing ? [{ what, about: [] }] : [];
}

function missingOf(what: Lack["what"], about: readonly string[]): readonly Lack[] {
  return about.length > 0 ? [{ what, about }] : [];
}

function uncovered({ requirements }: Order, covered: readonly number[]): readonly string[] {
  const required = Array.from({ length: requirements }, (_, index) => index + 1);
  return required.filter((item) => !covered.includes(item)).map(String);
}

function checkReasons({ role, order, checks, restored }: RoleEvidence): Reason[] {
  if (role !== "TEST") return redReasons(checks);
  const broken = checks.filter((end) => seenAs(end) === "not_run");
  if (broken.length > 0) return ["acceptance_not_runnable", ...broken.flatMap(howItFailed)];
  return order.redWaiver === null && !restored && checks.every(succeeded) ? ["not_red"] : [];
}

function redReasons(checks: readonly ProcessEnd[]): Reason[] {
  const red = checks.filter((end) => !succeeded(end));
  return red.length === 0 ? [] : ["acceptance_failed", ...new Set(red.flatMap(howItFailed))];
}

/** The test ran and failed. A command that was not found, hung or was killed is not red. */
export function isRed(end: ProcessEnd): boolean {
  return end.kind === "exited" && end.code > 0 && end.code < 126;
}

export const SEEN = ["green", "red", "not_run"] as const;
/** The result of an acceptance command. One that was not found, hung or was killed proves nothing about the work. */
export type Seen = (typeof SEEN)[number];

export function seenAs(end: ProcessEnd): Seen {
  if (succeeded(end)) return "green";
  return isRed(end) ? "red" : "not_run";
}
