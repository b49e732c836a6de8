import type { CheckPhase } from "../core/event.ts";

/** The current activity: an agent's work, an independent review, a decision about the next step, or a test (also of the base). */
export type LivePhase = "agent" | "review" | "main" | "base" | CheckPhase;

export function isTurn(phase: LivePhase): boolean {
  return phase === "agent" || phase === "review" || phase === "main";
}
