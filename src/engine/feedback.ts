import { decisiveOutput } from "../domain/room/set-ups.ts";
import { checkPassed } from "../domain/room/verdict.ts";
import { readVerdict } from "../domain/chat/completed.ts";
import type { ExcerptLimits } from "../domain/excerpt.ts";
import { succeeded } from "../domain/process-end.ts";
import type { ChatSettings } from "../domain/settings.ts";
import { attemptsAt, tellingOutput, type Attempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import { feedbackTexts } from "../i18n/feedback.ts";
import { readExcerpt } from "../process/read-output.ts";
import { analysisFeedback } from "../reports/analysis-feedback.ts";
import { chatFeedback } from "../reports/chat-feedback.ts";
import { iterationReport, type IterationExcerpts, type Judgement } from "../reports/iteration-report.ts";
import { feedbackMarkdown, type Excerpts } from "../reports/feedback.ts";
import { stepFeedback } from "../reports/step-feedback.ts";
import { readKept } from "./turn-files.ts";

const CHECK_EXCERPT: ExcerptLimits = { tailLines: 30, errorLines: 8, bytes: 6000 };
/** Many commands may fail at once. */
const BOARD_EXCERPT: ExcerptLimits = { tailLines: 15, errorLines: 5, bytes: 2000 };
const SAID_EXCERPT: ExcerptLimits = { tailLines: 200, errorLines: 0, bytes: 8000 };
const AGENT_EXCERPT: ExcerptLimits = { tailLines: 8, errorLines: 4, bytes: 2000 };
const NO_EXCERPTS: Excerpts = { check: [], agent: [] };
const NOTHING_QUOTED: IterationExcerpts = { checks: [], said: [] };

/** What the next attempt is told about this one. */
export function composeFeedback(
  state: RunState,
  attempt: Attempt,
  verdict: Judgement,
  safe: (text: string) => string,
): string {
  const turn = attempt.turn;
  if (state.settings.mode === "orchestrate")
    return report(state, attempt, verdict, {
      checks: attempt.checks.map((check) =>
        checkPassed(check) ? [] : readExcerpt(decisiveOutput(check), BOARD_EXCERPT, safe),
      ),
      said: turn?.agent?.message ? readExcerpt(turn.agent.message, SAID_EXCERPT, safe) : [],
    });
  const failed = attempt.checks.find((check) => !checkPassed(check));
  const agentOutput = turn && !succeeded(turn.process.end) ? tellingOutput(turn) : null;
  return write(state, attempt, verdict, {
    check: failed ? readExcerpt(decisiveOutput(failed), CHECK_EXCERPT, safe) : [],
    agent: agentOutput ? readExcerpt(agentOutput, AGENT_EXCERPT, safe) : [],
  });
}

/**
 * The feedback on the last judged attempt, at the same step where there are steps; before the first there is none. If its file is
 * gone or was changed it is written anew, without the quotes from output that only the file held.
 */
export function previousFeedback(state: RunState): string {
  const attempt = attemptsAt(state, state.step).findLast((candidate) => candidate.judged !== null);
  if (!attempt?.judged) return "";
  return previousFeedbackOf(state, attempt) + notesAfter(state, attempt);
}

/** What a person wrote with an answer after this attempt. */
function notesAfter({ attempts, decisions, settings }: RunState, attempt: Attempt): string {
  const text = feedbackTexts[settings.lang];
  return decisions
    .filter(({ attempts: made }) => attempts[made - 1] === attempt)
    .flatMap(({ note }) => (note === null ? [] : [note.split("\n").map((line) => `| ${visible(line)}\n`)]))
    .map((lines) => `\n## ${text.personsNote}\n\n${lines.join("")}`)
    .join("");
}

export function previousFeedbackOf(state: RunState, attempt: Attempt): string {
  if (!attempt.judged) return "";
  return readKept(attempt.judged.feedback) ?? write(state, attempt, attempt.judged, NO_EXCERPTS);
}

function write(state: RunState, attempt: Attempt, verdict: Judgement, excerpts: Excerpts): string {
  const { settings } = state;
  switch (settings.mode) {
    case "supervise":
      return feedbackMarkdown({ state, settings, attempt, verdict, excerpts });
    case "run":
      return stepFeedback({ state, settings, attempt, verdict, excerpts });
    case "analyze":
      return analysisFeedback(settings, attempt, verdict);
    case "orchestrate":
      return report(state, attempt, verdict, NOTHING_QUOTED);
    case "chat":
      return chatFeedback({
        state,
        settings,
        attempt,
        verdict,
        words: reviewersWords(attempt, settings),
        excerpts,
      });
  }
}

function reviewersWords({ review }: Attempt, settings: ChatSettings): string {
  const text = review?.agent.message ? readKept(review.agent.message) : undefined;
  return readVerdict(text ?? "", settings).words;
}

function report(state: RunState, attempt: Attempt, verdict: Judgement, excerpts: IterationExcerpts): string {
  return iterationReport({ state, lang: state.settings.lang, attempt, verdict, excerpts });
}
