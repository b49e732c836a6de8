import { checkPassed } from "../room/verdict.ts";
import { succeeded } from "../process-end.ts";
import type { Reason } from "../reason.ts";
import { lastAttempt, reviewOf, type Attempt, type RunState } from "../state.ts";
import { stuckAfter, type Stuck } from "../stuck.ts";
import { agentReasons, howItFailed, turnReasons, verdictOf, type Verdict } from "../verdict.ts";
import type { ReviewEnded } from "../event.ts";
import type { ChatSettings } from "../settings.ts";

/** Whether a person works with the agent in the terminal. */
export function atTerminal({ settings }: RunState): boolean {
  return settings.mode === "chat" && settings.prompt === null;
}

/** The task that is worked at: the number of the last input; 0: nobody has asked anything. */
export function taskOf({ chat }: RunState): number {
  return chat?.inputs.length ?? 0;
}

/** How many reviews of the task were broken off, by whomever, up to a turn. One that was lost with the foreman is none of them. */
export function brokenReviews(state: RunState, task: number, upTo = Infinity): number {
  const attempts = state.attempts.filter(({ chat }) => chat?.task === task);
  const indexes = new Set(attempts.map(({ index }) => index));
  return state.interruptedTurns.filter(
    ({ attempt, turn, lost }) => !lost && turn <= upTo && indexes.has(attempt),
  ).length;
}

/**
 * How many reviews the task has had. One that was broken off counts, whoever did it: an agent that sees a review go against it could
 * have it made again and again, until one goes its way. `upTo`: only those up to that turn.
 */
export function reviewsOf(state: RunState, task = taskOf(state), upTo = Infinity): number {
  const ended = state.attempts.filter((attempt) => {
    const review = reviewOf(attempt);
    return attempt.chat?.task === task && review !== null && review.turn <= upTo;
  }).length;
  return atTerminal(state) ? ended + brokenReviews(state, task, upTo) : ended;
}

/** How the last task came out; null: there was none. */
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
 * An agent that failed before it could be reviewed, as it did in the attempt before and with the same files. Attempts that were reviewed
 * do not count: an answer to a question rightly changes no file.
 */
export function failedAgain({ attempts }: RunState, attempt: Attempt): Stuck | null {
  const stuck = isReviewable(attempt) ? null : stuckAfter(attempts, attempt);
  return stuck?.kind === "same_failure" ? stuck : null;
}

/** The reviewer found that the agent has asked the user something: there is nothing to judge until the answer. */
export function waitsForUser(attempt: Attempt): boolean {
  const review = reviewOf(attempt);
  return review?.waiting === true && !hasFailed(review) && review.problem === null;
}

/** The verdict on an attempt: a reviewer's word that the task is completed, and no check against it. */
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

/** Nothing speaks against the work but that it is not what the reviewer saw: there is nothing the agent could do about that. */
export function reviewVoid({ judged }: Attempt): boolean {
  return judged?.verdict === "rejected" && judged.reasons.join() === "tree_changed_in_review";
}

/** The reviewer could not be asked, or said nothing: there is no word to send back. */
export function reviewBroke({ judged }: Attempt): boolean {
  return (
    judged !== null &&
    judged.reasons.some((reason) => reason === "review_failed" || reason === "review_empty")
  );
}
