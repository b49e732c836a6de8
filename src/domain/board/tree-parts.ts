import type { Attempt, RunState } from "../state.ts";
import { isAccepted, reportIn, roleOf } from "./iterations.ts";
import type { PlanTask } from "./plan.ts";

/** What a turn on the board is compared with: digests of the tests, of the product, and of what both may change. */
export interface TreeParts {
  readonly tests: string;
  readonly product: string;
  readonly other: string;
}

export function joinParts({ tests, product, other }: TreeParts): string {
  return [tests, product, other].join(".");
}

export function partsOf(tree: string | null): TreeParts | null {
  const [tests, product, other] = tree?.split(".") ?? [];
  return tests !== undefined && product !== undefined && other !== undefined
    ? { tests, product, other }
    : null;
}

function testsPart(tree: string | null): string | null {
  return partsOf(tree)?.tests ?? null;
}

/**
 * What the tests have to be, as a digest, for work that may not touch them; null: as they are. Whoever changed them without being TEST
 * does not get them accepted by one more turn: they are put back, or TEST makes them its own.
 */
export function lawfulTests(state: RunState): string | null {
  let lawful: string | null = null;
  for (const attempt of state.attempts) {
    lawful ??= testsPart(attempt.meddledWith);
    if (roleOf(attempt) === "TEST" && isAccepted(attempt)) lawful = null;
    else if (isOffence(attempt)) lawful ??= testsPart(attempt.treeBefore);
  }
  return lawful;
}

/** By the agent, or by the commands that the foreman ran: the product is what they run. */
function isOffence(attempt: Attempt): boolean {
  const { judged } = attempt;
  if (roleOf(attempt) === "TEST" || !judged) return false;
  return judged.reasons.includes("forbidden_change") || (judged.changedByChecks ?? []).length > 0;
}

/**
 * Tests were changed by another than TEST since this task's own were written, and TEST's work at another task has been accepted over
 * it: what this task's tests are worth is not known any more.
 */
export function isInDoubt({ attempts }: RunState, task: PlanTask): boolean {
  const isTests = (attempt: Attempt): boolean => roleOf(attempt) === "TEST" && isAccepted(attempt);
  const own = attempts.findLastIndex((attempt) => isTests(attempt) && attempt.call?.tasks.includes(task.id));
  const since = attempts.slice(own + 1);
  const offence = since.findIndex((attempt) => isOffence(attempt) || attempt.meddledWith !== null);
  return offence >= 0 && since.slice(offence + 1).some(isTests);
}

/** Which files were changed so, as far as is known. */
export function unlawfulPaths({ attempts }: RunState): readonly string[] {
  const since = attempts.findLastIndex((attempt) => roleOf(attempt) === "TEST" && isAccepted(attempt));
  const changes = attempts
    .slice(since + 1)
    .flatMap((attempt) => [
      ...attempt.main.flatMap(({ changed }) => changed ?? []),
      ...(isOffence(attempt) ? (reportIn(attempt)?.changed ?? []) : []),
      ...(isOffence(attempt) ? (attempt.judged?.changedByChecks ?? []) : []),
    ]);
  return [...new Set(changes)];
}
