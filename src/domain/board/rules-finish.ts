import { isDropped } from "./decided.ts";
import { taskIn, tasksOf, type PlanTask } from "./plan.ts";
import type { Broken } from "./rule.ts";
import type { Rules } from "./rules-case.ts";

/** A run ends well only when nothing is left that somebody could have meant to be done. */
export const finishRules: Rules = (seen) => {
  const { answer, before, plan, previous, dropped } = seen;
  if (answer.nextAgent !== "FINISH") return [];
  const tasks = tasksOf(plan);
  const verified = tasks.filter(
    ({ id, status }) => status === "VERIFIED" && taskIn(before, id)?.status !== "VERIFIED",
  );
  const failed = previous?.judged?.verdict === "rejected";
  const undone = tasks.filter(({ status }) => status === "DOING" || status === "BLOCKED");
  const anyVerified = tasks.some(({ status }) => status === "VERIFIED");
  const todo = tasks.filter((task) => task.status === "TODO" && !isDropped(task, dropped));
  return [
    ...about("finish_with_update", verified),
    ...about(
      "finish_done_left",
      tasks.filter(({ status }) => status === "DONE"),
    ),
    ...about("finish_not_verified", undone.length === 0 && !anyVerified ? tasks.slice(0, 1) : undone),
    ...about("finish_todo_left", todo),
    ...(failed
      ? [{ rule: "finish_last_report", about: previous.judged?.reasons.join(", ") ?? "" } as const]
      : []),
  ];
};

function about(rule: Broken["rule"], tasks: readonly PlanTask[]): readonly Broken[] {
  return tasks.length === 0 ? [] : [{ rule, about: tasks.map(({ id }) => id).join(", ") }];
}
