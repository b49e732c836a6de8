import { verdictByMode } from "./verdict-on.ts";
import { whyNoCheck, whyNoTestRun } from "./legality-checks.ts";
import type { BaseChecked, BaseRunEnded } from "../core/evidence/event.ts";
import type { EvidenceEvent } from "../core/event.ts";
import { nextBaseCommand } from "./held.ts";
import { mayFailByChance } from "./plan.ts";
import { lastAttempt, type RunState } from "../core/state.ts";

/** Why an event of the evidence cannot follow a state, or null. */
export function whyNoEvidence(state: RunState, event: EvidenceEvent): string | null {
  // Without a room, checks run in the work tree.
  if (event.type === "check_ended") return whyNoCheck(state, event);
  if (!state.settings.room) return "nobody keeps checks apart in this run";
  if (state.openTurn || state.question) return "something else is open";
  switch (event.type) {
    case "base_taken": {
      const last = lastAttempt(state);
      return last && !last.judged ? "an attempt is under way" : null;
    }
    case "base_run_ended":
      return whyNoBaseCheck(state, event) ?? whyNotRepeated(state, event);
    case "base_checked":
      return whyNoBaseCheck(state, event);
    case "candidate_taken":
      return whyNotThisAttempt(state, event.attempt);
    case "test_run_ended":
      return whyNoTestRun(state, event);
    case "candidate_confirmed": {
      const { candidate } = lastAttempt(state) ?? {};
      const same = candidate?.taken.tree === event.tree && verdictByMode(state)?.verdict === "accepted";
      return whyNotThisAttempt(state, event.attempt) ?? (same ? null : "it is not the tree that was checked");
    }
  }
}

/** A run that cannot have failed by chance is not repeated: `base_checked` follows at once. */
function whyNotRepeated({ base }: RunState, { process }: BaseRunEnded): string | null {
  if (base?.failedRun) return "its first run was recorded already";
  return mayFailByChance(process) ? null : "the first run decides";
}

function whyNoBaseCheck(
  state: RunState,
  { phase, index, process }: BaseRunEnded | BaseChecked,
): string | null {
  const due = nextBaseCommand(state);
  if (!state.base || state.attempts.length > 0 || !due) return "the base is not to be tested";
  const isNext = due.phase === phase && due.index === index && due.command === process.command;
  return isNext ? null : "it is not the test that is next";
}

function whyNotThisAttempt(state: RunState, attempt: number): string | null {
  const last = lastAttempt(state);
  if (!state.base) return "there is no base";
  return last?.index === attempt && !last.judged ? null : "no such attempt is under way";
}
