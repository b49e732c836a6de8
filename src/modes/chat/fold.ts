import type { ChatEvent } from "../../core/chat/event.ts";
import type { ChatAttempt, ChatState } from "../../core/chat/state.ts";
import { atTerminal } from "./reviews.ts";
import type { AttemptJudged } from "../../core/event.ts";
import type { ChatSettings } from "../../core/settings.ts";
import {
  lastAttempt,
  newAttempt,
  withAttempt,
  withLastAttempt,
  type RunState,
  taskOf,
} from "../../core/state.ts";

/** A script has a task from the start; a person enters one later. */
export function firstChat({ prompt }: ChatSettings, at: string): ChatState {
  return {
    inputs: prompt === null ? [] : [{ text: null, session: null, at }],
    takenBack: 0,
    session: null,
    reviews: "on",
    live: "not_started",
  };
}

export function withChat(state: RunState, event: ChatEvent, at: string): RunState {
  switch (event.type) {
    case "live_started":
      return changed(state, { live: "running" });
    case "input_given": {
      const { text, session } = event;
      const inputs = [...(state.chat?.inputs ?? []), { text, session, at }];
      return changed(afterNewInput(settled(state, "new_input")), {
        inputs,
        session: session ?? state.chat?.session ?? null,
      });
    }
    case "input_taken_back": {
      const { inputs = [], takenBack = 0 } = state.chat ?? {};
      return changed(state, { inputs: inputs.slice(0, -1), takenBack: takenBack + 1 });
    }
    case "live_turn_ended": {
      const before = changed(settled(state, "went_on"), {
        session: event.session ?? state.chat?.session ?? null,
      });
      const chat: ChatAttempt = { task: taskOf(state), said: event.message, settled: null };
      return withAttempt(before, { ...newAttempt(null, event.attempt, at), chat });
    }
    case "feedback_sent":
      return settled(state, "feedback_sent");
    case "review_dropped":
      return settled(state, event.why);
    case "reviews_set":
      return changed(state, { reviews: event.to });
    case "live_ended":
      return changed(state, { live: { end: event.process.end } });
  }
}

/** In a conversation an acceptance is the end of the attempt. */
export function settleAccepted(state: RunState, { verdict }: AttemptJudged): RunState {
  return verdict === "accepted" ? settled(state, "accepted") : state;
}

/** The agent has to start again, and reviews are on. The files may have changed meanwhile, so checks without a verdict run again. */
export function afterResume(state: RunState): RunState {
  const { chat } = state;
  if (!chat) return state;
  const live = chat.live === "running" ? "not_started" : chat.live;
  const last = lastAttempt(state);
  const unchecked = last && last.judged === null && last.review === null;
  // The person may have edited the files by hand.
  const treeReviewed = atTerminal(state) ? null : (last?.treeReviewed ?? null);
  const fresh = unchecked ? withLastAttempt(state, { checks: [], treeReviewed }) : state;
  return changed(fresh, { live, reviews: "on" });
}

/** The attempt is over; a pending reviewer is not waited for. */
function settled(state: RunState, as: NonNullable<ChatAttempt["settled"]>): RunState {
  const last = lastAttempt(state);
  if (!last?.chat || last.chat.settled !== null) return state;
  return withLastAttempt({ ...state, wait: null }, { chat: { ...last.chat, settled: as } });
}

/** A reviewer that was unavailable for one task may be available for the next, because a person could fix it meanwhile. */
function afterNewInput(state: RunState): RunState {
  return { ...state, idleMs: 0, failures: state.failures.map((failure) => ({ ...failure, old: true })) };
}

function changed(state: RunState, change: Partial<ChatState>): RunState {
  return { ...state, chat: state.chat && { ...state.chat, ...change } };
}
