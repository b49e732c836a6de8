import type { MainEnded, RoleReport } from "../event.ts";
import { succeeded } from "../process-end.ts";
import { lastAttempt, type Attempt, type Call, type RunState } from "../state.ts";
import { isBoardRole, type BoardRole } from "./answer.ts";
import type { BoardDecision } from "./decisions.ts";
import { isOpen, taskIn, tasksOf, type DevPlan, type Milestone, type PlanTask } from "./plan.ts";
import { readOrder } from "./read-order.ts";

/** How often MAIN is asked in one iteration before a person is. */
const MAX_ASKS = 3;

/** What a person can say about a MAIN that breaks rules. */
export const MAIN_OPTIONS = ["ask_again", "stop"] as const;

/** A person who chose it agreed that the tasks named in the question are left undone. */
const DROP_TASKS = "drop_tasks";

/** The number on the board: it goes on from run to run. */
export function iterationOf({ settings }: RunState, attempt: number): number {
  return (settings.mode === "orchestrate" ? settings.iterationsBefore : 0) + attempt;
}

/** An answer stands if it breaks no rule. One that only finishes too early still says how the plan is. */
export function standing({ answer, broken }: Pick<MainEnded, "answer" | "broken">): "whole" | "plan" | "not" {
  if (answer === null) return "not";
  if (broken.length === 0) return "whole";
  const updates = broken.some(({ rule }) => rule === "finish_with_update");
  return updates && broken.every(({ rule }) => rule.startsWith("finish_")) ? "plan" : "not";
}

/** Nothing more happens in it. */
export function isOver(attempt: Attempt, state: RunState): boolean {
  const { call, judged } = attempt;
  if (call === null) return false;
  if (call.finishRefused) return true;
  return call.answer.nextAgent === "USER" ? decisionIn(state, attempt) !== undefined : judged !== null;
}

/** What the person said to MAIN's question of this iteration. */
export function decisionIn(state: RunState, { index }: Attempt): BoardDecision | undefined {
  return decisionsOf(state).find(({ iteration }) => iteration === iterationOf(state, index));
}

/** What people decided when MAIN asked, in this run. */
export function decisionsOf(state: RunState): readonly BoardDecision[] {
  return state.decisions.flatMap(({ about, attempt, answer, note }) => {
    const question = state.attempts[attempt - 1]?.call?.answer.question;
    if (about !== "user" || answer.kind !== "option" || !question) return [];
    const chosen = question.options.find(({ id }) => id === answer.option);
    return [
      {
        iteration: iterationOf(state, attempt),
        title: question.title,
        question: question.question,
        option: answer.option,
        description: chosen?.description ?? "",
        comment: note,
      },
    ];
  });
}

/** How often MAIN may still be asked in this iteration: a person may want it to be asked anew. */
export function asksLeft(state: RunState, attempt: Attempt): number {
  const again = state.decisions.filter(({ about, attempt: at }) => about === "main" && at === attempt.index);
  return MAX_ASKS * (again.length + 1) - attempt.main.length;
}

/** The iteration before the one that is under way, but for those in which MAIN only wanted to finish too early. */
function previousOf(state: RunState): Attempt | undefined {
  return overIn(state).at(-1);
}

function overIn(state: RunState): readonly Attempt[] {
  return state.attempts.filter((attempt) => isOver(attempt, state) && attempt.call?.finishRefused !== true);
}

export function roleOf({ call }: Pick<Attempt, "call">): BoardRole | null {
  return call && isBoardRole(call.answer.nextAgent) ? call.answer.nextAgent : null;
}

export function reportIn({ turn }: Attempt): RoleReport | null {
  return turn?.product?.kind === "role_report" ? turn.product : null;
}

/** Tasks that a person agreed to leave undone: those that the question named, in this run or in an earlier one. */
export function droppedTasks(state: RunState): ReadonlySet<string> {
  const earlier = state.settings.mode === "orchestrate" ? state.settings.decided : [];
  const texts = [...earlier, ...decisionsOf(state)]
    .filter(({ option }) => option === DROP_TASKS)
    .map(({ title, question, description }) => `${title} ${question} ${description}`);
  return new Set(texts.join(" ").match(/M\d+-T\d+/g));
}

/** The first task at which work is left. One that was dropped is TODO for ever, unless MAIN takes it up after all. */
export function currentTask(plan: DevPlan, dropped: ReadonlySet<string>): PlanTask | undefined {
  return tasksOf(plan).find((task) => isOpen(task) && !isDropped(task, dropped));
}

export function isDropped({ id, status }: PlanTask, dropped: ReadonlySet<string>): boolean {
  return status === "TODO" && dropped.has(id);
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
  if (report.changed !== null && report.changed.length > 0) return [];
  if (report.said.claim === null || report.said.claim === "BLOCKED") return [];
  const untested = call.order?.reviewMode === "investigate" || call.order?.selfTest === "disabled";
  return untested ? [] : call.commands;
}

/** TEST's work at the task was seen to fail first, by the commands it has now. */
export function isRedConfirmed(state: RunState, task: PlanTask): boolean {
  return state.attempts.some(
    (attempt) => roleOf(attempt) === "TEST" && isAccepted(attempt) && isAbout(attempt.call, task),
  );
}

