import { totalTokens } from "../domain/agent-turn.ts";
import { isLastIteration, isOver } from "../domain/board/iterations.ts";
import { budgetReached } from "../domain/budget.ts";
import { impasseOf } from "../domain/end.ts";
import { shellQuoted } from "../domain/shell-quote.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";

/** A word as a POSIX shell reads it back. */
export function shellWord(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : shellQuoted(text);
}

/** Lets a run go on: with the flag that gives it as much again as it has used or was allowed, or another verifier. */
export function resumeCommand(state: RunState): string {
  const resume = `agent-foreman resume ${state.runId}`;
  const flag = moreOf(state);
  return flag === null ? resume : `${resume} ${flag}`;
}

/** Suggested to a run on a board that has used all its iterations. */
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
      // A price that nobody knows is not known after a raise either.
      if (spent.unpriced > 0) return "--max-cost-usd 0";
      return `--max-cost-usd ${Number(((limits.costUsd ?? 0) + (spent.usage.costUsd ?? 0)).toPrecision(3))}`;
    case "tokens":
      if (spent.uncounted > 0) return "--max-tokens 0";
      return `--max-tokens ${(limits.tokens ?? 0) + totalTokens(spent.usage)}`;
    default:
      return `--max-time ${Math.min(hours((limits.timeMs ?? 0) + state.activeMs), MAX_HOURS)}h`;
  }
}

/** An agent of the run that has not failed to verify this work, rather than the one that did it. */
function otherVerifier(state: RunState): string | undefined {
  const { turn, faultyReviews = [] } = lastAttempt(state) ?? {};
  const failed = new Set(
    [...faultyReviews, ...state.failures.map(({ event }) => event)].map(({ agent }) => agent.name),
  );
  const able = state.settings.agents.map(({ name }) => name).filter((name) => !failed.has(name));
  return able.find((name) => name !== turn?.agent?.name) ?? able[0];
}

const HOUR = 3_600_000;
/** The longest time a limit takes: 24 days. */
const MAX_HOURS = 24 * 24;

function hours(ms: number): number {
  return Math.max(1, Math.ceil(ms / HOUR));
}

/** Until the first of the agents says that it will be back; else twice what was allowed. */
function longestWait({ failures, limits, updatedAt }: RunState): number {
  const moments = failures
    .flatMap(({ event }) => event.agent.failure.retryAt ?? [])
    .map((at) => Date.parse(at));
  const ahead = moments.map((at) => at - Date.parse(updatedAt)).filter((ms) => ms > limits.waitMs);
  return Math.min(MAX_HOURS * HOUR, ahead.length > 0 ? Math.min(...ahead) + HOUR : 2 * limits.waitMs);
}

/** Shows what the run changed, by nothing that the agent could have set git to run. Undefined where nothing can be shown. */
export function diffCommand({ runId, changes }: RunState): string | undefined {
  return changes?.kept && changes.files > 0 ? `agent-foreman diff ${runId}` : undefined;
}
