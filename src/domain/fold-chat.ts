import type { ChatEvent } from "./chat/event.ts";
import type { ChatAttempt, ChatState } from "./chat/state.ts";
import { atTerminal, taskOf } from "./chat/reviews.ts";
import type { AttemptJudged, RunStarted } from "./event.ts";
import { lastAttempt, newAttempt, withAttempt, withLastAttempt, type RunState } from "./state.ts";

/** A script has asked before anything begins; a person asks in their own time. */
export function firstChat({ settings }: RunStarted, at: string): ChatState | null {
  if (settings.mode !== "chat") return null;
  return {
    inputs: settings.prompt === null ? [] : [{ text: null, session: null, at }],
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
      return changed(askedAnew(settled(state, "new_input")), {
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
export function withVerdict(state: RunState, event: AttemptJudged): RunState {
  const judged = withLastAttempt(state, { judged: event });
  return event.verdict === "accepted" ? settled(judged, "accepted") : judged;
}

/**
 * Whoever resumes the run has to start the agent again, and wants reviews. Meanwhile anybody may have changed the files: checks
 * that nobody has judged by are made anew.
 */
export function goneOnWith(state: RunState): RunState {
  const { chat } = state;
  if (!chat) return state;
  const live = chat.live === "running" ? "not_started" : chat.live;
  const last = lastAttempt(state);
  const unchecked = last && last.judged === null && last.review === null;
  // A person may have gone on with the files by hand.
  const treeReviewed = atTerminal(state) ? null : (last?.treeReviewed ?? null);
  const fresh = unchecked ? withLastAttempt(state, { checks: [], treeReviewed }) : state;
  return changed(fresh, { live, reviews: "on" });
}

/** Nothing more comes of the attempt: nor is a reviewer waited for. */
function settled(state: RunState, as: NonNullable<ChatAttempt["settled"]>): RunState {
  const last = lastAttempt(state);
  if (!last?.chat || last.chat.settled !== null) return state;
  return withLastAttempt({ ...state, wait: null }, { chat: { ...last.chat, settled: as } });
}

/** A reviewer that could not be had for one task may be there for the next: a person could see to it meanwhile. */
function askedAnew(state: RunState): RunState {
  return { ...state, idleMs: 0, failures: state.failures.map((failure) => ({ ...failure, old: true })) };
}

function changed(state: RunState, change: Partial<ChatState>): RunState {
  return { ...state, chat: state.chat && { ...state.chat, ...change } };
}
