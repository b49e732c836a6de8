import type { RunState } from "../../core/state.ts";
import type { DescribedFields } from "../../core/report/described.ts";
import type { common } from "./schema-report-parts.ts";

export function interruptedTurns(state: RunState): DescribedFields<typeof common>["interrupted_turns"] {
  return state.interruptedTurns.map(({ attempt, turn, durationMs }) => ({
    attempt,
    turn,
    duration_ms: durationMs,
  }));
}
