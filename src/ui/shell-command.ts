import { totalTokens } from "../core/agent-turn.ts";
import { isLastIteration, isOver } from "../core/board/iterations.ts";
import { budgetReached } from "../core/budget.ts";
import { impasseOf } from "../core/end.ts";
import { shellWord } from "../text/shell-quote.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import { openUserQuestion, MAIN_OPTIONS } from "../core/question-options.ts";

/** Resumes a run, with the flag that raises its exhausted limit or names another verifier. */
export function resumeCommand(state: RunState): string {
  const resume = `agent-foreman resume ${state.runId}`;
  const flag = moreOf(state);
  return flag === null ? resume : `${resume} ${flag}`;
}

/** A suggestion for a run on a board that has used all its iterations. */
const MORE_ITERATIONS = 3;

function needsIterations(state: RunState): boolean {
  const last = lastAttempt(state);
  return state.board !== null && last !== undefined && isLastIteration(state) && isOver(last, state);
}

function moreOf(state: RunState): string | null {
  const { limits, spent } = state;
  switch (impasseOf(state.stopped)) {
    case "budget_reached":
      break;
    case "no_verdict": {
      const other = otherVerifier(state);
      return other === undefined ? null : `--verifier ${shellWord(other)}`;
    }
    case "wait_limit_reached":
      return `--max-wait ${hours(longestWait(state))}h`;
    default:
      return needsIterations(state) ? `--max-iterations ${state.maxLoops + MORE_ITERATIONS}` : null;
  }
  switch (budgetReached(state, state.updatedAt)) {
    case "cost":
      // An unknown price stays unknown after a raise.
      if (spent.unpriced > 0) return "--max-cost-usd 0";
      return `--max-cost-usd ${Number(((limits.costUsd ?? 0) + (spent.usage.costUsd ?? 0)).toPrecision(3))}`;
    case "tokens":
      if (spent.uncounted > 0) return "--max-tokens 0";
      return `--max-tokens ${(limits.tokens ?? 0) + totalTokens(spent.usage)}`;
    default:
      return `--max-time ${Math.min(hours((limits.timeMs ?? 0) + state.activeMs), MAX_HOURS)}h`;
  }
}

/** An agent of the run that has not failed to verify this work; preferably not the one that did the work. */
function otherVerifier(state: RunState): string | undefined {
  const { turn, faultyReviews = [] } = lastAttempt(state) ?? {};
  const failed = new Set(
    [...faultyReviews, ...state.failures.map(({ event }) => event)].map(({ agent }) => agent.name),
  );
  const able = state.settings.agents.map(({ name }) => name).filter((name) => !failed.has(name));
  return able.find((name) => name !== turn?.agent?.name) ?? able[0];
}

const HOUR = 3_600_000;
/** The longest time that a limit can have: 24 days. */
const MAX_HOURS = 24 * 24;

function hours(ms: number): number {
  return Math.max(1, Math.ceil(ms / HOUR));
}

/** Until the first of the agents expects to be available; else twice the allowed time. */
function longestWait({ failures, limits, updatedAt }: RunState): number {
  const moments = failures
    .flatMap(({ event }) => event.agent.failure.retryAt ?? [])
    .map((at) => Date.parse(at));
  const ahead = moments.map((at) => at - Date.parse(updatedAt)).filter((ms) => ms > limits.waitMs);
  return Math.min(MAX_HOURS * HOUR, ahead.length > 0 ? Math.min(...ahead) + HOUR : 2 * limits.waitMs);
}

/** Shows the run's changes without anything that the agent could have made git run. Undefined if nothing can be shown. */
export function diffCommand({ runId, changes }: RunState): string | undefined {
  return changes?.kept && changes.files > 0 ? `agent-foreman diff ${runId}` : undefined;
}

/** Answers the open question with its default; undefined if there is none. */
export function decideCommand(state: RunState): string | undefined {
  const answer = state.question?.about === "main" ? MAIN_OPTIONS[0] : openUserQuestion(state)?.recommended;
  return answer === undefined ? undefined : `agent-foreman decide ${state.runId} ${shellWord(answer)}`;
}
