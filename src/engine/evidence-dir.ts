import { join } from "node:path";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { makeKeptDirectory } from "./keep.ts";
import type { RunContext } from "./ports.ts";

/** Where checks and verdicts are kept: beside the last turn, or in a place of their own where nobody has taken one. */
export function evidenceDir(state: RunState, context: Pick<RunContext, "paths">): string {
  const dir = join(context.paths.turns, evidenceName(state));
  makeKeptDirectory(dir);
  return dir;
}

/** In a conversation an attempt may be over before anybody has taken a turn at it. */
function evidenceName(state: RunState): string {
  const { step, index } = lastAttempt(state) ?? { step: null, index: 1 };
  if (state.chat) return `attempt-${index}`;
  return index > 0 ? String(state.turns) : `step-${step}-regression`;
}
