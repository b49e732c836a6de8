import type { Attempt, RunState } from "../state.ts";
import type { MainAnswer } from "./answer.ts";
import type { LeftTasks } from "./decided.ts";
import type { Order } from "./order.ts";
import type { DevPlan, PlanTask } from "./plan.ts";
import type { Broken } from "./rule.ts";
import type { Failures } from "./seen.ts";

/** What the rules look at. */
export interface Case {
  readonly state: RunState;
  readonly answer: MainAnswer;
  readonly order: Order | null;
  /** The plan without the answer, and with it. */
  readonly before: DevPlan;
  readonly plan: DevPlan;
  readonly iteration: number;
  readonly index: number;
  /** The iteration whose report MAIN has before it. */
  readonly previous: Attempt | undefined;
  readonly skipped: LeftTasks;
  readonly failures: Failures;
  /** What the call would be about. */
  readonly tasks: readonly PlanTask[];
}

export type Rules = (seen: Case) => readonly Broken[];
