import type { MainAnswer, NextAgent, UserQuestion, ReviewMode } from "../../src/core/board/answer.ts";
import { currentTask, milestoneToReview } from "../../src/modes/orchestrate/call.ts";
import { skippedTasks } from "../../src/modes/orchestrate/user-decisions.ts";
import { isOver, iterationOf, overIn } from "../../src/core/board/iterations.ts";
import {
  tasksOf,
  type Acceptance,
  type DevPlan,
  type PlanTask,
  type TaskStatus,
} from "../../src/core/board/plan.ts";
import { openFeedback } from "../../src/modes/orchestrate/task-evidence.ts";
import type { RoleSaid } from "../../src/core/board/role-said.ts";
import { lastAttempt, type RunState } from "../../src/core/state.ts";

/** A report that satisfies every rule for an order by `answerTo`. */
export const SAID: RoleSaid = {
  claim: "PASS",
  testFiles: ["test/a.test.mjs"],
  commands: ["check"],
  covered: [1, 2],
  blockType: null,
  failureType: null,
  fault: null,
  testFeedback: null,
  clarification: null,
  tasks: [],
};

/** The parts of MAIN's answer that a test cares about. The rest is filled in so that it breaks no rule. */
export interface Move {
  readonly next: NextAgent;
  readonly statuses?: Readonly<Record<string, TaskStatus>>;
  readonly evidence?: Readonly<Record<string, string>>;
  readonly acceptance?: Readonly<Record<string, readonly Acceptance[]>>;
  readonly added?: readonly PlanTask[];
  readonly lost?: readonly string[];
  readonly selfTest?: "enabled" | "disabled";
  readonly reviewMode?: ReviewMode;
  readonly redWaiver?: string;
  readonly history?: string;
  /** Lines added to the history, to the order's header and to its end. */
  readonly historyLines?: readonly string[];
  readonly orderLines?: readonly string[];
  readonly orderEnd?: readonly string[];
  readonly order?: string;
  readonly question?: UserQuestion;
}

export const QUESTION: UserQuestion = {
  title: "Storage",
  question: "Which storage is to be used?",
  options: [
    { id: "a", description: "MinIO" },
    { id: "b", description: "wait" },
  ],
  recommended: "a",
};

export function task(id: string, more: Partial<PlanTask> = {}): PlanTask {
  return {
    id,
    title: `do ${id}`,
    status: "TODO",
    acceptance: [{ command: `check ${id}`, threshold: "exit 0" }],
    evidence: "none",
    depends: [],
    line: 1,
    ...more,
  };
}

/** A plan in the board's own grammar. */
export function planOf(tasks: readonly PlanTask[]): string {
  const milestones = [...new Set(tasks.map(({ id }) => id.split("-")[0] ?? ""))];
  const parts = milestones.map((milestone) => {
    const own = tasks.filter(({ id }) => id.startsWith(`${milestone}-`));
    return `## ${milestone}: part ${milestone}\n\n${own.map(taskText).join("\n")}`;
  });
  return `# Dev plan\n\n${parts.join("\n")}`;
}

function taskText({ id, title, status, acceptance, evidence, depends }: PlanTask): string {
  return [
    `### ${id}: ${title}`,
    `- status: ${status}`,
    "- acceptance:",
    ...acceptance.map(({ command, threshold }, index) => `  ${index + 1}. \`${command}\` → ${threshold}`),
    `- evidence: ${evidence}`,
    ...(depends.length > 0 ? [`- depends: ${depends.join(", ")}`] : []),
    "",
  ].join("\n");
}

