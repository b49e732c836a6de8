import type { Attempt, RunState } from "../state.ts";
import type { BoardDecision } from "./decisions.ts";
import { iterationOf } from "./iterations.ts";
import { taskIdsIn, type PlanTask } from "./plan.ts";

/** A person who chose it agreed that tasks are left undone. */
export const DROP_TASKS = "drop_tasks";

/** What people decided when MAIN asked, in this run. */
export function decisionsOf(state: RunState): readonly BoardDecision[] {
  return state.decisions.flatMap(({ about, attempt, answer, note }) => {
    const question = state.attempts[attempt - 1]?.call?.answer.question;
    if (about !== "user" || answer.kind !== "option" || !question) return [];
    const chosen = question.options.find(({ id }) => id === answer.option);
    return [
      {
        iteration: iterationOf(state, attempt),
        title: question.title,
        question: question.question,
        option: answer.option,
        description: chosen?.description ?? "",
        comment: note,
      },
    ];
  });
}

/** In earlier runs as well. */
export function allDecisions(state: RunState): readonly BoardDecision[] {
  const earlier = state.settings.mode === "orchestrate" ? state.settings.decided : [];
  return [...earlier, ...decisionsOf(state)];
}

/** What the person said to MAIN's question of this iteration. */
export function decisionIn(state: RunState, { index }: Attempt): BoardDecision | undefined {
  return decisionsOf(state).find(({ iteration }) => iteration === iterationOf(state, index));
}

/** Tasks that a person agreed in this run to leave undone: those that the option names, or else the question. */
export function droppedTasks(state: RunState): ReadonlySet<string> {
  const ids = decisionsOf(state)
    .filter(({ option }) => option === DROP_TASKS)
    .map(({ title, question, description }) =>
      [description, question, title].map(taskIdsIn).find((named) => named.length > 0),
    );
  return new Set(ids.flatMap((named) => named ?? []));
}

export function isDropped({ id, status }: PlanTask, dropped: ReadonlySet<string>): boolean {
  return status === "TODO" && dropped.has(id);
}
