import type { BoardProblem } from "./problem.ts";
import { isAccepted, iterationOf, roleOf } from "./iterations.ts";
import { isGreen, reviewFor, wasRedAtTheEnd } from "./seen.ts";
import { taskIdsIn, taskIn, tasksOf, type PlanTask, type TaskStatus } from "./plan.ts";
import type { Broken } from "./rule.ts";
import type { RunState } from "../state.ts";
import type { Case } from "./rules-case.ts";

const MOST_TOLD = 5;

export function problemsText(problems: readonly BoardProblem[]): string {
  const told = problems
    .slice(0, MOST_TOLD)
    .map(
      ({ kind, line, about }) =>
        `${line === null ? "" : `${line}: `}${kind}${about === "" ? "" : ` ${about}`}`,
    );
  return told.join("; ");
}

/** What may become of the plan from one iteration to the next. */
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

/** Where a status may go to; DONE and VERIFIED ask for evidence besides. */
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

/** Whether there is evidence for what the status would say. */
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
    // Not `12.5`, nor `12/40`.
    `(?:iteration|迭代|轮次)\\s*[:：#]?\\s*${iteration}(?!\\d|[./]\\d)`,
    `第\\s*${iteration}\\s*(?:轮|次)`,
    `\\[${iteration}\\]`,
  ].some((form) => new RegExp(form, "i").test(evidence));
}

/** What REVIEW has accepted is recorded at once. */
function unrecorded({ state, previous, plan }: Case): readonly Broken[] {
  if (!previous || roleOf(previous) !== "REVIEW" || !isAccepted(previous)) return [];
  if (previous.call?.order?.reviewMode === "investigate") return [];
  // Not one whose acceptance a person has changed since: it is reviewed anew.
  const isLeft = (task: PlanTask): boolean => task.status === "DONE" && reviewFor(state, task) === previous;
  const left = tasksOf(plan).filter(isLeft);
  return left.length === 0
    ? []
    : [{ rule: "review_not_recorded", about: left.map(({ id }) => id).join(", ") }];
}

/** Who may choose by what it is judged needs no evidence any more. */
function acceptanceRules(task: PlanTask, before: PlanTask, { state, previous }: Case): readonly Broken[] {
  const same = JSON.stringify(task.acceptance) === JSON.stringify(before.acceptance);
  if (same) return [];
  const settled = before.status === "DONE" || before.status === "VERIFIED";
  const isPersons = state.board?.fromPerson.includes(task.id) === true;
  const asked = previous?.call?.answer.nextAgent === "USER" ? previous.call.answer.question : null;
  const decided = asked !== null && taskIdsIn(JSON.stringify(asked)).includes(task.id);
  return settled || (isPersons && !decided) ? [{ rule: "acceptance_changed", about: task.id }] : [];
}
