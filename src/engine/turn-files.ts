import fs from "node:fs";
import { join } from "node:path";
import type { RunState } from "../domain/state.ts";
import type { RunContext } from "./ports.ts";

/** Where the transcripts and the feedback of a turn are kept, out of the agent's way. */
export function turnDir(context: RunContext, turn: number): string {
  return join(context.paths.turns, String(turn));
}

/** The feedback on the last judged attempt; before the first there is none. */
export function previousFeedback(state: RunState): string {
  const judged = state.attempts.findLast((attempt) => attempt.judged !== null)?.judged;
  return judged ? fs.readFileSync(judged.feedback.path, "utf8") : "";
}
