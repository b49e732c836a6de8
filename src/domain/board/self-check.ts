import type { RunState } from "../state.ts";
import { isOver } from "./iterations.ts";
import { tasksOf } from "./plan.ts";

/** What MAIN is asked to think about from time to time, as facts. */
export type SelfCheck =
  | { readonly kind: "long_doing"; readonly task: string; readonly iterations: number }
  | { readonly kind: "unreviewed"; readonly milestone: string }
  | { readonly kind: "repeats"; readonly agent: string; readonly task: string; readonly times: number };

const SELF_CHECK_EVERY = 5;
const LONG = 5;
const REPEATED = 3;

/** Null: this is not the iteration for it. */
export function selfCheckFor(
  state: RunState,
  iteration: number,
  attempt: number,
): readonly SelfCheck[] | null {
  const { board } = state;
  if (!board || iteration % SELF_CHECK_EVERY !== 0) return null;
  const long = tasksOf(board.plan)
    .filter(({ status }) => status === "DOING")
    .map(
      ({ id }) => ({ kind: "long_doing", task: id, iterations: attempt - (board.since[id] ?? 0) }) as const,
    )
    .filter(({ iterations }) => iterations >= LONG);
  const unreviewed = board.plan.milestones
    .filter(({ tasks }) => tasks.every(({ status }) => status === "DONE"))
    .map(({ id }) => ({ kind: "unreviewed", milestone: id }) as const);
  return [...long, ...unreviewed, ...repeats(state)];
}

function repeats(state: RunState): readonly SelfCheck[] {
  const calls = state.attempts.filter((attempt) => isOver(attempt, state)).map(({ call }) => call);
  const last = calls.at(-1);
  if (!last) return [];
  const name = (call: typeof last): string => `${call.answer.nextAgent} ${call.tasks.join(", ")}`;
  const other = calls.findLastIndex((call) => call === null || name(call) !== name(last));
  const times = calls.length - 1 - other;
  if (times < REPEATED) return [];
  return [{ kind: "repeats", agent: last.answer.nextAgent, task: last.tasks.join(", "), times }];
}
