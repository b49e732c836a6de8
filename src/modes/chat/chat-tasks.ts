import { atTerminal, brokenReviews, reviewsOf } from "./reviews.ts";
import { type Attempt, type RunState, taskOf } from "../../core/state.ts";
import type { TaskOutcome } from "./chat-parts.ts";
import type { Described } from "../../core/report/described.ts";
import type { chatReportSchema } from "./schema-chat-report.ts";

export function chatTasks(state: RunState): Described<typeof chatReportSchema>["tasks"] {
  return Array.from({ length: taskOf(state) }, (_, index) => {
    const task = index + 1;
    const reviews = reviewsOf(state, task);
    const last = state.attempts.findLast(({ chat }) => chat?.task === task);
    const broken = atTerminal(state) ? brokenReviews(state, task) : 0;
    return { task, outcome: outcomeOf(last, reviews, state), reviews, broken_off: broken };
  });
}

function outcomeOf(last: Attempt | undefined, reviews: number, state: RunState): TaskOutcome {
  const became = last && outcomeOfAttempt(last, state);
  if (became === "accepted" || became === "limit_reached" || became === "waiting_for_user") return became;
  return reviews === 0 ? "not_reviewed" : "not_accepted";
}

/** The outcome of an attempt. For a script the next attempt or the end of the run shows it; in a terminal it is recorded. */
export function outcomeOfAttempt(
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
