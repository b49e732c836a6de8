import type { TreeChange } from "../../core/event.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";
import type { MainAnswer, Order } from "../../core/board/answer.ts";
import { circumstancesOf, tasksFor, orderIn } from "./call.ts";
import { followsCutOff, iterationOf, isOver } from "../../core/board/iterations.ts";
import { sameFailures } from "./task-evidence.ts";
import type { DevPlan } from "../../core/board/plan.ts";
import { readPlan } from "./rules/read-plan.ts";
import type { Broken } from "../../core/board/rule.ts";
import { dispatchRules, userRules, finishRules } from "./rules/rules-dispatch.ts";
import { historyRules } from "./rules/rules-history.ts";
import { orderRules } from "./rules/rules-order.ts";
import { planRules, problemsText } from "./rules/rules-plan.ts";
import type { Case } from "./rules/rules-case.ts";

/** Facts about MAIN's turn besides its answer. */
export interface MainsTurn {
  readonly changed: TreeChange;
  readonly refusedCommands: readonly string[];
}

/** All rules that MAIN's answer breaks; none: the answer is valid. */
export function judgeAnswer(
  state: RunState,
  answer: MainAnswer,
  { changed, refusedCommands }: MainsTurn,
): readonly Broken[] {
  const before = state.board?.plan;
  if (!before) throw new Error("there is no board");
  const meddled: readonly Broken[] =
    changed !== null && changed.length > 0 ? [{ rule: "main_changed_files", about: changed.join(", ") }] : [];
  const read = answer.devPlanNext === null ? { plan: before } : readPlan(answer.devPlanNext);
  if ("problems" in read) return [...meddled, { rule: "plan_invalid", about: problemsText(read.problems) }];
  const seen = caseOf(state, answer, read.plan);
  return [
    ...meddled,
    ...historyRules(seen),
    ...planRules(seen, refusedCommands),
    ...orderRules(seen),
    ...dispatchRules(seen),
    ...userRules(seen),
    ...finishRules(seen),
  ];
}

/** Changed files may come from the interrupted turn or from a person. */
export function isAfterCutOff(state: RunState): boolean {
  const { openTurn } = state;
  return openTurn !== null && followsCutOff(state, openTurn.attempt, openTurn.turn);
}

export function caseOf(
  state: RunState,
  answer: MainAnswer,
  plan: DevPlan,
  order: Order | null = orderIn(answer),
): Case {
  const last = lastAttempt(state);
  const index = (last?.index ?? 0) + (last && !isOver(last, state) ? 0 : 1);
  const circumstances = circumstancesOf(state);
  return {
    state,
    answer,
    order,
    before: state.board?.plan ?? plan,
    plan,
    iteration: iterationOf(state, index),
    index,
    ...circumstances,
    failures: sameFailures(state),
    tasks: tasksFor(plan, answer.nextAgent, order, circumstances),
  };
}
