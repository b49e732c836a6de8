import { totalTokens } from "./agent-turn.ts";
import type { Limits } from "./settings.ts";
import type { RunState } from "./state.ts";

export type Budget = "cost" | "tokens" | "time";

/** The budget that is exhausted by `now`, or null. */
export function budgetReached(state: RunState, now: string): Budget | null {
  const { limits, spent } = state;
  if (limits.costUsd !== null && ((spent.usage.costUsd ?? 0) >= limits.costUsd || spent.unpriced > 0))
    return "cost";
  if (limits.tokens !== null && (totalTokens(spent.usage) >= limits.tokens || spent.uncounted > 0))
    return "tokens";
  if (limits.timeMs !== null && activeMsAt(state, now) >= limits.timeMs) return "time";
  return null;
}

/** How long the run has been supervised, if it is supervised now. */
export function activeMsAt(state: RunState, now: string): number {
  return state.activeMs + Math.max(0, Date.parse(now) - Date.parse(state.updatedAt));
}

/** The remaining budget. */
export function remaining(state: RunState, now: string): Omit<Limits, "waitMs"> {
  const { costUsd, tokens, timeMs } = state.limits;
  return {
    costUsd: costUsd === null ? null : Math.max(0, costUsd - (state.spent.usage.costUsd ?? 0)),
    tokens: tokens === null ? null : Math.max(0, tokens - totalTokens(state.spent.usage)),
    timeMs: timeMs === null ? null : Math.max(0, timeMs - activeMsAt(state, now)),
  };
}
