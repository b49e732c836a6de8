import type { Decision } from "../domain/decision.ts";
import { verdictByMode } from "../domain/evidence.ts";
import { isHeld } from "../domain/fold-room.ts";
import {
  changedNothing,
  isHeldAgain,
  isOutdated,
  isRestless,
  isVerifiersChange,
  nextBaseCommand,
} from "../domain/room/held.ts";
import { needsPerson } from "../domain/room/set-ups.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { end } from "./end.ts";

/**
 * What has to be seen before the mode's decision is carried out, where checks are kept apart: the tree before anybody works, the tree
 * that is checked, and, before work is accepted, that it is still the same tree.
 */
export function throughRoom(state: RunState, decision: Decision): Decision {
  // Journals of versions that knew no rooms have none.
  if (!state.settings.room) return decision;
  switch (decision.do) {
    case "open_turn":
    case "start_step":
    case "start_live":
      return baseFirst(state) ?? decision;
    case "run_check": {
      const { attempt } = decision;
      const last = lastAttempt(state);
      if (!last?.candidate) return { do: "take_candidate", attempt };
      return last.candidate.taken.unreadable || isRestless(last) ? { do: "judge", attempt } : decision;
    }
    case "judge":
      if (needsPerson(state)) return { do: "stop", by: "dependencies_missing" };
      return beforeVerdict(state, decision);
    default:
      return decision;
  }
}

/** Not in the middle of an attempt: what it has left so far would become what it is held against. */
function baseFirst(state: RunState): Decision | null {
  const last = lastAttempt(state);
  if (last && !last.judged) return null;
  if (!state.base || isOutdated(state)) return { do: "take_base" };
  const unstarted = state.base.checks.find(({ notStarted }) => notStarted)?.notStarted;
  if (unstarted)
    return end("failed", unstarted.why === "setup_failed" ? "setup_failed" : "test_cannot_start");
  const due = state.attempts.length === 0 ? nextBaseCommand(state) : undefined;
  return due ? { do: "check_base", ...due } : null;
}

function beforeVerdict(state: RunState, decision: Decision & { do: "judge" }): Decision {
  const attempt = lastAttempt(state);
  if (!attempt || !state.base || verdictByMode(state)?.verdict !== "accepted") return decision;
  if (!attempt.candidate) return { do: "take_candidate", attempt: attempt.index };
  if (isHeld(state)) {
    const asks = state.interactive || isHeldAgain(state, attempt) || isVerifiersChange(state, attempt);
    return asks ? { do: "ask" } : decision;
  }
  if (attempt.candidate.confirmed || isRestless(attempt) || changedNothing(state, attempt)) return decision;
  return { do: "confirm_candidate", attempt: attempt.index };
}
