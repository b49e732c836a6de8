import { endInEvidence } from "./room/verdict.ts";
import { succeeded } from "./process-end.ts";
import type { Reason } from "./reason.ts";
import type { Attempt } from "./state.ts";
import type { Verdict } from "./verdict.ts";

/** How the attempts at a step go in circles. */
export interface Stuck {
  readonly kind: "same_failure" | "tree_seen_before";
  /** After which attempt the work tree was the same; 0: before the first. */
  readonly like: number;
}

/** Whether an attempt left the work tree as an earlier one had, though that had been rejected. `attempts`: at one step, in order. */
export function stuckAfter(
  attempts: readonly Attempt[],
  attempt: Attempt,
  verdict: Verdict | null = attempt.judged,
): Stuck | null {
  const tree = treeAfter(attempt);
  if (tree === null || attempt.index < 2 || !verdict || !failedByItsWork(verdict)) return null;
  const earlier = attempts.filter(({ index }) => index > 0 && index < attempt.index);
  const like = earlier.findLast((candidate) => treeAfter(candidate) === tree);
  if (like) {
    const same =
      like.index === attempt.index - 1 && failureOf(like, like.judged) === failureOf(attempt, verdict);
    return { kind: same ? "same_failure" : "tree_seen_before", like: like.index };
  }
  return earlier[0]?.treeBefore === tree ? { kind: "tree_seen_before", like: 0 } : null;
}

/** A worker whose verifier failed has rightly changed nothing. */
const OF_THE_VERIFIER: ReadonlySet<Reason> = new Set<Reason>([
  "verifier_failed",
  "verification_missing",
  "verifier_changed_tree",
]);

function failedByItsWork({ verdict, reasons }: Verdict): boolean {
  return verdict === "rejected" && !reasons.every((reason) => OF_THE_VERIFIER.has(reason));
}

function treeAfter({ turn }: Attempt): string | null {
  return turn?.product?.kind === "step_work" ? turn.product.tree : null;
}

/** In which way it failed, as far as it can be compared: the words of a test runner hold times and addresses. */
function failureOf({ checks, review }: Attempt, verdict: Verdict | null): string {
  const ends = checks.map(endInEvidence).filter((end) => !succeeded(end));
  const failed = review?.items.filter(({ passed }) => !passed).map(({ item }) => item);
  return JSON.stringify([verdict?.reasons, ends, failed]);
}
