import type { FailureClass } from "./agent-turn.ts";
import type { ReviewEnded, StepWork, TreeChange } from "./event.ts";
import { succeeded, type ProcessEnd } from "./process-end.ts";
import type { Reason } from "./reason.ts";
import { agentReasons, howItFailed, turnReasons, verdictOf, type Verdict } from "./verdict.ts";

/** What is known of an attempt at a step. What has not come to pass is null. */
export interface StepEvidence {
  /** Null: a regression check, for which nobody works. */
  readonly turn: TurnEvidence | null;
  readonly refused: StepWork["refused"];
  /** How many test commands have to pass, and how those that ran ended. */
  readonly unitTests: { readonly due: number; readonly ends: readonly ProcessEnd[] };
  readonly review: ReviewEnded | null;
  /** False: the attempt changed nothing, so that it is rejected whatever a review says. */
  readonly needsReview: boolean;
  /** By the person's wish the agent's turn alone decides. */
  readonly turnSuffices: boolean;
}

export interface TurnEvidence {
  readonly end: ProcessEnd;
  readonly agentFailure: FailureClass | null;
}

/** The verdict on an attempt at a step. Without a passed test, where there is one, and an explicit review nothing is accepted. */
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
  // A turn that was cut off at the budget is made again in any case.
  if (process.end.kind === "over_budget") return [];
  if (!succeeded(process.end) || agent.failure !== null)
    return ["verifier_failed", ...changeReasons(changed)];
  return [...(problem ? (["verification_missing"] as const) : []), ...changeReasons(changed)];
}

/** What cannot be told is not held against anybody: there is no tree to compare, or it is too large. */
function changeReasons(changed: TreeChange): Reason[] {
  return changed !== null && changed.length > 0 ? ["verifier_changed_tree"] : [];
}
