import type { Config } from "./config/config.ts";
import type { Limits } from "../core/settings.ts";

/** Limit flags of commands that cost money. Times in milliseconds; 0: no limit. */
export interface LimitFlags {
  readonly maxCostUsd?: number;
  readonly maxTokens?: number;
  readonly maxTime?: number;
  readonly maxWait?: number;
}

/** Flags have precedence over configuration. */
export function limitsFrom(flags: LimitFlags, { limits }: Config): Limits {
  return {
    costUsd: unlessNone(flags.maxCostUsd ?? limits.maxCostUsd.value),
    tokens: unlessNone(flags.maxTokens ?? limits.maxTokens.value),
    timeMs: unlessNone(flags.maxTime ?? limits.maxTimeMs.value),
    waitMs: flags.maxWait ?? limits.maxWaitMs.value,
  };
}

/** New limits from the flags of `resume` replace those from the start of the run. */
export function raisedLimits(flags: LimitFlags, now: Limits): Limits {
  return {
    costUsd: flags.maxCostUsd === undefined ? now.costUsd : unlessNone(flags.maxCostUsd),
    tokens: flags.maxTokens === undefined ? now.tokens : unlessNone(flags.maxTokens),
    timeMs: flags.maxTime === undefined ? now.timeMs : unlessNone(flags.maxTime),
    waitMs: flags.maxWait ?? now.waitMs,
  };
}

function unlessNone(limit: number): number | null {
  return limit === 0 ? null : limit;
}
