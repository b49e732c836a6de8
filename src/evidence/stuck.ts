import { endInEvidence } from "./verdict.ts";
import { succeeded } from "../platform/process/process-end.ts";
import type { Attempt } from "../core/state.ts";
import type { Verdict } from "../core/verdict.ts";

/** How attempts at a task or step go in circles. */
export interface Stuck {
  readonly kind: "same_failure" | "tree_seen_before";
  /** The attempt after which the work tree was the same; 0: before the first. */
  readonly like: number;
}

/** Whether an attempt left the same work tree as an earlier, rejected one. `attempts`: at one task or step, in order. */
export function stuckAfter(
  attempts: readonly Attempt[],
  attempt: Attempt,
  verdict: Verdict | null = attempt.judged,
): Stuck | null {
  const tree = treeAfter(attempt);
  if (tree === null || attempt.index < 2 || verdict?.verdict !== "rejected") return null;
  const earlier = attempts.filter(({ index }) => index > 0 && index < attempt.index);
  const like = earlier.findLast((candidate) => treeAfter(candidate) === tree);
  if (like) {
    const same =
      like.index === attempt.index - 1 && failureOf(like, like.judged) === failureOf(attempt, verdict);
    return { kind: same ? "same_failure" : "tree_seen_before", like: like.index };
  }
  return earlier[0]?.treeBefore === tree ? { kind: "tree_seen_before", like: 0 } : null;
}

/** The last attempts with the same tree; none if the last one failed in a new way. */
export function attemptsOnSameTree(attempts: readonly Attempt[]): readonly Attempt[] {
  const last = attempts.at(-1);
  if (!last) return [];
  const other = attempts.findLastIndex((attempt) => treeAfter(attempt) !== treeAfter(last));
  const same = attempts.slice(other + 1);
  const failure = failureOf(last, last.judged);
  return same.some((attempt) => attempt !== last && failureOf(attempt, attempt.judged) === failure)
    ? same
    : [];
}

/** For a step, the tree without the steps directory, which the run itself writes; otherwise the tree of the checks. */
function treeAfter({ turn, candidate }: Attempt): string | null {
  if (turn?.product?.kind === "step_work") return turn.product.tree;
  return candidate && !candidate.taken.unreadable ? candidate.taken.tree : null;
}

/** A comparable form of its failure: a runner's messages contain times and addresses. */
function failureOf({ checks, review }: Attempt, verdict: Verdict | null): string {
  const ends = checks.map(endInEvidence).filter((end) => !succeeded(end));
  const failed = review?.items.filter(({ passed }) => !passed).map(({ item }) => item);
  return JSON.stringify([verdict?.reasons, ends, failed]);
}
