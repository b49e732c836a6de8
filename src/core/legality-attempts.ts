import type { RunEnded, TurnStarted } from "./event.ts";
import { lastAttempt, type RunState } from "./state.ts";

/** For modes in which one worker makes attempt after attempt. */
export function whyNoNextAttempt(state: RunState, { attempt, role }: TurnStarted): string | null {
  if (role !== "worker") return "this mode has no reviews";
  const last = lastAttempt(state);
  const retry = last !== undefined && !last.turn;
  if (last?.turn && !last.judged) return "the last attempt is not judged";
  if (attempt !== (last?.index ?? 0) + (retry ? 0 : 1)) return "attempts are counted one by one";
  return attempt > state.maxLoops ? "no attempt is left" : null;
}

export function whyNothingAccepted(state: RunState, { reason }: RunEnded): string | null {
  if (reason !== "accepted") return "the reason does not fit the status";
  return wasAccepted(state) ? null : "nothing was accepted";
}

export function wasAccepted(state: RunState): boolean {
  return lastAttempt(state)?.judged?.verdict === "accepted";
}
