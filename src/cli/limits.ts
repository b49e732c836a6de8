import type { Limits } from "../core/settings.ts";
import type { AnyFlags } from "./settings/table.ts";
import type { Values } from "./settings/values.ts";

/** Zero is no limit, except for waiting. */
export function limitsFrom({ maxCostUsd, maxTokens, maxTimeMs, maxWaitMs }: Values): Limits {
  return {
    costUsd: unlessNone(maxCostUsd),
    tokens: unlessNone(maxTokens),
    timeMs: unlessNone(maxTimeMs),
    waitMs: maxWaitMs,
  };
}

/** New limits from the flags of `resume` replace those from the start of the run. */
export function raisedLimits({ maxCostUsd, maxTokens, maxTimeMs, maxWaitMs }: AnyFlags, now: Limits): Limits {
  return {
    costUsd: maxCostUsd === undefined ? now.costUsd : unlessNone(maxCostUsd),
    tokens: maxTokens === undefined ? now.tokens : unlessNone(maxTokens),
    timeMs: maxTimeMs === undefined ? now.timeMs : unlessNone(maxTimeMs),
    waitMs: maxWaitMs ?? now.waitMs,
  };
}

function unlessNone(limit: number): number | null {
  return limit === 0 ? null : limit;
}
