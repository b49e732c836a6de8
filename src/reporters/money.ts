import { totalTokens, type Usage } from "../domain/agent-turn.ts";
import type { RunState, Spent } from "../domain/state.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";

/** `$2.31`; of less than a cent, what can be told: `$0.0013`. */
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

/** What a turn cost: money where it is told, else tokens, else nothing to say. */
export function usageText(usage: Usage | null, texts: TerminalTexts): string | null {
  if (!usage) return null;
  const tokens = totalTokens(usage);
  if (tokens === 0 && !usage.costUsd) return null;
  return usage.costUsd === null ? texts.tokens(tokenCount(tokens)) : dollars(usage.costUsd);
}

/** What the run has spent so far. A turn whose cost nobody told makes the sum a lower bound. */
export function spentText({ spent }: RunState, texts: TerminalTexts): string | null {
  const amount = usageText(tellingUsage(spent), texts);
  if (amount === null) return null;
  const partial = tellingUsage(spent).costUsd === null ? spent.untoldTokens > 0 : spent.untoldCost > 0;
  return partial ? texts.atLeast(amount) : amount;
}

/** Nothing paid is no answer where not everybody told a price. */
export function tellingUsage({ usage, untoldCost }: Spent): Usage {
  return usage.costUsd === 0 && untoldCost > 0 ? { ...usage, costUsd: null } : usage;
}

/** What is used of the run's money, `$1.84 of $5.00`; null: it has no such limit. */
export function costBudget({ limits, spent }: RunState, texts: TerminalTexts): string | null {
  if (limits.costUsd === null) return null;
  return texts.of(dollars(spent.usage.costUsd ?? 0), dollars(limits.costUsd));
}

/** What is used of the run's tokens, `12k tokens of 50k`; null: it has no such limit. */
export function tokenBudget({ limits, spent }: RunState, texts: TerminalTexts): string | null {
  if (limits.tokens === null) return null;
  return texts.of(texts.tokens(tokenCount(totalTokens(spent.usage))), tokenCount(limits.tokens));
}
