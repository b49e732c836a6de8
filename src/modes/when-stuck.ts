import type { Decision } from "../core/decision.ts";
import type { OnStuck } from "../core/settings.ts";
import { attemptsAt, COMMAND_AGENT, lastAttempt, type Attempt, type RunState } from "../core/state.ts";
import { attemptsOnSameTree, stuckAfter } from "../evidence/stuck.ts";
import { end } from "../core/end.ts";
import { canWork, inTurn } from "../core/next-agent.ts";

export interface Workers {
  readonly onStuck: OnStuck;
  /** In the order in which they take over. */
  readonly names: readonly string[];
}

/**
 * Decides whether the run is stuck and what to do then; null: make another attempt. After a person's "continue" at least two attempts follow, so that
 * they can be compared.
 */
export function whenStuck(state: RunState, workers: Workers): Decision | null {
  const attempt = lastAttempt(state);
  if (!attempt) return null;
  const decided = state.decisions.at(-1)?.attempts ?? 0;
  // Ask whatever `onStuck` says: the tests pass, and only a person knows whether there was anything to do.
  if (changedNothingAgain(state, attempt)) return hasGranted(state, attempt) ? null : { do: "ask" };
  const since = state.attempts.slice(decided).filter(({ step }) => step === attempt.step);
  if (!stuckAfter(since, attempt) || attempt.index >= state.maxLoops) return null;
  if (mayGoOn(since, state, workers)) return null;
  return state.interactive ? { do: "ask" } : end("failed", "stuck");
}

/** Whether a person granted more attempts at this step than have been made since. */
function hasGranted({ decisions, attempts }: RunState, { step }: Attempt): boolean {
  const decision = decisions.at(-1);
  if (!decision || attempts[decision.attempts - 1]?.step !== step) return false;
  const used = attempts.length - decision.attempts;
  return used === 0 || (decision.answer.kind === "continue_n" && used < decision.answer.n);
}

function changedNothingAgain(state: RunState, attempt: Attempt): boolean {
  const isIdle = attempt.judged?.reasons.includes("nothing_changed") === true;
  return isIdle && stuckAfter(attemptsAt(state, attempt.step), attempt)?.kind === "same_failure";
}

function mayGoOn(attempts: readonly Attempt[], state: RunState, { onStuck, names }: Workers): boolean {
  switch (onStuck) {
    case "continue":
      return true;
    case "stop":
      return false;
    case "next-agent": {
      const failed = new Set(
        attemptsOnSameTree(attempts).map(({ turn }) => turn?.agent?.name ?? COMMAND_AGENT),
      );
      return failed.size === 0 || names.some((name) => !failed.has(name) && canWork(state, name));
    }
  }
}

/** The order in which agents work next, likeliest first. The stuck agent comes last if another one is to take over. */
export function workersInTurn(state: RunState, { onStuck, names }: Workers): readonly string[] {
  const [first, ...others] = inTurn(names, state);
  if (first === undefined) return [];
  const attempts = attemptsAt(state, state.step);
  const last = attempts.findLast(({ judged }) => judged !== null);
  const takesOver = onStuck === "next-agent" && last !== undefined && stuckAfter(attempts, last) !== null;
  return takesOver ? [...others, first] : [first, ...others];
}
