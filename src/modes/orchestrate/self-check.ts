import type { RunState } from "../../core/state.ts";
import { isDroppedOrSkipped, skippedTasks } from "./user-decisions.ts";
import { isOver } from "../../core/board/iterations.ts";
import { tasksOf } from "../../core/board/plan.ts";

/** Facts that MAIN is asked to consider from time to time. */
export type SelfCheck =
  | { readonly kind: "long_doing" | "long_blocked"; readonly task: string; readonly iterations: number }
  | { readonly kind: "unreviewed"; readonly milestone: string }
  /** Calls that were repeated this often in a row, in this order. */
  | { readonly kind: "repeats"; readonly calls: readonly Called[]; readonly times: number };

export interface Called {
  readonly agent: string;
  readonly task: string;
}

const SELF_CHECK_EVERY = 5;
const LONG = 5;
const REPEATED = 3;
const LONGEST_CIRCLE = 3;

/** Null: no self-check is due in this iteration. */
export function selfCheckFor(
  state: RunState,
  iteration: number,
  attempt: number,
): readonly SelfCheck[] | null {
  const { board } = state;
  if (!board || iteration % SELF_CHECK_EVERY !== 0) return null;
  const skipped = skippedTasks(state);
  const long = tasksOf(board.plan).flatMap((task) => {
    const { id, status } = task;
    const iterations = attempt - (board.since[id] ?? 0);
    if (iterations < LONG || (status !== "DOING" && status !== "BLOCKED")) return [];
    if (isDroppedOrSkipped(task, skipped)) return [];
    const kind = status === "DOING" ? ("long_doing" as const) : ("long_blocked" as const);
    return [{ kind, task: id, iterations }];
  });
  const unreviewed = board.plan.milestones
    .filter(
      ({ tasks }) =>
        tasks.some(({ status }) => status === "DONE") &&
        tasks.every(
          (task) => task.status === "DONE" || task.status === "VERIFIED" || isDroppedOrSkipped(task, skipped),
        ),
    )
    .map(({ id }) => ({ kind: "unreviewed", milestone: id }) as const);
  return [...long, ...unreviewed, ...repeats(state)];
}

/** The shortest series of calls that was repeated at least three times at the end. */
function repeats(state: RunState): readonly SelfCheck[] {
  const calls = state.attempts.flatMap((attempt) => {
    const { call } = attempt;
    return call && isOver(attempt, state)
      ? [{ agent: call.answer.nextAgent, task: call.tasks.join(", ") }]
      : [];
  });
  for (let length = 1; length <= LONGEST_CIRCLE; length += 1) {
    const circle = calls.slice(-length);
    const isSame = ({ agent, task }: Called, index: number): boolean => {
      const other = circle.at(-1 - (index % length));
      return other?.agent === agent && other.task === task;
    };
    const backwards = calls.toReversed();
    const end = backwards.findIndex((call, index) => !isSame(call, index));
    const times = Math.floor((end < 0 ? calls.length : end) / length);
    if (circle.length === length && times >= REPEATED) return [{ kind: "repeats", calls: circle, times }];
  }
  return [];
}
