import type { Attempt, ManualDecision, RunState } from "../../core/state.ts";
import type { BoardDecision } from "../../core/board/decisions.ts";
import { iterationOf, roleOf } from "../../core/board/iterations.ts";
import { taskIdsIn, taskIn, type PlanTask, type TaskStatus } from "../../core/board/plan.ts";

/** A person who chooses it agrees to leave tasks undone. */
const DROP_TASKS = "drop_tasks";
/** A person who chooses it wants the other work done first. The task blocks nothing, but FINISH still waits for it. */
const SKIP_TASK = "skip_task";

/** Ids may mean other tasks in a later run. */
export function isForThisRun({ option }: BoardDecision): boolean {
  return option === DROP_TASKS || option === SKIP_TASK;
}

/** Decisions of this run, in the order in which people made them. */
export function decisionsOf(state: RunState): readonly BoardDecision[] {
  return state.decisions.flatMap((decision) => decisionOn(state, decision) ?? []);
}

function decisionOn(state: RunState, { about, attempt, answer, note }: ManualDecision): BoardDecision | null {
  const question = state.attempts[attempt - 1]?.call?.answer.question;
  if (about !== "user" || answer.kind !== "option" || !question) return null;
  const chosen = question.options.find(({ id }) => id === answer.option);
  return {
    iteration: iterationOf(state, attempt),
    title: question.title,
    question: question.question,
    option: answer.option,
    description: chosen?.description ?? "",
    comment: note,
  };
}

/** Including earlier runs. */
export function allDecisions(state: RunState): readonly BoardDecision[] {
  const earlier = state.settings.mode === "orchestrate" ? state.settings.decided : [];
  return [...earlier, ...decisionsOf(state)];
}

/** The person's answer to MAIN's question in this iteration. */
export function decisionIn(state: RunState, { index }: Attempt): BoardDecision | undefined {
  return decisionsOf(state).find(({ iteration }) => iteration === iterationOf(state, index));
}

/** A dropped or skipped task blocks nothing while it has one of these statuses. */
interface LeftTask {
  readonly isDropped: boolean;
  readonly statuses: readonly TaskStatus[];
}
export type LeftTasks = ReadonlyMap<string, LeftTask>;

/** Tasks that a person agreed in this run to leave undone: those in the option, or else those in the question. */
export function droppedTasks(state: RunState): LeftTasks {
  return new Map([...skippedTasks(state)].filter(([, { isDropped }]) => isDropped));
}

/** Tasks that block nothing: dropped or skipped ones. A skip without a task means the last task. The last decision counts. */
export function skippedTasks(state: RunState): LeftTasks {
  const left = state.decisions.flatMap((made) => {
    const decision = decisionOn(state, made);
    if (!decision || !isForThisRun(decision)) return [];
    const isDropped = decision.option === DROP_TASKS;
    const named = tasksNamedIn(decision);
    const ids = named.length > 0 || isDropped ? named : lastTasksBefore(made.attempt, state);
    return ids.map((id): [string, LeftTask] => {
      const isLeft = isLeftInDoing(id, made.attempt, state);
      const statuses: readonly TaskStatus[] = ["TODO", "BLOCKED", ...(isLeft ? (["DOING"] as const) : [])];
      return [id, { isDropped, statuses }];
    });
  });
  return new Map(left);
}

/** The task was DOING when the person decided, and MAIN has not taken it up again since. */
function isLeftInDoing(id: string, attempt: number, { board, attempts }: RunState): boolean {
  if (!board || taskIn(board.plan, id)?.status !== "DOING") return false;
  const isWorkedAt = attempts.some(
    (later) => later.index > attempt && isWork(later) && later.call?.tasks.includes(id) === true,
  );
  return (board.since[id] ?? 0) <= attempt && !isWorkedAt;
}

function tasksNamedIn({ title, question, description }: BoardDecision): readonly string[] {
  return [description, question, title].map(taskIdsIn).find((named) => named.length > 0) ?? [];
}

function lastTasksBefore(attempt: number, { attempts }: RunState): readonly string[] {
  return attempts.findLast((earlier) => earlier.index < attempt && isWork(earlier))?.call?.tasks ?? [];
}

function isWork(attempt: Attempt): boolean {
  const role = roleOf(attempt);
  return role === "TEST" || role === "DEV";
}

/** MAIN may take such a task up again by setting it to DOING. */
export function isDroppedOrSkipped({ id, status }: PlanTask, left: LeftTasks): boolean {
  return left.get(id)?.statuses.includes(status) === true;
}
