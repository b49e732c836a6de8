import type { CheckPhase } from "../domain/event.ts";

/** What is under way: an agent's work, an independent look at it, or a test. */
export type LivePhase = "agent" | "review" | CheckPhase;

export function isTurn(phase: LivePhase): boolean {
  return phase === "agent" || phase === "review";
}
