import { withRoom } from "./verdict.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import type { Verdict } from "../core/verdict.ts";

/** The verdict on the last attempt from recorded facts; null while there cannot be one. */
export function verdictOn(state: RunState): Verdict | null {
  const attempt = lastAttempt(state);
  const borne = verdictByMode(state);
  return borne && attempt ? withRoom(borne, state, attempt) : borne;
}

/** The same, assuming that the room shows nothing against its checks. */
export function verdictByMode(state: RunState): Verdict | null {
  const attempt = lastAttempt(state);
  if (!attempt || attempt.judged) return null;
  return state.mode.verdict(state, attempt, state.settings);
}
