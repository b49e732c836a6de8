import { totalTokens, type Usage } from "../core/agent-turn.ts";
import type { RunState, Spent } from "../core/state.ts";
import type { TerminalTexts } from "./words/terminal.ts";

/** `$2.31`; below one cent with more digits: `$0.0013`. */
export function dollars(amount: number): string {
  if (amount > 0 && amount < 0.0001) return "<$0.0001";
  const cents = amount >= 0.01 || amount === 0;
  return `$${cents ? amount.toFixed(2) : Number(amount.toPrecision(2))}`;
}

/** `941`, `12k`, `3.4M`. */
export function tokenCount(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  const [value, unit] = tokens < 1_000_000 ? [tokens / 1000, "k"] : [tokens / 1_000_000, "M"];
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)}${unit}`;
}

/** The cost of a turn: money if reported, else tokens, else null. */
export function usageText(usage: Usage | null, texts: TerminalTexts): string | null {
  if (!usage) return null;
  const tokens = totalTokens(usage);
  if (tokens === 0 && !usage.costUsd) return null;
  return usage.costUsd === null ? texts.tokens(tokenCount(tokens)) : dollars(usage.costUsd);
}

/** The run's spending so far. A turn without a reported cost makes the sum a lower bound. */
export function spentText({ spent }: RunState, texts: TerminalTexts): string | null {
  const amount = usageText(reportedUsage(spent), texts);
  if (amount === null) return null;
  const partial =
    reportedUsage(spent).costUsd === null ? spent.unreportedTokens > 0 : spent.unreportedCost > 0;
  return partial ? texts.atLeast(amount) : amount;
}

/** A cost of zero means nothing if some turns reported no price. */
export function reportedUsage({ usage, unreportedCost }: Spent): Usage {
  return usage.costUsd === 0 && unreportedCost > 0 ? { ...usage, costUsd: null } : usage;
}

/** The used part of the run's money limit, `$1.84 of $5.00`; null: no such limit. */
export function costBudget({ limits, spent }: RunState, texts: TerminalTexts): string | null {
  if (limits.costUsd === null) return null;
  return texts.of(dollars(spent.usage.costUsd ?? 0), dollars(limits.costUsd));
}

/** The used part of the run's token limit, `12k tokens of 50k`; null: no such limit. */
export function tokenBudget({ limits, spent }: RunState, texts: TerminalTexts): string | null {
  if (limits.tokens === null) return null;
  return texts.of(texts.tokens(tokenCount(totalTokens(spent.usage))), tokenCount(limits.tokens));
}
