import { atTerminal, isReviewable, reviewsOf } from "./reviews.ts";
import type { ChatEvent, DropReason } from "../../core/chat/event.ts";
import type { ReviewEnded, RunEnded, TurnStarted } from "../../core/event.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import type { ChatSettings } from "../../core/settings.ts";
import { lastAttempt, reviewOf, type RunState, taskOf } from "../../core/state.ts";

/** Why an event is impossible in a conversation, or null. */
export function whyNoChatEvent(state: RunState, event: ChatEvent): string | null {
  const { chat } = state;
  if (!chat) return "there is no conversation";
  if (!atTerminal(state)) return "the agent is not in a terminal";
  const attempt = lastAttempt(state);
  switch (event.type) {
    case "live_started":
      return chat.live === "not_started" ? null : "the agent was started already";
    case "input_given":
      if (chat.live !== "running") return "no agent is running";
      if (state.openTurn) return "a review is open";
      return event.task === taskOf(state) + 1 ? null : "tasks are counted one by one";
    case "input_taken_back":
      if (chat.live !== "running") return "no agent is running";
      if (event.task !== taskOf(state) || event.task === 0) return "it is not the last input";
      return attempt?.chat?.task === event.task ? "the agent has worked at it" : null;
    case "live_turn_ended":
      if (chat.live !== "running") return "no agent is running";
      if (state.openTurn) return "a review is open";
      return event.attempt === (attempt?.index ?? 0) + 1 ? null : "attempts are counted one by one";
    case "feedback_sent":
      return isRejected(state, event.attempt) && chat.live === "running" ? null : "there is nothing to send";
    case "review_dropped":
      return whyNotDropped(state, event.attempt, event.why);
    case "reviews_set":
      return chat.reviews === "stopped" ? "reviews were stopped" : null;
    case "live_ended":
      if (state.openTurn) return "a review is open";
      return chat.live === "running" ? null : "no agent is running";
  }
}

function isRejected(state: RunState, index: number): boolean {
  const attempt = lastAttempt(state);
  return attempt?.index === index && attempt.judged?.verdict === "rejected" && attempt.chat?.settled === null;
}

function whyNotDropped(state: RunState, index: number, why: DropReason): string | null {
  const attempt = lastAttempt(state);
  if (state.openTurn || attempt?.index !== index || attempt.chat?.settled !== null) return "nothing is open";
  return why === "limit_reached" && reviewsOf(state) < state.maxLoops ? "reviews are left" : null;
}

/** The agent of a script works and is reviewed by turns. In the terminal the foreman's only turns are reviews. */
export function whyNoChatTurn(state: RunState, { role, attempt, agent }: TurnStarted): string | null {
  const settings = state.settings as ChatSettings;
  const last = lastAttempt(state);
  switch (role) {
    case "main":
      return "this mode has no MAIN";
    case "reviewer": {
      if (agent !== settings.reviewer) return "this agent does not review";
      const due = last?.chat?.settled === null && last.judged === null && isReviewable(last);
      if (!due || last.index !== attempt || reviewOf(last)) return "there is nothing to review";
      if (!atTerminal(state) && !last.turn) return "there is nothing to review";
      if (last.checks.length < settings.checks.length) return "its checks have not run";
      return reviewsOf(state, last.chat?.task) < state.maxLoops ? null : "no review is left";
    }
    case "worker": {
      if (atTerminal(state)) return "the person works with the agent themselves";
      if (agent !== settings.worker) return "this agent does not work";
      if (last?.turn && !last.judged) return "the last attempt is not judged";
      const retry = last !== undefined && !last.turn;
      if (attempt !== (last?.index ?? 0) + (retry ? 0 : 1)) return "attempts are counted one by one";
      return attempt > state.maxLoops ? "no attempt is left" : null;
    }
  }
}

export function whyNoChatReview(state: RunState, { completed }: ReviewEnded): string | null {
  if (state.openTurn?.role !== "reviewer") return "the role is wrong";
  return completed === undefined ? "it is the review of another mode" : null;
}

/** Why the conversation cannot have passed, or null. */
export function whyNotPassed(state: RunState, { reason }: RunEnded): string | null {
  const attempt = lastAttempt(state);
  const live = state.chat?.live;
  const left = typeof live === "object" ? live.end : null;
  if (atTerminal(state) && !left) return "the agent is still running";
  if (reason === "nothing_asked") {
    if (taskOf(state) > 0) return "something was asked";
    return left && succeeded(left) ? null : "the agent failed";
  }
  if (reason !== "accepted") return "the reason does not fit the status";
  const accepted = attempt?.judged?.verdict === "accepted";
  return accepted && attempt.chat?.task === taskOf(state) ? null : "nothing was accepted";
}