/** The last work at the task was DEV's, and all its commands were seen to pass. */
export function isGreen(state: RunState, task: PlanTask): boolean {
  const last = state.attempts.findLast(
    (attempt) =>
      (roleOf(attempt) === "DEV" || roleOf(attempt) === "TEST") && attempt.call?.tasks.includes(task.id),
  );
  if (!last || roleOf(last) !== "DEV" || !isAccepted(last)) return false;
  return isAbout(last.call, task) && last.checks.length > 0;
}

/** The REVIEW that accepted the task as it is since it is DONE. */
export function reviewFor(state: RunState, task: PlanTask): Attempt | undefined {
  const since = state.board?.since[task.id] ?? 0;
  return state.attempts.findLast(
    (attempt) =>
      attempt.index >= since &&
      roleOf(attempt) === "REVIEW" &&
      attempt.call?.order?.reviewMode !== "investigate" &&
      isAccepted(attempt) &&
      attempt.call?.tasks.includes(task.id) === true &&
      commandsOf([task]).every((command) => attempt.call?.commands.includes(command)),
  );
}

/** MAIN finished, and everything was green. */
export function hasFinished(attempt: Attempt): boolean {
  const { call } = attempt;
  return call?.answer.nextAgent === "FINISH" && !call.finishRefused && isAccepted(attempt);
}

export function isAccepted({ judged }: Attempt): boolean {
  return judged?.verdict === "accepted";
}

function isAbout(call: Call | null, task: PlanTask): boolean {
  if (!call?.tasks.includes(task.id)) return false;
  return commandsOf([task]).join("\n") === call.commands.join("\n");
}

export function isInvestigation(attempt: Attempt): boolean {
  return roleOf(attempt) === "REVIEW" && attempt.call?.order?.reviewMode === "investigate";
}

/** DEV holds something against the tests. An investigation that was not accepted has settled nothing. */
export function isFeedbackOpen(state: RunState): boolean {
  const last = overIn(state).findLast((attempt) => !isInvestigation(attempt) || isAccepted(attempt));
  return last !== undefined && roleOf(last) === "DEV" && reportIn(last)?.said.testFeedback != null;
}

/** How many iterations in a row, up to the last, have failed in the same way. */
export function sameFailures(state: RunState): number {
  const over = overIn(state);
  const last = over.at(-1);
  const failure = last && failureOf(last);
  if (failure == null) return 0;
  const other = over.findLastIndex((attempt) => failureOf(attempt) !== failure);
  return over.length - 1 - other;
}

/** In which way it failed, as far as it can be compared; null: it did not. */
function failureOf({ call, judged, checks }: Attempt): string | null {
  if (!call || judged?.verdict !== "rejected") return null;
  const red = checks.filter(({ process }) => !succeeded(process.end)).map(({ process }) => process.command);
  return JSON.stringify([call.answer.nextAgent, call.tasks, judged.reasons, red]);
}

/**
 * What the tests have to be, as a digest, for work that may not touch them; null: as they are. Whoever changed them without being TEST
 * does not get them accepted by one more turn: they are put back, or TEST makes them its own.
 */
export function lawfulTests(state: RunState): string | null {
  let lawful: string | null = null;
  for (const attempt of state.attempts) {
    const role = roleOf(attempt);
    if (role === "TEST" && isAccepted(attempt)) lawful = null;
    else if (role !== "TEST" && attempt.judged?.reasons.includes("forbidden_change"))
      lawful ??= testsPart(attempt.treeBefore);
  }
  return lawful;
}

/** Which files were changed so, as far as is known. */
export function unlawfulPaths({ attempts }: RunState): readonly string[] {
  const since = attempts.findLastIndex((attempt) => roleOf(attempt) === "TEST" && isAccepted(attempt));
  const rejected = attempts
    .slice(since + 1)
    .filter((attempt) => roleOf(attempt) !== "TEST" && attempt.judged?.reasons.includes("forbidden_change"));
  return [...new Set(rejected.flatMap((attempt) => reportIn(attempt)?.changed ?? []))];
}

/** What a turn on the board is compared with: digests of the tests, of the product, and of what both may change. */
export interface TreeParts {
  readonly tests: string;
  readonly product: string;
  readonly other: string;
}

export function joinParts({ tests, product, other }: TreeParts): string {
  return [tests, product, other].join(".");
}

export function partsOf(tree: string | null): TreeParts | null {
  const [tests, product, other] = tree?.split(".") ?? [];
  return tests !== undefined && product !== undefined && other !== undefined
    ? { tests, product, other }
    : null;
}

function testsPart(tree: string | null): string | null {
  return partsOf(tree)?.tests ?? null;
}

/** What a call depends on besides plan and answer. */
export interface Circumstances {
  readonly previous: Attempt | undefined;
  readonly dropped: ReadonlySet<string>;
}

export function circumstancesOf(state: RunState): Circumstances {
  return { previous: previousOf(state), dropped: droppedTasks(state) };
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
  const order = answer.task === null ? null : readOrder(answer.task);
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
  { previous, dropped }: Circumstances,
): readonly PlanTask[] {
  const all = tasksOf(plan);
  const current = currentTask(plan, dropped);
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

export function openIteration(state: RunState): Attempt | undefined {
  const last = lastAttempt(state);
  return last && !isOver(last, state) ? last : undefined;
}
