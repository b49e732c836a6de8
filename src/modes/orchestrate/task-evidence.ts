import { checkPassed, endInEvidence } from "../../evidence/verdict.ts";
import type { Attempt, Call, RunState } from "../../core/state.ts";
import { commandsOf } from "./call.ts";
import { isAccepted, isInvestigation, overIn, reportIn, roleOf } from "../../core/board/iterations.ts";
import type { RedBefore } from "../../core/settings.ts";
import { tasksOf, type PlanTask } from "../../core/board/plan.ts";
import { seenAs } from "./verdict-role.ts";
import { isInDoubt, offenceFoundBy, openOffence } from "./tree-parts.ts";

/** The task's current commands were seen to fail, after TEST's last work at it or in a later run by the foreman. */
function isRedConfirmed(state: RunState, task: PlanTask): boolean {
  return whyNotRed(state, task) === null;
}

/** Index of TEST's last judged work at the task; -1: none. */
function lastTestAt({ attempts }: RunState, { id }: PlanTask): number {
  return attempts.findLastIndex(
    (attempt) => roleOf(attempt) === "TEST" && attempt.judged && attempt.call?.tasks.includes(id),
  );
}

/** Why a task does not count as seen red. */
export const WHY_NOT_RED = ["never", "tests_changed", "commands_changed", "test_rejected"] as const;
export type WhyNotRed = (typeof WHY_NOT_RED)[number];

/** Null: its current commands were seen to fail. */
export function whyNotRed(state: RunState, task: PlanTask): WhyNotRed | null {
  if (isInDoubt(state, task)) return "tests_changed";
  const last = lastTestAt(state, task);
  const test = state.attempts[last];
  const why = test ? whyNotRedAfter(test, task) : whyNotRedBefore(state, task);
  const isSeenSince = state.attempts.slice(last + 1).some((attempt) => wasSeenRed(attempt, task));
  return isSeenSince ? null : why;
}

function whyNotRedAfter(test: Attempt, task: PlanTask): WhyNotRed | null {
  if (!isAccepted(test)) return "test_rejected";
  return isAbout(test.call, task) ? null : "commands_changed";
}

/** Null: the last run on the board saw it red, with the same commands and with unchanged tests. */
function whyNotRedBefore({ settings, board }: RunState, task: PlanTask): WhyNotRed | null {
  const before = settings.mode === "orchestrate" ? settings.redBefore : null;
  const known = before?.tasks.find(({ id }) => id === task.id);
  if (!before || !known) return "never";
  if (board?.testsAtStart !== before.tests) return "tests_changed";
  return known.commands.join("\n") === commandsOf([task]).join("\n") ? null : "commands_changed";
}

/** Tasks that a later run on the board may count as seen red. */
export function redFor(state: RunState): RedBefore | null {
  const { attempts, board } = state;
  const reported = attempts.findLast((attempt) => reportIn(attempt) !== null);
  const tests = (reported ? reportIn(reported)?.tests : board?.testsAtStart) ?? null;
  const red = tasksOf(board?.plan ?? { milestones: [] }).filter((task) => isRedConfirmed(state, task));
  if (tests === null || red.length === 0 || openOffence(attempts) !== null) return null;
  return { tests, tasks: red.map((task) => ({ id: task.id, commands: commandsOf([task]) })) };
}

/** TEST restored, byte for byte, tests that were red before another role changed them. The product may make them pass by now. */
export function hasRestoredTests(state: RunState, attempt: Attempt): boolean {
  const offence = offenceFoundBy(attempt, state);
  if (roleOf(attempt) !== "TEST" || offence === null || offence.tests === null) return false;
  if (reportIn(attempt)?.tests !== offence.tests) return false;
  const before = { ...state, attempts: state.attempts.filter(({ index }) => index < offence.attempt) };
  const wasRed = new Set(
    tasksOf(state.board?.plan ?? { milestones: [] })
      .filter((task) => isRedConfirmed(before, task))
      .map(({ id }) => id),
  );
  return attempt.call?.tasks.every((id) => wasRed.has(id)) === true;
}

