import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Captured } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { feedbackMarkdown } from "../reports/feedback.ts";
import type { RunContext } from "./ports.ts";

/** Where the transcripts and the feedback of a turn are kept, out of the agent's way. */
export function turnDir(context: RunContext, turn: number): string {
  return join(context.paths.turns, String(turn));
}

/**
 * The feedback on the last judged attempt; before the first there is none. If its file is gone or was changed it is written
 * anew, without the quotes from output that only the file held.
 */
export function previousFeedback(state: RunState): string {
  const attempt = state.attempts.findLast((candidate) => candidate.judged !== null);
  if (!attempt?.judged) return "";
  const kept = readKept(attempt.judged.feedback);
  return (
    kept ?? feedbackMarkdown({ state, attempt, verdict: attempt.judged, checkExcerpt: [], agentExcerpt: [] })
  );
}

function readKept(file: Captured): string | undefined {
  const bytes = tryReadPlainFile(file.path, file.bytes);
  if (!bytes || createHash("sha256").update(bytes).digest("hex") !== file.sha256) return undefined;
  return bytes.toString("utf8");
}
