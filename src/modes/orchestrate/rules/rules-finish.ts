import { droppedTasks, isDroppedOrSkipped } from "../user-decisions.ts";
import { taskIn, tasksOf, type PlanTask } from "../../../core/board/plan.ts";
import type { Broken } from "../../../core/board/rule.ts";
import type { Rules } from "./rules-case.ts";

/** A run passes only if no requested work is left. */
export const finishRules: Rules = (seen) => {
  const { answer, before, plan, previous, state } = seen;
  if (answer.nextAgent !== "FINISH") return [];
  const dropped = droppedTasks(state);
  const tasks = tasksOf(plan);
  const verified = tasks.filter(
    ({ id, status }) => status === "VERIFIED" && taskIn(before, id)?.status !== "VERIFIED",
  );
  const failed = previous?.judged?.verdict === "rejected";
  const undone = tasks.filter(
    (task) => (task.status === "DOING" || task.status === "BLOCKED") && !isDroppedOrSkipped(task, dropped),
  );
  const anyVerified = tasks.some(({ status }) => status === "VERIFIED");
  const todo = tasks.filter((task) => task.status === "TODO" && !isDroppedOrSkipped(task, dropped));
  return [
    ...about("finish_with_update", verified),
    ...about(
      "finish_done_left",
      tasks.filter(({ status }) => status === "DONE"),
    ),
    ...about("finish_not_verified", undone),
    ...(undone.length === 0 && !anyVerified ? [{ rule: "finish_not_verified", about: "" } as const] : []),
    ...about("finish_todo_left", todo),
    ...(failed
      ? [{ rule: "finish_last_report", about: previous.judged?.reasons.join(", ") ?? "" } as const]
      : []),
  ];
};

function about(rule: Broken["rule"], tasks: readonly PlanTask[]): readonly Broken[] {
  return tasks.length === 0 ? [] : [{ rule, about: tasks.map(({ id }) => id).join(", ") }];
}
