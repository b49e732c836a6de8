import type { Attempt, RunState } from "../../core/state.ts";
import { isAccepted, roleOf } from "../../core/board/iterations.ts";
import type { PlanTask } from "../../core/board/plan.ts";

/** The REVIEW of this run that verified a task; undefined: the task is not verified, or was so before. */
export function reviewThatVerified(state: RunState, { id, status }: PlanTask): Attempt | undefined {
  if (status !== "VERIFIED") return undefined;
  if (!state.attempts.some(({ call }) => call?.verified.includes(id))) return undefined;
  return state.attempts.findLast(
    (attempt) =>
      roleOf(attempt) === "REVIEW" &&
      attempt.call?.order?.reviewMode !== "investigate" &&
      isAccepted(attempt) &&
      attempt.call?.tasks.includes(id) === true,
  );
}
