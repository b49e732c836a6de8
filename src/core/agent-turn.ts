/**
 * How a turn of a named agent ended, read from the agent's own stream and never from its exit code alone. All agents report
 * differently; this is their common form.
 */

import {
  about,
  amount,
  codes,
  count,
  foreign,
  list,
  nullable,
  object,
  onlyTrue,
  optional,
  timestamp,
  type TypeOf,
} from "../text/shape.ts";

/** The agent was unavailable: such a failure says nothing about the work and costs no attempt. */
const UNAVAILABLE = [
  /** The account is exhausted until a reset. */
  "quota",
  /** Too many requests for now. */
  "rate_limited",
  /** The service answers, but is overloaded or failed for a moment. */
  "overloaded",
  /** No answer of the service: connection refused or lost, name unknown, no route, request timed out. */
  "unreachable",
  /** Not logged in, or the key is refused. */
  "auth",
  /** Its settings keep the agent from working: tools denied, not allowed to run here, model unknown, certificate not trusted. */
  "permission",
  /** The program is not installed. */
  "missing",
  /** The session to resume does not exist any more. */
  "session_lost",
] as const;

/** Why a turn failed. Stable codes, the same in every language. */
export const failureClass = codes([
  ...UNAVAILABLE,
  /** The agent asked the person something and stopped. */
  "question",
  /** The model declined the task. */
  "refused",
  /** The agent reached one of its own limits: turns, budget, context window. */
  "own_limit",
  "crashed",
  /** It took too long, or stalled. */
  "timeout",
  /** The foreman ended it because of the budget or too much output. */
  "cut_off",
  "no_output",
  /** Its output did not have the adapter's format. */
  "protocol",
]);
export type FailureClass = TypeOf<typeof failureClass>;

export function isUnavailable(kind: FailureClass): kind is (typeof UNAVAILABLE)[number] {
  return UNAVAILABLE.some((one) => one === kind);
}

/** Why a turn failed, in the agent's own words if there are any. */
export const turnFailure = object({
  class: failureClass,
  /** One bounded line. */
  message: foreign(),
  /** When the agent will be available again by its own account, or null. */
  retryAt: nullable(timestamp),
});
export type TurnFailure = TypeOf<typeof turnFailure>;

/** Tokens and money. `input` excludes tokens from the provider's cache, which are in `cached`. */
export const usage = object({
  input: amount,
  cached: amount,
  output: amount,
  /** Null: not reported. */
  costUsd: nullable(amount),
});
export type Usage = TypeOf<typeof usage>;

export const denials = about(
  /** `about`: a path or a command, bounded; empty if unknown. */
  list(object({ tool: foreign(), about: foreign() })),
  "Tool calls that the agent was not allowed to make",
);
export type Denial = TypeOf<typeof denials>[number];

export const agentTurn = object({
  /** Null: completed. */
  failure: nullable(turnFailure),
  sessionId: nullable(foreign()),
  model: nullable(foreign()),
  /** Of this turn alone; null: not reported. */
  usage: nullable(usage),
  /** The agent's count over its whole session, if any: the next turn of the session subtracts it. */
  sessionTotals: nullable(usage),
  /** Files that the agent reports it wrote: relative to the work directory if they are in it. Bounded. */
  filesTouched: list(foreign()),
  denials,
  /** Earlier messages, such as the rules, may be lost. */
  compacted: optional(about(onlyTrue, "the agent shortened its conversation to a summary")),
  /** Lines of a kind the adapter does not know: kept in the transcript, skipped here. */
  unknownLines: count,
});
export type AgentTurn = TypeOf<typeof agentTurn>;

/** The reported usage, without impossible amounts. */
export function soundUsage(reported: Usage): Usage | null {
  const { input, cached, output, costUsd } = reported;
  const isAmount = (value: number): boolean => Number.isFinite(value) && value >= 0;
  if (![input, cached, output].every(isAmount)) return null;
  return costUsd === null || isAmount(costUsd) ? reported : { ...reported, costUsd: null };
}

export function totalTokens({ input, cached, output }: Usage): number {
  return input + cached + output;
}

export function addUsage(a: Usage | null, b: Usage): Usage {
  if (a === null) return b;
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    costUsd: a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
  };
}
