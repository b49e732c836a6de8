import type { MainEnded } from "../event.ts";
import { succeeded } from "../process-end.ts";
import type { Attempt, Call, RunState } from "../state.ts";
import type { MainAnswer } from "./answer.ts";
import { isDroppedOrSkipped, skippedTasks, type LeftTasks } from "./decided.ts";
import { isInvestigation, previousOf, reportIn } from "./iterations.ts";
import type { Order } from "./order.ts";
import { isOpen, taskIn, tasksOf, type DevPlan, type Milestone, type PlanTask } from "./plan.ts";
import { readOrder } from "./read-order.ts";

/** An answer stands if it breaks no rule. One that only finishes too early still says how the plan is. */
export function standing({ answer, broken }: Pick<MainEnded, "answer" | "broken">): "whole" | "plan" | "not" {
  if (answer === null) return "not";
  if (broken.length === 0) return "whole";
  const updates = broken.some(({ rule }) => rule === "finish_with_update");
  return updates && broken.every(({ rule }) => rule.startsWith("finish_")) ? "plan" : "not";
}

/** The order of an answer. What only another role can be told is not said in it. */
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

/** What a call depends on besides plan and answer. */
export interface Circumstances {
  readonly previous: Attempt | undefined;
  /** Tasks that a person has dropped or skipped. */
  readonly skipped: LeftTasks;
}

export function circumstancesOf(state: RunState): Circumstances {
  return { previous: previousOf(state), skipped: skippedTasks(state) };
}

/** What MAIN's answer comes down to, with the plan as it was and as it is then. */
export function callOf(
  ended: MainEnded,
  before: DevPlan,
  plan: DevPlan,
  circumstances: Circumstances,
): Call | null {
  const { answer } = ended;
  const stands = standing(ended);
  if (answer === null || stands === "not") return null;
  const order = orderIn(answer);
  const isNew = ({ id, status }: PlanTask): boolean =>
    status === "VERIFIED" && taskIn(before, id)?.status !== "VERIFIED";
  const tasks = stands === "plan" ? [] : tasksFor(plan, answer.nextAgent, order, circumstances);
  return {
    answer,
    finishRefused: stands === "plan",
    order,
    tasks: tasks.map(({ id }) => id),
    commands: commandsOf(tasks),
    verified: tasksOf(plan)
      .filter(isNew)
      .map(({ id }) => id),
  };
}

/** Which tasks a call is about. */
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
 * The first task at which work is left. One that a person dropped or skipped is passed over until MAIN takes it up again; one that
 * was skipped while it was DOING is also current when no other task is open.
 */
export function currentTask(plan: DevPlan, skipped: LeftTasks): PlanTask | undefined {
  const open = tasksOf(plan).filter(isOpen);
  return (
    open.find((task) => !isDroppedOrSkipped(task, skipped)) ??
    open.find(({ id, status }) => status === "DOING" && skipped.get(id)?.isDropped === false)
  );
}

/** The first milestone in which something waits for REVIEW. */
export function milestoneToReview({ milestones }: DevPlan): Milestone | undefined {
  return milestones.find(({ tasks }) => tasks.some(({ status }) => status === "DONE"));
}

export function commandsOf(tasks: readonly PlanTask[]): readonly string[] {
  return [...new Set(tasks.flatMap(({ acceptance }) => acceptance.map(({ command }) => command)))];
}

/** The acceptance commands that the foreman runs itself after this turn; none where they could tell nothing. */
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
