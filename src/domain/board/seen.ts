import { checkPassed } from "../room/verdict.ts";
import type { Attempt, Call, RunState } from "../state.ts";
import { commandsOf } from "./call.ts";
import { isAccepted, isInvestigation, overIn, reportIn, roleOf } from "./iterations.ts";
import type { PlanTask } from "./plan.ts";
import { isInDoubt } from "./tree-parts.ts";

/** TEST's last work at the task was seen to fail first, by the commands it has now. */
export function isRedConfirmed(state: RunState, task: PlanTask): boolean {
  const last = state.attempts.findLast(
    (attempt) => roleOf(attempt) === "TEST" && attempt.judged && attempt.call?.tasks.includes(task.id),
  );
  return last !== undefined && isAccepted(last) && isAbout(last.call, task) && !isInDoubt(state, task);
}

/** The last work at the task was DEV's, and all its commands were seen to pass. */
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

/** The REVIEW that accepted the task as it is since it is DONE. */
export function reviewFor(state: RunState, task: PlanTask): Attempt | undefined {
  if (isInDoubt(state, task)) return undefined;
  const since = state.board?.since[task.id] ?? 0;
  return state.attempts.findLast(
    (attempt) =>
      attempt.index >= since &&
      roleOf(attempt) === "REVIEW" &&
      !isInvestigation(attempt) &&
      isAccepted(attempt) &&
      attempt.call?.tasks.includes(task.id) === true &&
      commandsOf([task]).every((command) => attempt.call?.commands.includes(command)),
  );
}

/** The last look at everything found the task broken, and nobody has looked again since. */
export function wasRedAtTheEnd(state: RunState, task: PlanTask): boolean {
  const last = state.attempts.findLast(
    ({ call, judged }) => call?.answer.nextAgent === "FINISH" && !call.finishRefused && judged !== null,
  );
  if (!last || (state.board?.since[task.id] ?? 0) > last.index) return false;
  const own = commandsOf([task]);
  return last.checks.some((check) => own.includes(check.process.command) && !checkPassed(check));
}

/** What DEV holds against the tests, and nobody has settled: an investigation that was not accepted has not. */
export function openFeedback(state: RunState): string | null {
  const last = overIn(state).findLast((attempt) => !isInvestigation(attempt) || isAccepted(attempt));
  return last && roleOf(last) === "DEV" ? (reportIn(last)?.said.testFeedback ?? null) : null;
}

/** How many iterations in a row have failed in the same way, up to the last; investigations look at failures and are none. */
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

/** In which way it failed, as far as it can be compared; null: it did not. */
function failureOf({ call, judged, checks }: Attempt): string | null {
  if (!call || judged?.verdict !== "rejected") return null;
  const red = checks.filter((check) => !checkPassed(check)).map(({ process }) => process.command);
  // Where the foreman saw commands fail that should not, what an agent said of it does not make it another failure.
  const how = red.length > 0 && call.answer.nextAgent !== "TEST" ? red : judged.reasons;
  return JSON.stringify([call.answer.nextAgent, call.tasks, how]);
}
