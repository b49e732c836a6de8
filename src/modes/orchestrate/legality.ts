import { ROLE_KEYS } from "../../core/board/answer.ts";
import type { BoardRule } from "../../core/board/rule.ts";
import { standing } from "./call.ts";
import { roleOf } from "../../core/board/iterations.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { readPlan } from "./rules/read-plan.ts";
import { readProjectEnv } from "./rules/read-project-env.ts";
import type { BoardEdited, MainEnded, TurnStarted } from "../../core/event.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { whyNotNextTurn } from "../../core/next-agent.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";

/**
 * Finds events that no run may contain. A journal is checked only against rules that keep the plan true.
 * Another version may have other rules for the form of an answer.
 */
export function whyNotMains(state: RunState, event: MainEnded): string | null {
  if (state.openTurn?.role !== "main" || !state.board) return "the turn is another's";
  const { answer, broken } = event;
  if (answer === null) return broken.length > 0 ? null : "an answer that cannot be read breaks no rule";
  if (!succeeded(event.process.end) || event.agent.failure !== null)
    return "a turn that failed has no answer";
  const valid = standing(event);
  if (valid === "not") return null;
  const held = judgeAnswer(state, answer, event).filter(({ rule }) => KEEPING_THE_PLAN.has(rule));
  const hidden = valid === "plan" ? held.filter(({ rule }) => !rule.startsWith("finish_")) : held;
  return hidden.length === 0 ? null : `it breaks ${hidden[0]?.rule}`;
}

const KEEPING_THE_PLAN: ReadonlySet<BoardRule> = new Set<BoardRule>([
  "plan_invalid",
  "task_lost",
  "new_task_not_todo",
  "status_jump",
  "done_without_green",
  "verified_without_review",
  "acceptance_changed",
  "dangerous_command",
  "milestone_not_reviewed",
  "red_not_confirmed",
  "finish_with_update",
  "finish_done_left",
  "finish_not_verified",
  "finish_todo_left",
]);

/** The policy has to want the turn, and the agent has to have the role. */
export function whyNoBoardTurn(
  state: RunState,
  event: TurnStarted,
  { roles }: OrchestrateSettings,
): string | null {
  const last = lastAttempt(state);
  const role = (event.role === "worker" && last ? roleOf(last) : null) ?? "MAIN";
  const isItsRole = roles[ROLE_KEYS[role]].includes(event.agent ?? "");
  return whyNotNextTurn(state, event) ?? (isItsRole ? null : "this agent has another role");
}

export function whyNoEdit(state: RunState, { plan, projectEnv }: BoardEdited): string | null {
  if (!state.board) return "there is no board";
  if (!state.board.settled) return "an agent may have made the edit";
  const readable =
    (plan === null || "plan" in readPlan(plan)) &&
    (projectEnv === null || "env" in readProjectEnv(projectEnv));
  return readable ? null : "it cannot be read";
}
