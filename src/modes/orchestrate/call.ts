import type { MainEnded } from "../../core/event.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import type { Attempt, Call, RunState } from "../../core/state.ts";
import type { MainAnswer, Order } from "../../core/board/answer.ts";
import { isDroppedOrSkipped, skippedTasks, type LeftTasks } from "./user-decisions.ts";
import { isInvestigation, previousOf, reportIn } from "../../core/board/iterations.ts";
import {
  isOpen,
  taskIn,
  tasksOf,
  type DevPlan,
  type Milestone,
  type PlanTask,
} from "../../core/board/plan.ts";
import { readOrder } from "./rules/read-order.ts";

/** An answer counts if it breaks no rule. If it only finishes too early, its plan still counts. */
export function standing({ answer, broken }: Pick<MainEnded, "answer" | "broken">): "whole" | "plan" | "not" {
  if (answer === null) return "not";
  if (broken.length === 0) return "whole";
  const updates = broken.some(({ rule }) => rule === "finish_with_update");
  return updates && broken.every(({ rule }) => rule.startsWith("finish_")) ? "plan" : "not";
}

/** The order in an answer. Facts that only another role can give are not part of it. */
export function orderIn({ nextAgent, task }: MainAnswer): Order | null {
  if (task === null) return null;
  const order = readOrder(task);
  return {
    ...order,
    selfTest: nextAgent === "DEV" ? order.selfTest : null,
    reviewMode: nextAgent === "REVIEW" ? order.reviewMode : null,
    partial: nextAgent === "REVIEW" ? order.partial : null,
    redWaiver: nextAgent === "REVIEW" ? null : order.redWaiver,
  };
}

/** Inputs of a call besides plan and answer. */
export interface Circumstances {
  readonly previous: Attempt | undefined;
  /** Tasks that a person has dropped or skipped. */
  readonly skipped: LeftTasks;
}

export function circumstancesOf(state: RunState): Circumstances {
  return { previous: previousOf(state), skipped: skippedTasks(state) };
}

/** The call that MAIN's answer results in, with the plan before and after. */
export function callOf(
  ended: MainEnded,
  before: DevPlan,
  plan: DevPlan,
  circumstances: Circumstances,
): Call | null {
  const { answer } = ended;
  const valid = standing(ended);
  if (answer === null || valid === "not") return null;
  const order = orderIn(answer);
  const isNew = ({ id, status }: PlanTask): boolean =>
    status === "VERIFIED" && taskIn(before, id)?.status !== "VERIFIED";
  const tasks = valid === "plan" ? [] : tasksFor(plan, answer.nextAgent, order, circumstances);
  return {
    answer,
    finishRefused: valid === "plan",
    order,
    tasks: tasks.map(({ id }) => id),
    commands: commandsOf(tasks),
    verified: tasksOf(plan)
      .filter(isNew)
      .map(({ id }) => id),
  };
}

/** The tasks of a call. */
export function tasksFor(
  plan: DevPlan,
  agent: NonNullable<MainEnded["answer"]>["nextAgent"],
  order: Call["order"],
  { previous, skipped }: Circumstances,
): readonly PlanTask[] {
  const all = tasksOf(plan);
  const current = currentTask(plan, skipped);
  switch (agent) {
    case "TEST":
    case "DEV":
      return current ? [current] : [];
    case "REVIEW": {
      const done = milestoneToReview(plan)?.tasks.filter(({ status }) => status === "DONE") ?? [];
      if (order?.reviewMode === "milestone") return done;
      if (order?.reviewMode === "single") {
        const named = done.filter(({ id }) => id === order.task);
        return order.task === null && done.length === 1 ? done : named;
      }
      const about = order?.task ?? previous?.call?.tasks[0] ?? current?.id;
      return all.filter(({ id }) => id === about);
    }
    case "USER":
      return [];
    case "FINISH":
      return all.filter(({ status }) => status === "VERIFIED");
  }
}

/**
 * The first task with work left. A dropped or skipped task is passed over until MAIN takes it up again. A task that was skipped while it was DOING is
 * current if no other task is open.
 */
export function currentTask(plan: DevPlan, skipped: LeftTasks): PlanTask | undefined {
  const open = tasksOf(plan).filter(isOpen);
  return (
    open.find((task) => !isDroppedOrSkipped(task, skipped)) ??
    open.find(({ id, status }) => status === "DOING" && skipped.get(id)?.isDropped === false)
  );
}

/** The first milestone with a task that waits for REVIEW. */
export function milestoneToReview({ milestones }: DevPlan): Milestone | undefined {
  return milestones.find(({ tasks }) => tasks.some(({ status }) => status === "DONE"));
}

export function commandsOf(tasks: readonly PlanTask[]): readonly string[] {
  return [...new Set(tasks.flatMap(({ acceptance }) => acceptance.map(({ command }) => command)))];
}

/** The acceptance commands that the foreman runs after this turn; none if they could prove nothing. */
export function commandsDue(attempt: Attempt): readonly string[] {
  const { call, turn } = attempt;
  if (!call) return [];
  if (call.answer.nextAgent === "FINISH") return call.commands;
  const report = reportIn(attempt);
  if (!turn || !report || !succeeded(turn.process.end) || turn.agent?.failure != null) return [];
  if ((report.changed ?? []).length > 0 || report.unrestored.length > 0) return [];
  if (report.said.claim === null || report.said.claim === "BLOCKED") return [];
  const untested = isInvestigation(attempt) || call.order?.selfTest === "disabled";
  return untested ? [] : call.commands;
}
