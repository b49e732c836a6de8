import type { BoardProblem } from "../../../core/board/problem.ts";
import { isAccepted, iterationOf, roleOf } from "../../../core/board/iterations.ts";
import { isGreen, reviewFor, wasRedAtTheEnd } from "../task-evidence.ts";
import { taskIdsIn, taskIn, tasksOf, type PlanTask, type TaskStatus } from "../../../core/board/plan.ts";
import type { Broken } from "../../../core/board/rule.ts";
import type { RunState } from "../../../core/state.ts";
import type { Case } from "./rules-case.ts";

const MAX_PROBLEMS_SHOWN = 5;

export function problemsText(problems: readonly BoardProblem[]): string {
  const shown = problems
    .slice(0, MAX_PROBLEMS_SHOWN)
    .map(
      ({ kind, line, about }) =>
        `${line === null ? "" : `${line}: `}${kind}${about === "" ? "" : ` ${about}`}`,
    );
  return shown.join("; ");
}

/** Allowed changes of the plan from one iteration to the next. */
export function planRules(seen: Case, refusedCommands: readonly string[]): readonly Broken[] {
  const { before, plan } = seen;
  const lost = tasksOf(before).filter(({ id }) => !taskIn(plan, id));
  return [
    ...lost.map(({ id }) => ({ rule: "task_lost", about: id }) as const),
    ...tasksOf(plan).flatMap((task) => taskRules(task, taskIn(before, task.id), seen)),
    ...unrecorded(seen),
    ...refusedCommands.map((about) => ({ rule: "dangerous_command", about }) as const),
  ];
}

function taskRules(task: PlanTask, before: PlanTask | undefined, seen: Case): readonly Broken[] {
  if (!before) return task.status === "TODO" ? [] : [{ rule: "new_task_not_todo", about: task.id }];
  return [...moveRules(task, before, seen), ...acceptanceRules(task, before, seen)];
}

/** Allowed status changes. DONE and VERIFIED also need evidence. */
const MOVES: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  TODO: ["DOING", "BLOCKED"],
  DOING: ["TODO", "BLOCKED", "DONE"],
  BLOCKED: ["TODO", "DOING"],
  DONE: ["DOING", "VERIFIED"],
  VERIFIED: [],
};

function moveRules(task: PlanTask, before: PlanTask, seen: Case): readonly Broken[] {
  const { id, status } = task;
  if (status === before.status) return [];
  if (!isMove(before, status, seen.state))
    return [{ rule: "status_jump", about: `${id} ${before.status} -> ${status}` }];
  if (status === "DONE" && !isGreen(seen.state, task)) return [{ rule: "done_without_green", about: id }];
  return status === "VERIFIED" ? verifiedRules(task, seen) : [];
}

function isMove(before: PlanTask, status: TaskStatus, state: RunState): boolean {
  const reopens = before.status === "VERIFIED" && status === "DOING" && wasRedAtTheEnd(state, before);
  return reopens || MOVES[before.status].includes(status);
}

/** Whether there is evidence for the new status. */
export function mayBecome(task: PlanTask, status: TaskStatus, state: RunState): boolean {
  if (!isMove(task, status, state)) return false;
  if (status === "DONE") return isGreen(state, task);
  return status !== "VERIFIED" || reviewFor(state, task) !== undefined;
}

function verifiedRules(task: PlanTask, { state }: Case): readonly Broken[] {
  const review = reviewFor(state, task);
  if (!review) return [{ rule: "verified_without_review", about: task.id }];
  const iteration = iterationOf(state, review.index);
  return namesIteration(task.evidence, iteration)
    ? []
    : [{ rule: "verified_without_iteration", about: `${task.id} ${iteration}` }];
}

function namesIteration(evidence: string, iteration: number): boolean {
  return [
    // Not `12.5` or `12/40`.
    `(?:iteration|迭代|轮次)\\s*[:：#]?\\s*${iteration}(?!\\d|[./]\\d)`,
    `第\\s*${iteration}\\s*(?:轮|次)`,
    `\\[${iteration}\\]`,
  ].some((form) => new RegExp(form, "i").test(evidence));
}

/** Tasks that REVIEW has accepted must be recorded at once. */
function unrecorded({ state, previous, plan }: Case): readonly Broken[] {
  if (!previous || roleOf(previous) !== "REVIEW" || !isAccepted(previous)) return [];
  if (previous.call?.order?.reviewMode === "investigate") return [];
  // Except a task whose acceptance a person has changed since: it is reviewed again.
  const isLeft = (task: PlanTask): boolean => task.status === "DONE" && reviewFor(state, task) === previous;
  const left = tasksOf(plan).filter(isLeft);
  return left.length === 0
    ? []
    : [{ rule: "review_not_recorded", about: left.map(({ id }) => id).join(", ") }];
}

/** If MAIN could choose how a task is judged, evidence would mean nothing. */
function acceptanceRules(task: PlanTask, before: PlanTask, { state, previous }: Case): readonly Broken[] {
  const same = JSON.stringify(task.acceptance) === JSON.stringify(before.acceptance);
  if (same) return [];
  const settled = before.status === "DONE" || before.status === "VERIFIED";
  const isPersons = state.board?.fromPerson.includes(task.id) === true;
  const asked = previous?.call?.answer.nextAgent === "USER" ? previous.call.answer.question : null;
  const decided = asked !== null && taskIdsIn(JSON.stringify(asked)).includes(task.id);
  return settled || (isPersons && !decided) ? [{ rule: "acceptance_changed", about: task.id }] : [];
}
