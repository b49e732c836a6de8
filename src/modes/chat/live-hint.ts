import { chatTerms, type ChatTerms } from "./words/terminal.ts";
import { reviewBroke, reviewsOf, reviewVoid } from "./reviews.ts";
import type { ChatSettings, Lang } from "../../core/settings.ts";
import { lastAttempt, type Attempt, type RunState, taskOf } from "../../core/state.ts";
import { terminalTexts, type TerminalTexts } from "../../ui/words/terminal.ts";
import { reviewNumber } from "./chat-parts.ts";
import { againText } from "../../ui/agent-wording.ts";

export interface LiveHint {
  /** As short as a title. */
  readonly text: string;
  /** The outcome of a review: notify a person who looks elsewhere. */
  readonly notify: boolean;
}

/** The state of the review behind a conversation; null: the agent works or waits for the person. */
export function liveHint(state: RunState, lang: Lang): LiveHint | null {
  const { chat, settings } = state;
  if (!("checks" in settings) || chat?.live !== "running") return null;
  const terms = terminalTexts[lang];
  const texts = chatTerms[terms.lang];
  if (chat.reviews !== "on") return { text: texts.hint[chat.reviews], notify: false };
  const attempt = lastAttempt(state);
  if (attempt?.chat?.task !== taskOf(state)) return null;
  if (attempt.chat.settled !== null) return settledHint(attempt.chat.settled, state, texts);
  const text = underWay(attempt, state, settings, terms);
  return text === null ? null : { text, notify: false };
}

function underWay(
  attempt: Attempt,
  state: RunState,
  { checks }: ChatSettings,
  terms: TerminalTexts,
): string | null {
  const texts = chatTerms[terms.lang];
  const { listSeparator } = terms;
  if (state.wait)
    return `${texts.hint.waitsForReviewer}${listSeparator}${againText(state.wait, Date.parse(state.updatedAt), terms)}`;
  if (attempt.judged) {
    const goesBack = !reviewBroke(attempt) && !reviewVoid(attempt) && reviewsOf(state) < state.maxLoops;
    return goesBack ? texts.hint.waitsForYou : null;
  }
  if (!state.openTurn && attempt.checks.length < checks.length) return texts.hint.check;
  return texts.hintReview(reviewNumber(state, attempt), state.maxLoops);
}

function settledHint(
  settled: NonNullable<NonNullable<Attempt["chat"]>["settled"]>,
  { maxLoops, runId }: RunState,
  texts: ChatTerms,
): LiveHint | null {
  switch (settled) {
    case "limit_reached":
      return { text: texts.hintExhausted(maxLoops, runId), notify: true };
    case "feedback_sent":
    case "new_input":
    case "went_on":
      return null;
    default:
      return { text: texts.hint[settled], notify: settled !== "skipped" };
  }
}
