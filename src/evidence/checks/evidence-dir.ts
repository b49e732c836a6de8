import { join } from "node:path";
import { lastAttempt, type RunState } from "../../core/state.ts";
import { makeKeptDirectory } from "../../platform/files/artifact.ts";
import type { EvidenceContext } from "./evidence-context.ts";

/** The directory for checks and verdicts: beside the last turn, or its own if there was no turn. */
export function evidenceDir(state: RunState, context: Pick<EvidenceContext, "paths">): string {
  const dir = join(context.paths.turns, evidenceName(state));
  makeKeptDirectory(dir);
  return dir;
}

/** In a conversation an attempt may end before its first turn. */
function evidenceName(state: RunState): string {
  const { step, index } = lastAttempt(state) ?? { step: null, index: 1 };
  if (state.chat) return `attempt-${index}`;
  return index > 0 ? String(state.turns) : `step-${step}-regression`;
}
