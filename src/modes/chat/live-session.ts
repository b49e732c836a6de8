import { lastAttempt, type RunState } from "../../core/state.ts";
import type { RunEvent } from "../../core/event.ts";
import { previousFeedbackOf } from "../../engine/feedback.ts";
import { writeChatFeedback } from "./write-feedback.ts";
import type { Live } from "../../engine/live.ts";
import type { RunContext } from "../../engine/ports.ts";

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
