/** The status of a task in the plan. */
export const TASK_STATUSES = ["TODO", "DOING", "BLOCKED", "DONE", "VERIFIED"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A command that shows whether a task is done, and its expected result. */
export interface Acceptance {
  readonly command: string;
  readonly threshold: string;
}

export interface PlanTask {
  /** `M1-T2`, which includes the milestone. */
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly acceptance: readonly Acceptance[];
  readonly evidence: string;
  /** Ids of tasks that it depends on. */
  readonly depends: readonly string[];
  /** Its line in the file, from 1. */
  readonly line: number;
}

export interface Milestone {
  /** `M1` */
  readonly id: string;
  readonly title: string;
  readonly tasks: readonly PlanTask[];
  readonly line: number;
}

/** The parsed `dev_plan.md`. Milestones, and tasks within them, are ordered by number. */
export interface DevPlan {
  readonly milestones: readonly Milestone[];
}

export function tasksOf({ milestones }: DevPlan): readonly PlanTask[] {
  return milestones.flatMap(({ tasks }) => tasks);
}

export function taskIn(plan: DevPlan, id: string): PlanTask | undefined {
  return tasksOf(plan).find((task) => task.id === id);
}

export function milestoneOf(plan: DevPlan, task: string): Milestone | undefined {
  return plan.milestones.find(({ tasks }) => tasks.some(({ id }) => id === task));
}

/** The task has remaining work. */
export function isOpen({ status }: PlanTask): boolean {
  return status === "TODO" || status === "DOING";
}

/** The task ids in a text. */
export function taskIdsIn(text: string): readonly string[] {
  return [...new Set(text.match(/M\d+-T\d+/g))];
}
