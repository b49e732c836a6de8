import type { AttemptJudged } from "../../core/event.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { isAccepted, reportIn, roleOf } from "../../core/board/iterations.ts";
import type { PlanTask } from "../../core/board/plan.ts";

/** Digests of the tests, the product, and the shared files, to compare a turn with. */
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

/** An attempt with its verdict, which may not be recorded yet. */
interface JudgedAttempt extends Omit<Attempt, "judged"> {
  readonly judged: Pick<AttemptJudged, "verdict" | "reasons" | "changedByChecks"> | null;
}

interface JudgedAttempts {
  readonly attempts: readonly JudgedAttempt[];
}

/** A change of the tests by a role other than TEST. */
interface Offence {
  /** The digest of the tests before the change; null: unknown. */
  readonly tests: string | null;
  /** The index of the attempt that changed them. */
  readonly attempt: number;
}

/**
 * The digest that the tests must have for work that must not touch them; null: the current one. Later turns are not accepted either until the tests
 * are restored or TEST replaces them.
 */
export function lawfulTests({ attempts }: JudgedAttempts): string | null {
  return openOffence(attempts)?.tests ?? null;
}

/** The offence after which the tests were neither restored nor replaced by accepted work of TEST. */
export function openOffence(attempts: readonly JudgedAttempt[]): Offence | null {
  return attempts.reduce<Offence | null>(
    (open, attempt) => (isAcceptedTest(attempt) ? null : offenceAfter(open, attempt)),
    null,
  );
}

/** The open offence after this attempt, before an accepted TEST turn clears it. */
function offenceAfter(before: Offence | null, attempt: JudgedAttempt): Offence | null {
  const { treeBefore } = attempt;
  const open = before ?? mainsOffence(attempt);
  const since = [testsPart(treeBefore), reportIn(attempt)?.tests ?? null];
  const isPutBack = open !== null && open.tests !== null && since.includes(open.tests);
  const left = isPutBack ? null : open;
  return left ?? (isOffence(attempt) ? { tests: testsPart(treeBefore), attempt: attempt.index } : null);
}

function mainsOffence({ meddledWith, index }: JudgedAttempt): Offence | null {
  return meddledWith === null ? null : { tests: testsPart(meddledWith), attempt: index };
}

/** The open offence at the start of a role's work. */
export function offenceFoundBy(attempt: Attempt, { attempts }: RunState): Offence | null {
  return openOffence(attempts.slice(0, attempts.indexOf(attempt))) ?? mainsOffence(attempt);
}

function isAcceptedTest(attempt: JudgedAttempt): boolean {
  return roleOf(attempt) === "TEST" && isAccepted(attempt);
}

/** By the agent, or by the commands that the foreman ran, because those run the product. */
function isOffence(attempt: JudgedAttempt): boolean {
  const { judged } = attempt;
  if (roleOf(attempt) === "TEST" || !judged) return false;
  return judged.reasons.includes("forbidden_change") || (judged.changedByChecks ?? []).length > 0;
}

/**
 * The value of this task's tests is unknown: since they were written, a role other than TEST changed tests. They were not restored, and TEST's work
 * at another task was accepted over the change.
 */
export function isInDoubt({ attempts }: RunState, task: PlanTask): boolean {
  let open: Offence | null = null;
  let isDoubtful = false;
  for (const attempt of attempts) {
    open = offenceAfter(open, attempt);
    if (!isAcceptedTest(attempt)) continue;
    isDoubtful = attempt.call?.tasks.includes(task.id) === true ? false : isDoubtful || open !== null;
    open = null;
  }
  return isDoubtful;
}

/** Known changed files since the open offence. */
export function offendingPaths({ attempts }: JudgedAttempts): readonly string[] {
  const offence = openOffence(attempts);
  if (offence === null) return [];
  const changes = attempts
    .filter(({ index }) => index >= offence.attempt)
    .flatMap((attempt) => [
      ...attempt.main.flatMap(({ changed }) => changed ?? []),
      ...(isOffence(attempt) ? (reportIn(attempt)?.changed ?? []) : []),
      ...(isOffence(attempt) ? (attempt.judged?.changedByChecks ?? []) : []),
    ]);
  return [...new Set(changes)];
}
