import type { Attempt, RunState } from "../state.ts";
import { isAccepted, roleOf } from "./iterations.ts";
import type { PlanTask } from "./plan.ts";

/** The REVIEW of this run on which a task was recorded as verified; undefined: it is not, or was so before. */
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
