import type { TreeChange } from "../event.ts";
import { lastAttempt, type RunState } from "../state.ts";
import type { MainAnswer } from "./answer.ts";
import { circumstancesOf, tasksFor, orderIn } from "./call.ts";
import { followsCutOff, iterationOf, isOver } from "./iterations.ts";
import { sameFailures } from "./seen.ts";
import type { Order } from "./order.ts";
import type { DevPlan } from "./plan.ts";
import { readPlan } from "./read-plan.ts";
import type { Broken } from "./rule.ts";
import { dispatchRules } from "./rules-dispatch.ts";
import { finishRules } from "./rules-finish.ts";
import { historyRules } from "./rules-history.ts";
import { orderRules } from "./rules-order.ts";
import { planRules, problemsText } from "./rules-plan.ts";
import type { Case } from "./rules-case.ts";
import { userRules } from "./rules-user.ts";

/** What is known of MAIN's turn besides its answer. */
export interface MainsTurn {
  readonly changed: TreeChange;
  readonly refusedCommands: readonly string[];
}

/** Every rule that an answer of MAIN's breaks; none: it stands. */
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

/** Changed files may come from the turn that was cut off, or from a person. */
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
