import { atTerminal, brokenReviews, reviewsOf, taskOf } from "../domain/chat/reviews.ts";
import type { Attempt, RunState } from "../domain/state.ts";

/** How a task of a conversation came out. Stable codes, the same in every language. */
export const TASK_OUTCOMES = [
  "accepted",
  "limit_reached",
  "waiting_for_user",
  "not_accepted",
  "not_reviewed",
] as const;
export type TaskOutcome = (typeof TASK_OUTCOMES)[number];

export interface ChatTask {
  /** From 1. */
  readonly task: number;
  readonly outcome: TaskOutcome;
  /** Those that were broken off count. */
  readonly reviews: number;
  readonly broken_off: number;
}

export function chatTasks(state: RunState): readonly ChatTask[] {
  return Array.from({ length: taskOf(state) }, (_, index) => {
    const task = index + 1;
    const reviews = reviewsOf(state, task);
    const last = state.attempts.findLast(({ chat }) => chat?.task === task);
    const broken = atTerminal(state) ? brokenReviews(state, task) : 0;
    return { task, outcome: outcomeOf(last, reviews, state), reviews, broken_off: broken };
  });
}

function outcomeOf(last: Attempt | undefined, reviews: number, state: RunState): TaskOutcome {
  const became = last && becameOf(last, state);
  if (became === "accepted" || became === "limit_reached" || became === "waiting_for_user") return became;
  return reviews === 0 ? "not_reviewed" : "not_accepted";
}

/** What became of an attempt. Where a script asks, the next attempt, or the end, says what is recorded in a terminal. */
export function becameOf(
  { index, chat, judged }: Attempt,
  { settings, attempts, ended }: RunState,
): NonNullable<Attempt["chat"]>["settled"] {
  if (!chat || chat.settled !== null) return chat?.settled ?? null;
  if (settings.mode !== "chat" || settings.prompt === null) return null;
  const reason = ended?.reason;
  if (reason === "waiting_for_user" && index === attempts.length) return reason;
  if (judged?.verdict !== "rejected") return null;
  if (attempts.some((later) => later.index > index)) return "feedback_sent";
  return reason === "limit_reached" || reason === "review_failed" ? reason : null;
}
