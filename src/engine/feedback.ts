import { decisiveOutput } from "../evidence/set-ups.ts";
import { checkPassed } from "../evidence/verdict.ts";
import type { ExcerptLimits, ExcerptLine } from "../text/excerpt.ts";
import { succeeded } from "../platform/process/process-end.ts";
import { attemptsAt, outputWithErrors, type Attempt, type RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import { feedbackTexts } from "../core/words/feedback.ts";
import { readExcerpt } from "../platform/process/read-output.ts";
import type { WriteFeedback } from "./ports.ts";
import { readKept } from "../platform/files/kept.ts";

/** Quotes from output. */
export interface Excerpts {
  /** Of the failed check, if any. */
  readonly check: readonly ExcerptLine[];
  /** Of the agent's own output, if the turn itself failed. */
  readonly agent: readonly ExcerptLine[];
}

const CHECK_EXCERPT: ExcerptLimits = { tailLines: 30, errorLines: 8, bytes: 6000 };
const AGENT_EXCERPT: ExcerptLimits = { tailLines: 8, errorLines: 4, bytes: 2000 };

export function excerptsOf({ checks, turn }: Attempt, safe: ((text: string) => string) | null): Excerpts {
  if (!safe) return { check: [], agent: [] };
  const failed = checks.find((check) => !checkPassed(check));
  const agentOutput = turn && !succeeded(turn.process.end) ? outputWithErrors(turn) : null;
  return {
    check: failed ? readExcerpt(decisiveOutput(failed), CHECK_EXCERPT, safe) : [],
    agent: agentOutput ? readExcerpt(agentOutput, AGENT_EXCERPT, safe) : [],
  };
}

/**
 * The feedback on the last judged attempt, at the same step if the mode has steps. Empty before the first attempt. If its file is gone or
 * changed, writes it again without the output quotes, which only the file contained.
 */
export function previousFeedback(state: RunState, write: WriteFeedback): string {
  const attempt = attemptsAt(state, state.step).findLast((candidate) => candidate.judged !== null);
  if (!attempt?.judged) return "";
  return previousFeedbackOf(state, attempt, write) + notesAfter(state, attempt);
}

/** Notes that a person added to answers after this attempt. */
function notesAfter({ attempts, decisions, settings }: RunState, attempt: Attempt): string {
  const text = feedbackTexts[settings.lang];
  return decisions
    .filter(({ attempts: made }) => attempts[made - 1] === attempt)
    .flatMap(({ note }) => (note === null ? [] : [note.split("\n").map((line) => `| ${visible(line)}\n`)]))
    .map((lines) => `\n## ${text.personsNote}\n\n${lines.join("")}`)
    .join("");
}

export function previousFeedbackOf(state: RunState, attempt: Attempt, write: WriteFeedback): string {
  if (!attempt.judged) return "";
  return readKept(attempt.judged.feedback) ?? write(state, attempt, attempt.judged, null);
}
