import { ROLE_KEYS } from "../../core/board/answer.ts";
import type { BoardRule } from "../../core/board/rule.ts";
import { standing } from "./call.ts";
import { asksLeft, isOver, openIteration, roleOf } from "../../core/board/iterations.ts";
import { judgeAnswer } from "./judge-answer.ts";
import { readPlan } from "./rules/read-plan.ts";
import { readProjectEnv } from "./rules/read-project-env.ts";
import type { BoardEdited, MainEnded, TurnStarted } from "../../core/event.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";

/**
 * Finds events that no run may contain. A journal is checked only against rules that keep the plan true.
 * Another version may have other rules for the form of an answer.
 */
export function whyNotMains(state: RunState, event: MainEnded): string | null {
  if (state.openTurn?.role !== "main" || !state.board) return "the role is wrong";
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

/** Rejects a decision or work out of turn. */
export function whyNoBoardTurn(state: RunState, { attempt, role, agent }: TurnStarted): string | null {
  const { roles } = state.settings as OrchestrateSettings;
  const open = openIteration(state);
  switch (role) {
    case "main": {
      if (!roles.main.includes(agent ?? "")) return "this agent is not MAIN";
      if (open) return open.index === attempt && mayAsk(state) ? null : "MAIN has decided";
      const next = (lastAttempt(state)?.index ?? 0) + 1;
      if (attempt !== next) return "iterations are counted one by one";
      return attempt > state.maxLoops ? "no iteration is left" : null;
    }
    case "worker": {
      const called = open && roleOf(open);
      if (!called || open.index !== attempt || open.turn) return "MAIN called no role";
      return roles[ROLE_KEYS[called]].includes(agent ?? "") ? null : "this agent has another role";
    }
    case "reviewer":
      return "this mode has no reviews";
  }
}

function mayAsk(state: RunState): boolean {
  const open = openIteration(state);
  return open !== undefined && open.call === null && asksLeft(state, open) > 0;
}

/** A person is asked MAIN's question, about a MAIN that breaks rules, or at the limit. */
export function whyNoBoardQuestion(state: RunState): string | null {
  const last = lastAttempt(state);
  if (!last) return "there is nothing to ask";
  if (isOver(last, state)) return last.index >= state.maxLoops ? null : "iterations are left";
  if (last.call === null) return asksLeft(state, last) > 0 ? "MAIN can be asked" : null;
  return last.call.answer.nextAgent === "USER" ? null : "there is nothing to ask";
}

export function whyNoEdit(state: RunState, { plan, projectEnv }: BoardEdited): string | null {
  if (!state.board) return "there is no board";
  if (!state.board.settled) return "a role may have changed it";
  const readable =
    (plan === null || "plan" in readPlan(plan)) &&
    (projectEnv === null || "env" in readProjectEnv(projectEnv));
  return readable ? null : "it cannot be read";
}
