/**
 * How a turn of a named agent ended, read from the agent's own stream and never from its exit code alone. Agents differ in
 * everything; this is where they become the same.
 */

/** Why a turn failed. Stable codes, the same in every language. */
export type FailureClass =
  /** The account is used up until a reset. */
  | "quota"
  /** Too many requests for now. */
  | "rate_limited"
  /** The service answers, but is overloaded or broke down for a moment. */
  | "overloaded"
  /** No answer of the service: connection refused or lost, name unknown, no route, request timed out. */
  | "unreachable"
  /** Not logged in, or the key is refused. */
  | "auth"
  /** Its settings keep the agent from working: tools denied, not allowed to run here, model unknown, certificate not trusted. */
  | "permission"
  /** The program is not there. */
  | "missing"
  /** The session that was to be resumed does not exist any more. */
  | "session_lost"
  /** The agent asked the person something and stopped. */
  | "question"
  /** The model declined the task. */
  | "refused"
  /** The agent reached a limit of its own: turns, budget, context window. */
  | "own_limit"
  | "crashed"
  /** It took too long, or stood still. */
  | "timeout"
  /** The foreman ended it at the budget, or at too much output. */
  | "cut_off"
  | "no_output"
  /** Its output did not have the form the adapter knows. */
  | "protocol";

/** Whether such a failure says nothing about the work, and so costs no attempt: the agent was not available. */
export function isUnavailable(kind: FailureClass): boolean {
  switch (kind) {
    case "quota":
    case "rate_limited":
    case "overloaded":
    case "unreachable":
    case "auth":
    case "permission":
    case "missing":
    case "session_lost":
      return true;
    case "question":
    case "refused":
    case "own_limit":
    case "crashed":
    case "timeout":
    case "cut_off":
    case "no_output":
    case "protocol":
      return false;
  }
}

/** Why a turn failed: in the agent's own words where it said something, with what it said of when to come back. */
export interface TurnFailure {
  readonly class: FailureClass;
  /** One bounded line. */
  readonly message: string;
  /** When the agent says that it will be available again (ISO 8601, UTC), or null. */
  readonly retryAt: string | null;
}

/** Tokens and money. `input` is what was read anew, `cached` what was read from the provider's cache. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  /** Null: the agent does not say. */
  readonly costUsd: number | null;
}

/** A tool call that the agent was not allowed to make. */
export interface Denial {
  readonly tool: string;
  /** What it was about (a path, a command), bounded; empty if unknown. */
  readonly about: string;
}

export interface AgentTurn {
  /** Null: completed. */
  readonly failure: TurnFailure | null;
  readonly sessionId: string | null;
  readonly model: string | null;
  /** Of this turn alone; null: the agent does not say. */
  readonly usage: Usage | null;
  /** What the agent counts over its whole session, where it counts so: the next turn of the session subtracts it. */
  readonly sessionTotals: Usage | null;
  /** Files the agent says it wrote: relative to the work directory where they lie in it. Bounded. */
  readonly filesTouched: readonly string[];
  readonly denials: readonly Denial[];
  /** The agent shortened its conversation to a summary: earlier words, rules among them, may be lost. */
  readonly compacted?: true;
  /** Lines of a kind the adapter does not know: kept in the transcript, skipped here. */
  readonly unknownLines: number;
}

/** What an agent told, where it can be true; of amounts that cannot, nothing is known. */
export function soundUsage(usage: Usage): Usage | null {
  const { input, cached, output, costUsd } = usage;
  const isAmount = (amount: number): boolean => Number.isFinite(amount) && amount >= 0;
  if (![input, cached, output].every(isAmount)) return null;
  return costUsd === null || isAmount(costUsd) ? usage : { ...usage, costUsd: null };
}

export function totalTokens(usage: Usage): number {
  return usage.input + usage.cached + usage.output;
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
