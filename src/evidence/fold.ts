import type { Answer, EvidenceEvent } from "../core/event.ts";
import { verdictByMode } from "./verdict-on.ts";
import type { BaseTaken, CandidateTaken } from "../core/evidence/event.ts";
import { heldChanges } from "./held.ts";
import { checksMs } from "../core/run-time.ts";
import type { BaseState } from "../core/evidence/state.ts";
import { lastAttempt, withLastAttempt, type Attempt, type RunState } from "../core/state.ts";

export function withEvidence(state: RunState, event: EvidenceEvent): RunState {
  switch (event.type) {
    case "base_taken":
      return {
        ...state,
        base: newBase(state, event),
        startBase: state.attempts.length === 0 ? event : state.startBase,
      };
    case "base_run_ended":
      return { ...state, base: state.base && { ...state.base, failedRun: event } };
    case "base_checked": {
      const { base } = state;
      return { ...state, base: base && { ...base, checks: [...base.checks, event], failedRun: null } };
    }
    case "candidate_taken":
      return withCandidate(state, event);
    case "test_run_ended":
      return withLastAttempt(state, { runs: [...(lastAttempt(state)?.runs ?? []), event] });
    case "check_ended":
      return withLastAttempt(state, { checks: [...(lastAttempt(state)?.checks ?? []), event] });
    case "candidate_confirmed": {
      const candidate = lastAttempt(state)?.candidate;
      return candidate ? withLastAttempt(state, { candidate: { ...candidate, confirmed: true } }) : state;
    }
  }
}

function newBase({ base, attempts }: RunState, taken: BaseTaken): BaseState {
  const before = base?.attempts === attempts.length ? base.times : 0;
  return { taken, checks: [], failedRun: null, times: before + 1, attempts: attempts.length };
}

/** Results for another tree say nothing about this one. */
function withCandidate(state: RunState, taken: CandidateTaken): RunState {
  const last = lastAttempt(state);
  const before = last?.candidate ?? null;
  const isSame = before?.taken.changesSha256 === taken.changesSha256;
  const decided = (isSame ? before.decided : null) ?? refusedBefore(state, taken, last?.step ?? null);
  const candidate = { taken, times: (before?.times ?? 0) + 1, confirmed: false, decided };
  if (!last || before === null) return withLastAttempt(state, { candidate });
  return withLastAttempt(state, { candidate, checks: [], runs: [], outdatedChecksMs: checksMs(last) });
}

/** A person who refused a change of protected files is not asked again if a later attempt of the step leaves the same change. */
function refusedBefore(
  { attempts, base }: RunState,
  { changesSha256 }: CandidateTaken,
  current: Attempt["step"],
): "refuse" | null {
  const isRefused = ({ candidate, step }: Attempt): boolean =>
    step === current && candidate?.decided === "refuse" && candidate.taken.changesSha256 === changesSha256;
  return attempts.slice(base?.attempts).some(isRefused) ? "refuse" : null;
}

/** Everything passes, but protected files were changed, so a person decides. */
export function isHeld(state: RunState): boolean {
  const attempt = lastAttempt(state);
  if (!attempt?.candidate || attempt.candidate.decided !== null || state.chat) return false;
  return verdictByMode(state)?.verdict === "accepted" && heldChanges(state, attempt).length > 0;
}

export function withProtectedDecided(state: RunState, answer: Answer): RunState {
  const candidate = lastAttempt(state)?.candidate;
  if (state.question?.about !== "protected" || !candidate || answer.kind !== "option") return state;
  const decided = answer.option === "allow" ? "allow" : "refuse";
  return withLastAttempt(state, { candidate: { ...candidate, decided } });
}
