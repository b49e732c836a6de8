import { lastAttempt, type RunState, taskOf } from "../../core/state.ts";
import type { RunEvent } from "../../core/event.ts";
import { previousFeedbackOf } from "../../engine/feedback.ts";
import { writeChatFeedback } from "./chat-feedback.ts";
import type { Live, LiveNews } from "../../engine/live.ts";
import type { RunContext } from "../../engine/ports.ts";
import { join } from "node:path";
import type { ChatEvent } from "../../core/chat/event.ts";
import { writeArtifact } from "../../platform/files/artifact.ts";

const POLL_MS = 200;

export function liveOf({ live }: RunContext): Live {
  if (!live) throw new Error("this run has no agent in a terminal");
  return live;
}

/** Waits until something happens in the terminal, or a message for the run arrives. */
export async function awaitLive(context: RunContext): Promise<null> {
  const { stop, inbox } = context;
  const { requested } = context.interrupt;
  await new Promise<void>((resolve) => {
    const poll = setInterval(() => inbox.peek() && leave(), POLL_MS);
    const forget = stop.onRequest(() => leave());
    const leave = (): void => {
      clearInterval(poll);
      forget();
      requested.removeEventListener("abort", leave);
      resolve();
    };
    if (requested.aborted || stop.signal) leave();
    else requested.addEventListener("abort", leave);
  });
  return null;
}

/** Types the review's feedback into the agent; null: something else came first. */
export async function sendFeedback(
  index: number,
  state: RunState,
  context: RunContext,
): Promise<RunEvent | null> {
  const attempt = lastAttempt(state);
  if (!attempt) throw new Error("there is nothing to say");
  const away = new AbortController();
  const forget = context.stop.onRequest(() => away.abort());
  try {
    const signal = AbortSignal.any([away.signal, context.interrupt.requested, context.stop.killed]);
    const how = await liveOf(context).say(previousFeedbackOf(state, attempt, writeChatFeedback), signal);
    if (how === null) return null;
    return how === "taken"
      ? { type: "feedback_sent", attempt: index }
      : { type: "review_dropped", attempt: index, why: "not_taken", messageId: null };
  } finally {
    forget();
  }
}

/** The event for the next thing that happened in the terminal; null: it changes nothing. */
export function newsEvent(news: LiveNews, state: RunState, context: RunContext): ChatEvent | null {
  const keepSafe = (kind: string, number: number, text: string) => {
    const safe = context.redactor.text(text);
    const kept = writeArtifact(join(context.paths.dir, kind, `${number}.md`), safe);
    context.texts.set(kept.path, safe);
    return kept;
  };
  switch (news.kind) {
    case "input": {
      const task = taskOf(state) + 1;
      // The text of an input that was taken back stays.
      const number = task + (state.chat?.takenBack ?? 0);
      const text = keepSafe("inputs", number, news.text);
      return { type: "input_given", task, text, session: news.session };
    }
    case "taken_back": {
      const task = taskOf(state);
      const isUntouched = task > 0 && lastAttempt(state)?.chat?.task !== task;
      return isUntouched ? { type: "input_taken_back", task } : null;
    }
    case "turn_ended": {
      if (!isOfTheTask(state)) return null;
      const attempt = (lastAttempt(state)?.index ?? 0) + 1;
      const message = news.message === null ? null : keepSafe("said", attempt, news.message);
      return { type: "live_turn_ended", attempt, session: news.session, message };
    }
    case "ended":
      return { type: "live_ended", process: news.process };
  }
}

/** An agent that speaks without any input (about a command that the person ran, say) has not worked at the task again. */
function isOfTheTask(state: RunState): boolean {
  if (taskOf(state) === 0) return false;
  const attempt = lastAttempt(state);
  if (attempt?.chat?.task !== taskOf(state)) return true;
  const { settled } = attempt.chat;
  // Feedback may be taken later: by the agent, or by the person who finds it in the input box.
  return settled === null || settled === "feedback_sent" || settled === "not_taken";
}
