import type { Answer } from "./event.ts";
import { verdictByMode } from "./evidence.ts";
import type { BaseTaken, CandidateTaken, RoomEvent } from "./room/event.ts";
import { heldChanges } from "./room/held.ts";
import { checksMs } from "./run-time.ts";
import type { BaseState } from "./room/state.ts";
import { lastAttempt, withLastAttempt, type Attempt, type RunState } from "./state.ts";

export function withRoomEvent(state: RunState, event: RoomEvent): RunState {
  switch (event.type) {
    case "base_taken":
      return {
        ...state,
        base: newBase(state, event),
        startBase: state.attempts.length === 0 ? event : state.startBase,
      };
    case "base_checked":
      return { ...state, base: state.base && { ...state.base, checks: [...state.base.checks, event] } };
    case "candidate_taken":
      return withCandidate(state, event);
    case "candidate_confirmed": {
      const candidate = lastAttempt(state)?.candidate;
      return candidate ? withLastAttempt(state, { candidate: { ...candidate, confirmed: true } }) : state;
    }
  }
}

function newBase({ base, attempts }: RunState, taken: BaseTaken): BaseState {
  const before = base?.attempts === attempts.length ? base.times : 0;
  return { taken, checks: [], times: before + 1, attempts: attempts.length };
}

/** What was seen of another tree says nothing about this one. */
function withCandidate(state: RunState, taken: CandidateTaken): RunState {
  const last = lastAttempt(state);
  const before = last?.candidate ?? null;
  const isSame = before?.taken.changesSha256 === taken.changesSha256;
  const decided = (isSame ? before.decided : null) ?? refusedBefore(state, taken, last?.step ?? null);
  const candidate = { taken, times: (before?.times ?? 0) + 1, confirmed: false, decided };
  if (!last || before === null) return withLastAttempt(state, { candidate });
  return withLastAttempt(state, { candidate, checks: [], outdatedChecksMs: checksMs(last) });
}

/** A person who refused a change of protected files is not asked again when a later attempt of the step leaves the same change. */
function refusedBefore(
  { attempts, base }: RunState,
  { changesSha256 }: CandidateTaken,
  current: Attempt["step"],
): "refuse" | null {
  const isRefused = ({ candidate, step }: Attempt): boolean =>
    step === current && candidate?.decided === "refuse" && candidate.taken.changesSha256 === changesSha256;
  return attempts.slice(base?.attempts).some(isRefused) ? "refuse" : null;
}

/** All speaks for the work, but tests, or what decides about them, are not as they were. */
export function isHeld(state: RunState): boolean {
  const attempt = lastAttempt(state);
  if (!attempt?.candidate || attempt.candidate.decided !== null || state.chat) return false;
  return verdictByMode(state)?.verdict === "accepted" && heldChanges(state, attempt).length > 0;
}

export function withOracleDecided(state: RunState, answer: Answer): RunState {
  const candidate = lastAttempt(state)?.candidate;
  if (state.question?.about !== "oracle" || !candidate || answer.kind !== "option") return state;
  const decided = answer.option === "allow" ? "allow" : "refuse";
  return withLastAttempt(state, { candidate: { ...candidate, decided } });
}
