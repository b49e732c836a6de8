import { isUnavailable, type FailureClass } from "./agent-turn.ts";
import type { AttemptJudged, CheckPhase } from "./event.ts";
import { succeeded, type ProcessEnd } from "../platform/process/process-end.ts";
import type { Claim } from "./claim/claim.ts";
import type { Reason } from "./reason.ts";

export interface Verdict {
  readonly verdict: "accepted" | "rejected";
  readonly reasons: readonly Reason[];
}

/** A verdict, with the findings of a look at the files. */
export type Judgement = Pick<AttemptJudged, "verdict" | "reasons" | "changedByChecks">;

export interface AttemptEvidence {
  readonly turnEnd: ProcessEnd;
  readonly claim: Claim;
  /** The turn's failure as the agent reported it; null: no failure, or not asked. */
  readonly agentFailure: FailureClass | null;
  readonly checks: readonly { readonly phase: CheckPhase; readonly end: ProcessEnd }[];
  readonly fastTests: number;
  readonly fullTests: number;
}

/** The verdict on an attempt: a pure function of its evidence. A claim alone never suffices, nor do tests alone. */
export function judge(evidence: AttemptEvidence): Verdict {
  const reasons = [
    ...turnReasons(evidence.turnEnd),
    ...agentReasons(evidence.agentFailure),
    ...claimReasons(evidence.claim),
    ...checkReasons(evidence),
  ];
  return verdictOf(reasons, allChecksPassed(evidence));
}

/** Accepts if there is no reason against it and all required evidence is complete. */
export function verdictOf(reasons: readonly Reason[], complete: boolean): Verdict {
  const unique = [...new Set(reasons)];
  return { verdict: unique.length === 0 && complete ? "accepted" : "rejected", reasons: unique };
}

export function passedChecks(evidence: Pick<AttemptEvidence, "checks">, phase: CheckPhase): number {
  return evidence.checks.filter((check) => check.phase === phase && succeeded(check.end)).length;
}

function allChecksPassed(evidence: AttemptEvidence): boolean {
  return (
    evidence.fastTests > 0 &&
    evidence.fullTests > 0 &&
    passedChecks(evidence, "fast") === evidence.fastTests &&
    passedChecks(evidence, "full") === evidence.fullTests
  );
}

export function turnReasons(end: ProcessEnd): Reason[] {
  switch (end.kind) {
    case "exited":
      return end.code === 0 ? [] : ["agent_exit_nonzero"];
    case "signaled":
      return ["agent_exit_nonzero"];
    case "finished":
      return [];
    case "timeout":
      return ["timeout"];
    case "stalled":
      return ["stalled"];
    case "over_budget":
      return ["budget_reached"];
    case "output_cap":
      return ["output_cap_exceeded"];
    case "not_started":
      return ["agent_execution_error"];
  }
}

/** A failed turn is never accepted, even if all else passes. */
export function agentReasons(failure: FailureClass | null): Reason[] {
  if (failure === null) return [];
  if (isUnavailable(failure)) return ["agent_crashed"];
  switch (failure) {
    case "question":
      return ["agent_asked_person"];
    case "refused":
      return ["agent_refused"];
    case "own_limit":
      return ["agent_own_limit"];
    case "no_output":
      return ["agent_no_output"];
    case "protocol":
      return ["agent_protocol_error"];
    case "crashed":
      return ["agent_crashed"];
    // The end of the process says which.
    case "timeout":
    case "cut_off":
      return [];
  }
}

function claimReasons(claim: Claim): Reason[] {
  switch (claim.status) {
    case null:
    case "invalid":
      return ["missing_or_invalid_status_marker"];
    case "NEEDS_WORK":
      return ["agent_needs_work"];
    case "BLOCKED":
      return ["agent_blocked"];
    case "DONE":
      return claim.evidence === null ? ["missing_evidence_marker"] : [];
  }
}

function checkReasons(evidence: AttemptEvidence): Reason[] {
  return evidence.checks
    .filter((check) => !succeeded(check.end))
    .flatMap(
      (check) =>
        [
          check.phase === "fast" ? "fast_test_failed" : "full_test_failed",
          ...howItFailed(check.end),
        ] as const,
    );
}

export function howItFailed(end: ProcessEnd): Reason[] {
  switch (end.kind) {
    case "timeout":
      return ["timeout"];
    case "stalled":
      return ["stalled"];
    case "output_cap":
      return ["output_cap_exceeded"];
    case "not_started":
      return ["test_execution_error"];
    case "finished":
    case "over_budget":
    case "exited":
    case "signaled":
      return [];
  }
}
