import { reviewBroke, reviewsOf, reviewVoid, taskOf } from "../domain/chat/reviews.ts";
import type { ChatSettings, Lang } from "../domain/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../domain/state.ts";
import { chatTexts, type ChatTexts } from "../i18n/terminal-chat.ts";
import { reviewNumber } from "../reports/chat-parts.ts";

/** What goes on behind a conversation, as short as a title; null: nothing does, the agent works or waits for the person. */
export function liveHint(state: RunState, lang: Lang): string | null {
  const { chat, settings } = state;
  if (settings.mode !== "chat" || chat?.live !== "running") return null;
  const texts = chatTexts[lang];
  if (chat.reviews !== "on") return texts.hint[chat.reviews];
  const attempt = lastAttempt(state);
  if (attempt?.chat?.task !== taskOf(state)) return null;
  return attempt.chat.settled === null
    ? underWay(attempt, state, settings, texts)
    : settledHint(attempt.chat.settled, state, texts);
}

function underWay(
  attempt: Attempt,
  state: RunState,
  { checks }: ChatSettings,
  texts: ChatTexts,
): string | null {
  if (state.wait) return texts.hint.waitsForReviewer;
  if (attempt.judged) {
    const goesBack = !reviewBroke(attempt) && !reviewVoid(attempt) && reviewsOf(state) < state.maxLoops;
    return goesBack ? texts.hint.waitsForYou : null;
  }
  if (!state.openTurn && attempt.checks.length < checks.length) return texts.hint.check;
  return texts.hintReview(reviewNumber(state, attempt), state.maxLoops);
}

function settledHint(
  settled: NonNullable<NonNullable<Attempt["chat"]>["settled"]>,
  { maxLoops }: RunState,
  texts: ChatTexts,
): string | null {
  switch (settled) {
    case "limit_reached":
      return texts.hintExhausted(maxLoops);
    case "accepted":
    case "review_failed":
    case "unavailable":
    case "budget_reached":
    case "skipped":
    case "not_taken":
    case "tree_changed":
      return texts.hint[settled];
    // The agent is at work again.
    case "feedback_sent":
    case "new_input":
    case "went_on":
      return null;
  }
}
