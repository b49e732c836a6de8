import type { Decision } from "../core/decision.ts";
import { verdictByMode } from "./verdict.ts";
import { isHeld } from "./fold.ts";
import { changedNothing, isHeldAgain, isOutdated, isVerifiersChange, keepsChanging } from "./held.ts";
import { baseResult, checkSoFar, endedCheck } from "./check.ts";
import { nextBaseRun, nextRun } from "./plan.ts";
import { needsPerson } from "./set-ups.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import { end } from "../core/end.ts";

/**
 * Inserts the steps that the room needs before the mode's decision: take the base before any work, take the candidate before its checks, and
 * confirm before acceptance that the tree is still the same.
 */
export function withRoomSteps(state: RunState, decision: Decision): Decision {
  // Journals of versions without rooms have no such steps.
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
      return last.candidate.taken.unreadable || keepsChanging(last)
        ? { do: "judge", attempt }
        : inRuns(state, decision);
    }
    case "judge":
      if (needsPerson(state)) return { do: "stop", by: "dependencies_missing" };
      return beforeVerdict(state, decision);
    default:
      return decision;
  }
}

/** The next run of a check, or its end. */
function inRuns(state: RunState, decision: Decision & { do: "run_check" }): Decision {
  if (endedCheck(state, decision)) return { ...decision, do: "end_check" };
  const run = nextRun(checkSoFar(state, decision), baseResult(state, decision.command));
  if (run === "done") throw new Error("a check is done without a result");
  return { ...decision, do: "run_tests", run };
}

/** Not in the middle of an attempt: its changes so far would become part of the base. */
function baseFirst(state: RunState): Decision | null {
  const last = lastAttempt(state);
  if (last && !last.judged) return null;
  if (!state.base || isOutdated(state)) return { do: "take_base" };
  const unstarted = state.base.checks.find(({ notStarted }) => notStarted)?.notStarted;
  if (unstarted)
    return end("failed", unstarted.why === "setup_failed" ? "setup_failed" : "test_cannot_start");
  const due = state.attempts.length === 0 ? nextBaseRun(state) : undefined;
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
  if (attempt.candidate.confirmed || keepsChanging(attempt) || changedNothing(state, attempt))
    return decision;
  return { do: "confirm_candidate", attempt: attempt.index };
}
