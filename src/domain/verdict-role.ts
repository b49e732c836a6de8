import type { FailureClass } from "./agent-turn.ts";
import type { BoardRole } from "./board/answer.ts";
import { reportIn, roleOf } from "./board/iterations.ts";
import type { Order } from "./board/order.ts";
import type { RoleReport } from "./event.ts";
import { succeeded, type ProcessEnd } from "./process-end.ts";
import type { Reason } from "./reason.ts";
import type { Attempt } from "./state.ts";
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
  /** TEST put back tests that were red before another role changed them; they may pass now. */
  readonly restored: boolean;
}

/** The verdict on what a role did: its claim has to be borne out by what the foreman saw. */
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

/** The last look at everything before a run ends well. */
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
      // To have found somebody at fault is what an investigation is for.
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

/** Something that a report has to say and does not. */
export interface Lack {
  readonly what: (typeof LACKS)[number];
  /** Which files, requirements or tasks. */
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

/** Who does not claim to have done it need not show it either. */
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

/** A test that ran and failed: not one that could not be found, hung, or was killed. */
export function isRed(end: ProcessEnd): boolean {
  return end.kind === "exited" && end.code > 0 && end.code < 126;
}

export const SEEN = ["green", "red", "not_run"] as const;
/** What an acceptance command showed: one that was not found, hung, or was killed shows nothing about the work. */
export type Seen = (typeof SEEN)[number];

export function seenAs(end: ProcessEnd): Seen {
  if (succeeded(end)) return "green";
  return isRed(end) ? "red" : "not_run";
}
