import type { RunState } from "../domain/state.ts";

export interface InterruptedTurnReport {
  readonly attempt: number;
  readonly turn: number;
  readonly duration_ms: number | null;
}

export function interruptedTurns(state: RunState): readonly InterruptedTurnReport[] {
  return state.interruptedTurns.map(({ attempt, turn, durationMs }) => ({
    attempt,
    turn,
    duration_ms: durationMs,
  }));
}