/** REVIEW, or the last check before FINISH, found a command of the task that ran and failed. */
function wasSeenRed({ call, judged, checks }: Attempt, task: PlanTask): boolean {
  const agent = call?.answer.nextAgent;
  if (!judged || (agent !== "REVIEW" && agent !== "FINISH") || !call?.tasks.includes(task.id)) return false;
  const own = commandsOf([task]);
  return checks.some(
    (check) => own.includes(check.process.command) && seenAs(endInEvidence(check)) === "red",
  );
}

/** DEV did the last work at the task, and all its commands passed. */
export function isGreen(state: RunState, task: PlanTask): boolean {
  const last = state.attempts.findLast(
    (attempt) =>
      (roleOf(attempt) === "DEV" || roleOf(attempt) === "TEST") && attempt.call?.tasks.includes(task.id),
  );
  if (!last || roleOf(last) !== "DEV" || !isAccepted(last)) return false;
  return isAbout(last.call, task) && last.checks.length > 0;
}

function isAbout(call: Call | null, task: PlanTask): boolean {
  if (!call?.tasks.includes(task.id)) return false;
  return commandsOf([task]).join("\n") === call.commands.join("\n");
}

/** The REVIEW that accepted the task in its current form since it became DONE. */
export function reviewFor(state: RunState, task: PlanTask): Attempt | undefined {
  if (isInDoubt(state, task)) return undefined;
  const since = state.board?.since[task.id] ?? 0;
  return state.attempts.findLast(
    (attempt) =>
      attempt.index >= since &&
      hasReviewed(attempt, task) &&
      commandsOf([task]).every((command) => attempt.call?.commands.includes(command)),
  );
}

/** A REVIEW of the task that was accepted. */
function hasReviewed(attempt: Attempt, { id }: PlanTask): boolean {
  const isReview = roleOf(attempt) === "REVIEW" && !isInvestigation(attempt);
  return isReview && isAccepted(attempt) && attempt.call?.tasks.includes(id) === true;
}

/** The last check before FINISH found the task broken, and its status has not changed since. */
export function wasRedAtTheEnd(state: RunState, task: PlanTask): boolean {
  const last = state.attempts.findLast(
    ({ call, judged }) => call?.answer.nextAgent === "FINISH" && !call.finishRefused && judged !== null,
  );
  if (!last || (state.board?.since[task.id] ?? 0) > last.index) return false;
  const own = commandsOf([task]);
  return last.checks.some((check) => own.includes(check.process.command) && !checkPassed(check));
}

/** DEV's open objection to the tests. An investigation that was not accepted does not settle it. */
export function openFeedback(over: readonly Attempt[]): string | null {
  const last = over.findLast((attempt) => !isInvestigation(attempt) || isAccepted(attempt));
  return last && roleOf(last) === "DEV" ? (reportIn(last)?.said.testFeedback ?? null) : null;
}

/** How many of the last iterations failed in the same way. Investigations look at failures and do not count. */
export interface Failures {
  readonly count: number;
  readonly last: Attempt | undefined;
}

export function sameFailures(state: RunState): Failures {
  const over = overIn(state).filter((attempt) => !isInvestigation(attempt));
  const last = over.at(-1);
  const failure = last && failureOf(last);
  if (failure == null) return { count: 0, last };
  const other = over.findLastIndex((attempt) => failureOf(attempt) !== failure);
  return { count: over.length - 1 - other, last };
}

/** A comparable form of the failure; null: it did not fail. */
function failureOf({ call, judged, checks }: Attempt): string | null {
  if (!call || judged?.verdict !== "rejected") return null;
  const red = checks.filter((check) => !checkPassed(check)).map(({ process }) => process.command);
  // If commands failed that should not, the agent's claim does not make it a different failure.
  const how = red.length > 0 && call.answer.nextAgent !== "TEST" ? red : judged.reasons;
  return JSON.stringify([call.answer.nextAgent, call.tasks, how]);
}

/** The REVIEW of this run that verified a task; undefined: the task is not verified, or was so before. */
export function reviewThatVerified({ attempts }: RunState, task: PlanTask): Attempt | undefined {
  const isOfThisRun =
    task.status === "VERIFIED" && attempts.some(({ call }) => call?.verified.includes(task.id));
  return isOfThisRun ? attempts.findLast((attempt) => hasReviewed(attempt, task)) : undefined;
}
