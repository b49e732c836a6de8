import type { BoardRole, MainAnswer, NextAgent, UserQuestion } from "../../src/domain/board/answer.ts";
import { commandsOf, circumstancesOf, tasksFor } from "../../src/domain/board/call.ts";
import { reportIn } from "../../src/domain/board/iterations.ts";
import type { PlanTask } from "../../src/domain/board/plan.ts";
import { readOrder } from "../../src/domain/board/read-order.ts";
import { readPlan } from "../../src/domain/board/read-plan.ts";
import type { RunState } from "../../src/domain/state.ts";

/** What MAIN says in a story of `board-story.ts`: what a test does not say follows from how the run stands. */
export type Says = Partial<MainAnswer> & {
  readonly nextAgent: NextAgent;
  /** Lines of the order between `assigned_agent:` and its sections, as in `red_waiver: the feature exists`. */
  readonly header?: readonly string[];
  /** Lines of the history besides those that have to be there. */
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

/** The whole answer that MAIN gives in this iteration. */
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

/** An order with all that one for any role may need. */
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