/** MAIN's answer to a state, built from a move. */
export function answerTo(state: RunState, move: Move): MainAnswer {
  const before = state.board?.plan;
  if (!before) throw new Error("there is no board");
  const last = lastAttempt(state);
  const index = (last?.index ?? 0) + (last && !isOver(last, state) ? 0 : 1);
  const iteration = iterationOf(state, index);
  const tasks = [...tasksOf(before), ...(move.added ?? [])]
    .filter(({ id }) => move.lost?.includes(id) !== true)
    .map((each) => ({
      ...each,
      status: move.statuses?.[each.id] ?? each.status,
      evidence: move.evidence?.[each.id] ?? each.evidence,
      acceptance: move.acceptance?.[each.id] ?? each.acceptance,
    }));
  const parts = [move.statuses, move.evidence, move.acceptance, move.added, move.lost];
  const touches = parts.some((part) => part !== undefined);
  const plan: DevPlan = planned(tasks);
  const isWork = move.next !== "USER" && move.next !== "FINISH";
  return {
    nextAgent: move.next,
    reason: "because",
    historyAppend: move.history ?? historyText(iteration, move, touches, tasks, state),
    task: isWork ? (move.order ?? orderText(iteration, move, plan, state)) : null,
    devPlanNext: touches ? planOf(tasks) : null,
    question: move.next === "USER" ? (move.question ?? QUESTION) : null,
  };
}

function planned(tasks: readonly PlanTask[]): DevPlan {
  const ids = [...new Set(tasks.map(({ id }) => id.split("-")[0] ?? ""))];
  return {
    milestones: ids.map((id) => ({
      id,
      title: id,
      line: 1,
      tasks: tasks.filter((each) => each.id.startsWith(`${id}-`)),
    })),
  };
}

function historyText(
  iteration: number,
  move: Move,
  touches: boolean,
  tasks: readonly PlanTask[],
  state: RunState,
): string {
  const blocked = tasks.some(({ status }) => status === "BLOCKED");
  const product = state.attempts.at(-1)?.turn?.product;
  const saidBlocked = product?.kind === "role_report" && product.said.claim === "BLOCKED";
  return [
    `## Iteration ${iteration}:`,
    `next_agent: ${move.next}`,
    "reason: because",
    `dev_plan: ${touches ? "statuses changed" : "no change"}`,
    ...(blocked || saidBlocked ? ["blockers: something is in the way"] : []),
    ...(move.historyLines ?? []),
  ].join("\n");
}

function orderText(iteration: number, move: Move, plan: DevPlan, state: RunState): string {
  const mode = move.reviewMode ?? "milestone";
  const tasks = concerned(move, plan, state);
  const copied = openFeedback(overIn(state));
  const head = [
    `# Current Task (Iteration ${iteration})`,
    `assigned_agent: ${move.next}`,
    ...(move.next === "DEV" ? [`self_test: ${move.selfTest ?? "enabled"}`] : []),
    ...(move.next === "REVIEW" ? [`review_mode: ${mode}`] : []),
    ...(move.redWaiver === undefined ? [] : [`red_waiver: ${move.redWaiver}`]),
    ...(move.orderLines ?? []),
    "",
  ];
  if (move.next === "REVIEW" && mode === "investigate")
    return [
      ...head,
      "## Investigation",
      "Who is at fault?",
      "## DEV feedback",
      copied ?? "none",
      "## Files",
      "- test/a.test.mjs",
      "## Requirements",
      "1. compare",
      "2. judge",
      "3. advise",
      ...(move.orderEnd ?? []),
    ].join("\n");
  return [
    ...head,
    "## Goal",
    `Work on ${tasks.map(({ id }) => id).join(", ")}`,
    ...(move.next === "TEST"
      ? ["## Test requirements", "1. it works", "2. it fails well", "## Code under test", "- src/a.mjs"]
      : []),
    "## Acceptance",
    ...tasks
      .flatMap(({ acceptance }) => acceptance)
      .map(({ command, threshold }, index) => `${index + 1}. \`${command}\` → ${threshold}`),
    ...(move.orderEnd ?? []),
  ].join("\n");
}

function concerned({ next, reviewMode }: Move, plan: DevPlan, state: RunState): readonly PlanTask[] {
  const current = currentTask(plan, skippedTasks(state));
  if (next !== "REVIEW") return current ? [current] : [];
  const done = milestoneToReview(plan)?.tasks.filter(({ status }) => status === "DONE") ?? [];
  return reviewMode === "single" ? done.slice(0, 1) : done;
}
