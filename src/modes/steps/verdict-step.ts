import type { FailureClass } from "../../core/agent-turn.ts";
import type { ReviewEnded, StepWork, TreeChange } from "../../core/event.ts";
import { succeeded, type ProcessEnd } from "../../platform/process/process-end.ts";
import type { Reason } from "../../core/reason.ts";
import { agentReasons, howItFailed, turnReasons, verdictOf, type Verdict } from "../../core/verdict.ts";
import { reviewOf, type Attempt } from "../../core/state.ts";

/** Evidence about an attempt at a step. Null: not available yet. */
export interface StepEvidence {
  /** Null: a regression check, which has no worker. */
  readonly turn: TurnEvidence | null;
  readonly refused: StepWork["refused"];
  /** The number of test commands that have to pass, and the ends of those that ran. */
  readonly unitTests: { readonly due: number; readonly ends: readonly ProcessEnd[] };
  readonly review: ReviewEnded | null;
  /** False: the attempt changed nothing, so it is rejected whatever a review says. */
  readonly needsReview: boolean;
  /** The person wants the agent's turn alone to decide. */
  readonly turnSuffices: boolean;
}

export interface TurnEvidence {
  readonly end: ProcessEnd;
  readonly agentFailure: FailureClass | null;
}

/** The verdict on an attempt at a step. It needs a passed test, if there is one, and an explicit review. */
export function judgeStep(evidence: StepEvidence): Verdict {
  const { turn, refused, unitTests, review, needsReview, turnSuffices } = evidence;
  const reasons: Reason[] = [
    ...(turn ? turnReasons(turn.end) : []),
    ...(turn ? agentReasons(turn.agentFailure) : []),
    ...(refused === null ? [] : (["unit_test_refused"] as const)),
  ];
  if (turnSuffices && turn) return verdictOf(reasons, true);
  const failed = unitTests.ends.filter((end) => !succeeded(end));
  for (const end of failed) reasons.push("unit_test_failed", ...howItFailed(end));
  if (review) reasons.push(...reviewReasons(review));
  const tested = failed.length === 0 && unitTests.ends.length >= unitTests.due;
  return verdictOf(reasons, tested && (review !== null || !needsReview));
}

function reviewReasons(review: ReviewEnded): Reason[] {
  const { items, problem } = review;
  const bad = problem === null && (items.length === 0 || items.some(({ passed }) => !passed));
  return [...(bad ? (["verification_failed"] as const) : []), ...verifierFaults(review)];
}

/** The verifier's own faults. They say nothing about the work, so the verification is repeated. */
export function verifierFaults({ process, agent, problem, changed }: ReviewEnded): Reason[] {
  // A turn that was cut off at the budget is repeated in any case.
  if (process.end.kind === "over_budget") return [];
  if (!succeeded(process.end) || agent.failure !== null)
    return ["verifier_failed", ...changeReasons(changed)];
  return [...(problem ? (["verification_missing"] as const) : []), ...changeReasons(changed)];
}

/** An unreadable or too large tree is not held against the verifier. */
function changeReasons(changed: TreeChange): Reason[] {
  return changed !== null && changed.length > 0 ? ["verifier_changed_tree"] : [];
}

/** The run stops after this many verifications in a row that fail by the verifier's own fault. */
export const MAX_FAULTS_IN_A_ROW = 3;

/** The number of faults since a person last resumed the run; 0: there is a verdict. */
export function faultsInARow(attempt: Attempt): number {
  return reviewOf(attempt) ? 0 : attempt.faultyReviews.length - attempt.faultsForgiven;
}
