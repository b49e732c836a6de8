import { atTerminal, reviewsOf } from "./reviews.ts";
import type { ChatEvent, DropReason } from "../../core/chat/event.ts";
import type { ReviewEnded, TurnStarted } from "../../core/event.ts";
import { whyNotNext, whyNotNextTurn } from "../../core/next-agent.ts";
import type { ChatSettings } from "../../core/settings.ts";
import { lastAttempt, type RunState, taskOf } from "../../core/state.ts";

/** Why an event is impossible in a conversation, or null. */
export function whyNoChatEvent(state: RunState, event: ChatEvent): string | null {
  const { chat } = state;
  if (!chat) return "there is no conversation";
  if (!atTerminal(state)) return "no person is at the terminal";
  const attempt = lastAttempt(state);
  switch (event.type) {
    case "live_started":
      return whyNotNext(state, (next) => next.do === "start_live");
    case "input_given":
      if (chat.live !== "running") return "no agent has the terminal";
      if (state.openTurn) return "a review is open";
      return event.task === taskOf(state) + 1 ? null : "tasks are counted one by one";
    case "input_taken_back":
      if (chat.live !== "running") return "no agent has the terminal";
      if (event.task !== taskOf(state) || event.task === 0) return "it is not the last input";
      return attempt?.chat?.task === event.task ? "the agent has worked at it" : null;
    case "live_turn_ended":
      if (chat.live !== "running") return "no agent has the terminal";
      if (state.openTurn) return "a review is open";
      return event.attempt === (attempt?.index ?? 0) + 1 ? null : "attempts are counted one by one";
    case "feedback_sent":
      return whyNotNext(state, (next) => next.do === "send_feedback" && next.attempt === event.attempt);
    case "review_dropped":
      return whyNotDropped(state, event.attempt, event.why);
    case "reviews_set":
      return chat.reviews === "stopped" ? "reviews were stopped for good" : null;
    case "live_ended":
      if (state.openTurn) return "a review is open";
      return chat.live === "running" ? null : "no agent has the terminal";
  }
}

function whyNotDropped(state: RunState, index: number, why: DropReason): string | null {
  const attempt = lastAttempt(state);
  if (state.openTurn || attempt?.index !== index || attempt.chat?.settled !== null) return "nothing is open";
  return why === "limit_reached" && reviewsOf(state) < state.maxLoops ? "reviews are left" : null;
}

/** The policy has to want the turn. */
export function whyNoChatTurn(state: RunState, event: TurnStarted, settings: ChatSettings): string | null {
  const agent = event.role === "reviewer" ? settings.reviewer : settings.worker;
  return whyNotNextTurn(state, event) ?? (event.agent === agent ? null : "this agent has another role");
}

export function whyNoChatReview(state: RunState, { completed }: ReviewEnded): string | null {
  if (state.openTurn?.role !== "reviewer") return "the turn is another's";
  return completed === undefined ? "it is the review of another mode" : null;
}
