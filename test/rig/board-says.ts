import type { BoardRole, MainAnswer, NextAgent, UserQuestion } from "../../src/core/board/answer.ts";
import { commandsOf, circumstancesOf, tasksFor } from "../../src/modes/orchestrate/call.ts";
import { reportIn } from "../../src/core/board/iterations.ts";
import type { PlanTask } from "../../src/core/board/plan.ts";
import { readOrder } from "../../src/modes/orchestrate/rules/read-order.ts";
import { readPlan } from "../../src/modes/orchestrate/rules/read-plan.ts";
import type { RunState } from "../../src/core/state.ts";

/** MAIN's answer in a story of `board-story.ts`. Missing parts follow from the state of the run. */
export type Says = Partial<MainAnswer> & {
  readonly nextAgent: NextAgent;
  /** Lines between `assigned_agent:` and the sections of the order, such as `red_waiver: the feature exists`. */
  readonly header?: readonly string[];
  /** Lines of the history in addition to the required ones. */
  readonly history?: readonly string[];
};

export const A_QUESTION: UserQuestion = {
  title: "S3 credentials?",
  question: "Uploads need S3. Which storage is to be used?",
  options: [
    { id: "a", description: "use MinIO" },
    { id: "b", description: "wait" },
  ],
  recommended: "a",
};

/** MAIN's complete answer in this iteration. */
export function answerNow(
  state: RunState,
  iteration: number,
  { header = [], history = [], ...says }: Says,
): MainAnswer {
  const { nextAgent, devPlanNext = null } = says;
  const changes = devPlanNext !== null && devPlanNext.trim() !== state.board?.text.trim();
  const isCalled = nextAgent !== "USER" && nextAgent !== "FINISH";
  return {
    reason: `${nextAgent} is next`,
    historyAppend: [
      `## Iteration ${iteration}:`,
      `next_agent: ${nextAgent}`,
      `reason: ${nextAgent} is next`,
      `dev_plan: ${changes ? "statuses" : "no change"}`,
      ...history,
      "",
    ].join("\n"),
    task: isCalled ? orderText(state, iteration, nextAgent, devPlanNext, header) : null,
    question: nextAgent === "USER" ? A_QUESTION : null,
    devPlanNext,
    ...says,
  };
}

/** An order with every part that any role may need. */
function orderText(
  state: RunState,
  iteration: number,
  role: BoardRole,
  planNext: string | null,
  header: readonly string[],
): string {
  const own = { TEST: [], DEV: ["self_test: enabled"], REVIEW: ["review_mode: milestone"] }[role];
  const isGiven = (line: string): boolean =>
    header.some((given) => given.startsWith(line.slice(0, line.indexOf(":") + 1)));
  const head = [
    `# Current Task (Iteration ${iteration})`,
    `assigned_agent: ${role}`,
    ...own.filter((line) => !isGiven(line)),
    ...header,
    "",
    "## Goal",
    "what the task says",
    "",
  ];
  const tasks = tasksNow(state, role, planNext, head.join("\n"));
  const previous = circumstancesOf(state).previous;
  return [
    ...head,
    "## Test requirements",
    "1. it works",
    "",
    "## Code under test",
    "- src/a.ts",
    "",
    "## Investigation",
    "whose fault it is",
    "",
    "## DEV feedback",
    (previous && reportIn(previous)?.said.testFeedback) ?? "something",
    "",
    "## Files",
    "- src/a.ts",
    "",
    "## Requirements",
    "1. compare",
    "2. weigh",
    "3. say what to do",
    "",
    "## Acceptance",
    ...commandsOf(tasks).map((command, index) => `${index + 1}. \`${command}\` → exit 0`),
    "",
  ].join("\n");
}

function tasksNow(
  state: RunState,
  role: BoardRole,
  planNext: string | null,
  head: string,
): readonly PlanTask[] {
  const read = planNext === null ? null : readPlan(planNext);
  const plan = read && "plan" in read ? read.plan : state.board?.plan;
  return plan ? tasksFor(plan, role, readOrder(head), circumstancesOf(state)) : [];
}
