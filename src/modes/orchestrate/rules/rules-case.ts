import type { Attempt, RunState } from "../../../core/state.ts";
import type { MainAnswer, Order } from "../../../core/board/answer.ts";
import type { LeftTasks } from "../user-decisions.ts";
import type { DevPlan, PlanTask } from "../../../core/board/plan.ts";
import type { Broken } from "../../../core/board/rule.ts";
import type { Failures } from "../task-evidence.ts";

/** The input of the rules. */
export interface Case {
  readonly state: RunState;
  readonly answer: MainAnswer;
  readonly order: Order | null;
  /** The plan without the answer, and with it. */
  readonly before: DevPlan;
  readonly plan: DevPlan;
  readonly iteration: number;
  readonly index: number;
  /** The iteration whose report MAIN has just read. */
  readonly previous: Attempt | undefined;
  readonly skipped: LeftTasks;
  readonly failures: Failures;
  /** The tasks of the call. */
  readonly tasks: readonly PlanTask[];
}

export type Rules = (seen: Case) => readonly Broken[];
