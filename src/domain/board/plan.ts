/** What the plan says about a task. */
export const TASK_STATUSES = ["TODO", "DOING", "BLOCKED", "DONE", "VERIFIED"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** A command that says whether a task is done, and what it has to show. */
export interface Acceptance {
  readonly command: string;
  readonly threshold: string;
}

export interface PlanTask {
  /** `M1-T2`: its milestone is in it. */
  readonly id: string;
  readonly title: string;
  readonly status: TaskStatus;
  readonly acceptance: readonly Acceptance[];
  readonly evidence: string;
  /** Ids of tasks that it builds on. */
  readonly depends: readonly string[];
  /** Where it stands in the file, from 1. */
  readonly line: number;
}

export interface Milestone {
  /** `M1` */
  readonly id: string;
  readonly title: string;
  readonly tasks: readonly PlanTask[];
  readonly line: number;
}

/** `dev_plan.md` as it is understood. Milestones, and tasks within them, follow each other by number. */
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

/** Work is left at it. */
export function isOpen({ status }: PlanTask): boolean {
  return status === "TODO" || status === "DOING";
}

/** The ids of tasks that a text names. */
export function taskIdsIn(text: string): readonly string[] {
  return [...new Set(text.match(/M\d+-T\d+/g))];
}
