import { lastAttempt, type RunState } from "../domain/state.ts";
import type { RunEvent } from "../domain/event.ts";
import { previousFeedbackOf } from "./feedback.ts";
import type { Live } from "./live.ts";
import type { RunContext } from "./ports.ts";

const POLL_MS = 200;

export function liveOf({ live }: RunContext): Live {
  if (!live) throw new Error("this run has no agent in a terminal");
  return live;
}

/** Waits until something happens in the terminal, or somebody says something to the run. */
export async function awaitLive(context: RunContext): Promise<null> {
  const { stop, inbox } = context;
  const { called } = context.attention;
  await new Promise<void>((resolve) => {
    const poll = setInterval(() => inbox.peek() && leave(), POLL_MS);
    const forget = stop.onRequest(() => leave());
    const leave = (): void => {
      clearInterval(poll);
      forget();
      called.removeEventListener("abort", leave);
      resolve();
    };
    if (called.aborted || stop.signal) leave();
    else called.addEventListener("abort", leave);
  });
  return null;
}

/** Says to the agent what the review said; null: something else came first. */
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
    const signal = AbortSignal.any([away.signal, context.attention.called, context.stop.killed]);
    const how = await liveOf(context).say(previousFeedbackOf(state, attempt), signal);
    if (how === null) return null;
    return how === "taken"
      ? { type: "feedback_sent", attempt: index }
      : { type: "review_dropped", attempt: index, why: "not_taken", messageId: null };
  } finally {
    forget();
  }
}
