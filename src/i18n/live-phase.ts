import type { CheckPhase } from "../domain/event.ts";

/** What is under way: an agent's work, an independent look at it, a decision about what is next, or a test, also of the base. */
export type LivePhase = "agent" | "review" | "main" | "base" | CheckPhase;

export function isTurn(phase: LivePhase): boolean {
  return phase === "agent" || phase === "review" || phase === "main";
}
