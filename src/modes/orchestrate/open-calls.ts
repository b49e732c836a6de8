import type { RunState } from "../../core/state.ts";
import type { MainAnswer, NextAgent, Order, ReviewMode } from "../../core/board/answer.ts";
import { currentTask, milestoneToReview, standing } from "./call.ts";
import { skippedTasks } from "./user-decisions.ts";
import { iterationOf } from "../../core/board/iterations.ts";
import { caseOf } from "./judge-answer.ts";
import { taskIn, tasksOf, type DevPlan, type PlanTask, type TaskStatus } from "../../core/board/plan.ts";
import type { Broken } from "../../core/board/rule.ts";
import type { Case } from "./rules/rules-case.ts";
import { dispatchRules, finishRules } from "./rules/rules-dispatch.ts";
import { mayBecome, planRules } from "./rules/rules-plan.ts";
import { reviewFor } from "./task-evidence.ts";

/** A call that MAIN may make now. */
export interface OpenCall {
  readonly agent: NextAgent;
  readonly reviewMode: ReviewMode | null;
  /** The milestone of a partial review. */
  readonly partial: string | null;
  /** Valid only with `red_waiver:` in its order. */
  readonly waived: boolean;
  readonly tasks: readonly string[];
  /** Valid only if the plan of the same answer sets these statuses. */
  readonly moves: readonly { readonly task: string; readonly status: TaskStatus }[];
  /** This FINISH only takes over the plan, and MAIN calls FINISH again in the next iteration. */
  readonly planOnly: boolean;
}

type Kind = Pick<OpenCall, "agent" | "reviewMode" | "waived"> & { readonly isPartial?: boolean };

/** A refusal lists open calls of each group that are about different tasks, each in its first open form. */
const KINDS: readonly (readonly Kind[])[] = [
  [{ agent: "TEST", reviewMode: null, waived: false }],
  [
    { agent: "DEV", reviewMode: null, waived: false },
    { agent: "DEV", reviewMode: null, waived: true },
  ],
  [
    { agent: "REVIEW", reviewMode: "milestone", waived: false },
    { agent: "REVIEW", reviewMode: "milestone", waived: false, isPartial: true },
  ],
  [{ agent: "REVIEW", reviewMode: "investigate", waived: false }],
  [{ agent: "USER", reviewMode: null, waived: false }],
  [{ agent: "FINISH", reviewMode: null, waived: false }],
];

/** The calls that are open now, by the same rules that MAIN's answers are checked against. */
export function openCalls(state: RunState): readonly OpenCall[] {
  const before = state.board?.plan;
  if (!before) return [];
  const recorded = withEvidence(before, state);
  const next = withNextTakenUp(recorded, state);
  return KINDS.flatMap((kinds) => {
    const openWith = (plan: DevPlan): OpenCall | null => {
      for (const kind of kinds) {
        const call = callIfOpen(kind, plan, before, state);
        if (call) return call;
      }
      return null;
    };
    const isWork = kinds.some(({ agent }) => agent === "TEST" || agent === "DEV");
    const [first, second] = [before, isWork ? next : recorded].map(openWith);
    if (!first && !second) return reopenings(before, recorded, state).map(openWith).find(Boolean) ?? [];
    const isSame = first && second && first.tasks.join() === second.tasks.join();
    return [first, isSame ? null : second].flatMap((call) => call ?? []);
  });
}

/** The plan with every status that can be recorded now. */
function withEvidence(before: DevPlan, state: RunState): DevPlan {
  return withStatuses(
    before,
    (task) => {
      if (mayBecome(task, "VERIFIED", state)) return "VERIFIED";
      return mayBecome(task, "DONE", state) ? "DONE" : task.status;
    },
    state,
  );
}

function withNextTakenUp(plan: DevPlan, state: RunState): DevPlan {
  const next = currentTask(plan, skippedTasks(state));
  return withStatuses(
    plan,
    ({ id, status }) => (id === next?.id && status === "TODO" ? "DOING" : status),
    state,
  );
}

/** The plan with one more task taken up, again or for the first time. */
function reopenings(before: DevPlan, recorded: DevPlan, state: RunState): readonly DevPlan[] {
  return tasksOf(before)
    .filter((task) => mayBecome(task, "DOING", state) && !mayBecome(task, "VERIFIED", state))
    .flatMap(({ id }) =>
      [before, recorded].map((plan) =>
        withStatuses(plan, (task) => (task.id === id ? "DOING" : task.status), state),
      ),
    );
}

function withStatuses(plan: DevPlan, statusOf: (task: PlanTask) => TaskStatus, state: RunState): DevPlan {
  return {
    milestones: plan.milestones.map((milestone) => ({
      ...milestone,
      tasks: milestone.tasks.map((task) => {
        const status = statusOf(task);
        const review = status === "VERIFIED" ? reviewFor(state, task) : undefined;
        const evidence = review ? `Iteration ${iterationOf(state, review.index)}` : task.evidence;
        return status === task.status ? task : { ...task, status, evidence };
      }),
    })),
  };
}

function callIfOpen(kind: Kind, plan: DevPlan, before: DevPlan, state: RunState): OpenCall | null {
  const { agent, reviewMode, waived } = kind;
  const partial = kind.isPartial === true ? (milestoneToReview(plan)?.id ?? null) : null;
  const isWork = agent !== "USER" && agent !== "FINISH";
  const answer: MainAnswer = {
    nextAgent: agent,
    reason: "",
    historyAppend: "",
    task: isWork
      ? tasksOf(plan)
          .map(({ id }) => id)
          .join(" ")
      : null,
    devPlanNext: null,
    question: null,
  };
  const order = isWork ? sampleOrder({ agent, reviewMode, waived, partial }) : null;
  const seen = caseOf(state, answer, plan, order);
  const broken = rulesOf(seen);
  const planOnly = standing({ answer, broken }) === "plan";
  // With more than one broken rule, FINISH would be refused in the next iteration, too.
  if (broken.length > (planOnly ? 1 : 0)) return null;
  const moved = tasksOf(plan).filter(({ id, status }) => taskIn(before, id)?.status !== status);
  return {
    agent,
    reviewMode,
    partial,
    waived,
    tasks: agent === "FINISH" || reviewMode === "investigate" ? [] : seen.tasks.map(({ id }) => id),
    moves: moved.map(({ id, status }) => ({ task: id, status })),
    planOnly,
  };
}

/** Only the rules about the role to call, not those about the wording. */
function rulesOf(seen: Case): readonly Broken[] {
  return [...planRules(seen, []), ...dispatchRules(seen), ...finishRules(seen)];
}

/** A complete order. */
function sampleOrder({
  agent,
  reviewMode,
  waived,
  partial,
}: Pick<OpenCall, "agent" | "reviewMode" | "waived" | "partial">): Order {
  return {
    iteration: null,
    assignedAgent: agent,
    selfTest: agent === "DEV" ? "enabled" : null,
    reviewMode,
    task: null,
    redWaiver: waived ? "-" : null,
    unknownValues: [],
    sections: [{ name: "clarification_reply", text: "-" }],
    commands: [],
    requirements: 0,
    partial,
  };
}
