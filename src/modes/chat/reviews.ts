import { checkPassed } from "../../evidence/verdict.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import type { Reason } from "../../core/reason.ts";
import { lastAttempt, reviewOf, type Attempt, type RunState, taskOf } from "../../core/state.ts";
import { stuckAfter, type Stuck } from "../../evidence/stuck.ts";
import { agentReasons, howItFailed, turnReasons, verdictOf, type Verdict } from "../../core/verdict.ts";
import type { ReviewEnded } from "../../core/event.ts";
import type { ChatSettings, Settings } from "../../core/settings.ts";

/** Whether a person works with the agent in the terminal. */
export function atTerminal({ settings }: Pick<RunState, "settings">): boolean {
  return isTalk(settings);
}

export function isTalk<S extends { readonly mode: Settings["mode"] }>(
  settings: S,
): settings is S & Pick<ChatSettings, "worker" | "agentArgs"> {
  return settings.mode === "chat" && "prompt" in settings && settings.prompt === null;
}

/** How many reviews of the task were interrupted, up to a turn. Reviews that were lost with the foreman do not count. */
export function brokenReviews(state: RunState, task: number, upTo = Infinity): number {
  const attempts = state.attempts.filter(({ chat }) => chat?.task === task);
  const indexes = new Set(attempts.map(({ index }) => index));
  return state.interruptedTurns.filter(
    ({ attempt, turn, lost }) => !lost && turn <= upTo && indexes.has(attempt),
  ).length;
}

/**
 * How many reviews the task has had, up to turn `upTo`. Interrupted reviews count. Otherwise an agent could interrupt each review that goes against
 * it, until one goes its way.
 */
export function reviewsOf(state: RunState, task = taskOf(state), upTo = Infinity): number {
  const ended = state.attempts.filter((attempt) => {
    const review = reviewOf(attempt);
    return attempt.chat?.task === task && review !== null && review.turn <= upTo;
  }).length;
  return atTerminal(state) ? ended + brokenReviews(state, task, upTo) : ended;
}

/** The outcome of the last task; null: there was none. */
export function lastTask(state: RunState): "accepted" | "limit_reached" | "waiting_for_user" | "open" | null {
  const task = taskOf(state);
  if (task === 0) return null;
  const attempt = lastAttempt(state);
  if (attempt?.chat?.task !== task) return "open";
  const { settled } = attempt.chat;
  return settled === "accepted" || settled === "limit_reached" || settled === "waiting_for_user"
    ? settled
    : "open";
}

/** Whether there is something to review: a turn of a script's agent may have failed. */
export function isReviewable({ chat, turn }: Attempt): boolean {
  if (turn === null) return chat !== null;
  return succeeded(turn.process.end) && turn.agent?.failure == null;
}

/**
 * An agent that failed before its review, as in the previous attempt and with the same files. Reviewed attempts do not count, because an answer to a
 * question rightly changes no file.
 */
export function failedAgain({ attempts }: RunState, attempt: Attempt): Stuck | null {
  const stuck = isReviewable(attempt) ? null : stuckAfter(attempts, attempt);
  return stuck?.kind === "same_failure" ? stuck : null;
}

/** The reviewer found that the agent asked the user something. There is nothing to judge until the answer. */
export function waitsForUser(attempt: Attempt): boolean {
  const review = reviewOf(attempt);
  return review?.waiting === true && !hasFailed(review) && review.problem === null;
}

/** Accepts an attempt if the reviewer calls the task completed and no check failed. */
export function judgeChat(attempt: Attempt, review: ReviewEnded | null, { checks }: ChatSettings): Verdict {
  const { turn } = attempt;
  const reasons: Reason[] = turn
    ? [...turnReasons(turn.process.end), ...agentReasons(turn.agent?.failure?.class ?? null)]
    : [];
  const red = attempt.checks.filter((check) => !checkPassed(check));
  for (const { process } of red) reasons.push("check_failed", ...howItFailed(process.end));
  if (review) reasons.push(...reviewReasons(review));
  return verdictOf(reasons, attempt.checks.length === checks.length && review?.completed === true);
}

function reviewReasons({ process, agent, problem, completed, changed }: ReviewEnded): Reason[] {
  const meddled = changed !== null && changed.length > 0;
  const tree: Reason[] = meddled ? ["tree_changed_in_review"] : [];
  if (hasFailed({ process, agent })) return ["review_failed", ...tree];
  if (problem) return [problem.kind === "missing" ? "review_empty" : "review_failed", ...tree];
  return [...(completed === true ? [] : (["review_rejected"] as const)), ...tree];
}

function hasFailed({ process, agent }: Pick<ReviewEnded, "process" | "agent">): boolean {
  return !succeeded(process.end) || agent.failure !== null;
}

/** The only problem is that the work changed during the review. The agent can do nothing about that. */
export function reviewVoid({ judged }: Attempt): boolean {
  return judged?.verdict === "rejected" && judged.reasons.join() === "tree_changed_in_review";
}

/** The reviewer was unavailable or said nothing, so there is no feedback to send. */
export function reviewBroke({ judged }: Attempt): boolean {
  return (
    judged !== null &&
    judged.reasons.some((reason) => reason === "review_failed" || reason === "review_empty")
  );
}
