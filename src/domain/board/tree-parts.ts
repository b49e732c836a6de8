import type { AttemptJudged } from "../event.ts";
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

/** An attempt with its verdict, which may not be recorded yet. */
interface JudgedAttempt extends Omit<Attempt, "judged"> {
  readonly judged: Pick<AttemptJudged, "verdict" | "reasons" | "changedByChecks"> | null;
}

interface JudgedAttempts {
  readonly attempts: readonly JudgedAttempt[];
}

/** Another role than TEST changed the tests. */
interface Offence {
  /** The digest of the tests before the change; null: unknown. */
  readonly tests: string | null;
  /** The index of the attempt that changed them. */
  readonly attempt: number;
}

/**
 * What the tests have to be, as a digest, for work that may not touch them; null: as they are. Another role's
 * changes of the tests are not accepted in a later turn either: the tests are put back, or TEST replaces them.
 */
export function lawfulTests({ attempts }: JudgedAttempts): string | null {
  return openOffence(attempts)?.tests ?? null;
}

/** The offence after which the tests were neither put back nor replaced by accepted work of TEST. */
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

/** The offence that a role finds when it begins its work. */
export function offenceFoundBy(attempt: Attempt, { attempts }: RunState): Offence | null {
  return openOffence(attempts.slice(0, attempts.indexOf(attempt))) ?? mainsOffence(attempt);
}

function isAcceptedTest(attempt: JudgedAttempt): boolean {
  return roleOf(attempt) === "TEST" && isAccepted(attempt);
}

/** By the agent, or by the commands that the foreman ran: the product is what they run. */
function isOffence(attempt: JudgedAttempt): boolean {
  const { judged } = attempt;
  if (roleOf(attempt) === "TEST" || !judged) return false;
  return judged.reasons.includes("forbidden_change") || (judged.changedByChecks ?? []).length > 0;
}

/**
 * Tests were changed by another than TEST since this task's own were written, they were not put back, and TEST's work at another task
 * has been accepted over it: what this task's tests are worth is not known any more.
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

/** The files that were changed since the open offence, as far as is known. */
export function unlawfulPaths({ attempts }: JudgedAttempts): readonly string[] {
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
