import {
  failedAgain,
  isReviewable,
  lastTask,
  reviewBroke,
  reviewsOf,
  reviewVoid,
  waitsForUser,
} from "./reviews.ts";
import type { Decision } from "../../core/decision.ts";
import { succeeded, type ProcessEnd } from "../../platform/process/process-end.ts";
import type { ChatSettings } from "../../core/settings.ts";
import { lastAttempt, reviewOf, sessionKey, type Attempt, type RunState } from "../../core/state.ts";
import { end } from "../../core/end.ts";
import { nextTurn } from "../../core/next-agent.ts";

/** The `chat` mode: whenever the agent stops, its work is reviewed, and the agent gets the missing points. */
export function nextChat(state: RunState, settings: ChatSettings): Decision {
  return settings.prompt === null ? nextLive(state, settings) : nextHeadless(state, settings);
}

/** A person works with the agent in the terminal, and the foreman never gets in their way. */
function nextLive(state: RunState, settings: ChatSettings): Decision {
  const { chat } = state;
  if (!chat || chat.live === "not_started") return { do: "start_live", resumes: chat?.session ?? null };
  if (chat.live !== "running") return afterLeaving(state, chat.live.end);
  const attempt = lastAttempt(state);
  if (!attempt || attempt.chat?.settled !== null || chat.reviews !== "on") return { do: "await_live" };
  if (attempt.judged) return afterRejection(state, attempt);
  if (waitsForUser(attempt)) return { do: "drop_review", attempt: attempt.index, why: "waiting_for_user" };
  // The agent went on by itself after the last review.
  if (!reviewOf(attempt) && reviewsOf(state) >= state.maxLoops)
    return { do: "drop_review", attempt: attempt.index, why: "limit_reached" };
  const next = nextEvidence(state, settings, attempt);
  return next.do === "stop" ? { do: "drop_review", attempt: attempt.index, why: "unavailable" } : next;
}

function afterRejection(state: RunState, attempt: Attempt): Decision {
  const { index } = attempt;
  if (reviewBroke(attempt)) return { do: "drop_review", attempt: index, why: "review_failed" };
  if (reviewVoid(attempt)) return { do: "drop_review", attempt: index, why: "tree_changed" };
  return reviewsOf(state) < state.maxLoops
    ? { do: "send_feedback", attempt: index }
    : { do: "drop_review", attempt: index, why: "limit_reached" };
}

/** The last task decides: the person was done with the earlier ones. */
function afterLeaving(state: RunState, left: ProcessEnd): Decision {
  switch (lastTask(state)) {
    case "accepted":
      return end("passed", "accepted");
    case "limit_reached":
      return end("failed", "limit_reached");
    case "waiting_for_user":
      return end("failed", "waiting_for_user");
    case "open":
      return end("failed", "left_unaccepted");
    case null:
      return succeeded(left) ? end("passed", "nothing_asked") : end("failed", "live_agent_failed");
  }
}

function nextHeadless(state: RunState, settings: ChatSettings): Decision {
  const work = (attempt: number): Decision =>
    nextTurn(state, { role: "worker", attempt, names: [settings.worker] });
  const attempt = lastAttempt(state);
  if (!attempt) return work(1);
  if (!attempt.turn) return work(attempt.index);
  if (waitsForUser(attempt)) return end("failed", "waiting_for_user");
  if (!attempt.judged) return nextEvidence(state, settings, attempt);
  if (attempt.judged.verdict === "accepted") return end("passed", "accepted");
  if (reviewBroke(attempt)) return end("failed", "review_failed");
  if (attempt.index >= state.maxLoops) return end("failed", "limit_reached");
  return failedAgain(state, attempt) ? end("failed", "stuck") : work(attempt.index + 1);
}

/** All checks run first, so that the reviewer knows all results; then the review; then the verdict. */
function nextEvidence(state: RunState, settings: ChatSettings, attempt: Attempt): Decision {
  const { index } = attempt;
  // The tree shows whether the next failure is the same.
  if (!isReviewable(attempt))
    return { do: state.base && !attempt.candidate ? "take_candidate" : "judge", attempt: index };
  const done = attempt.checks.length;
  const command = settings.checks[done];
  if (command !== undefined)
    return { do: "run_check", attempt: index, phase: "check", index: done + 1, command };
  if (reviewOf(attempt)) return { do: "judge", attempt: index };
  const turn = nextTurn(state, { role: "reviewer", attempt: index, names: [settings.reviewer] });
  return turn.do === "open_turn" ? { ...turn, resumes: forkOf(state, settings, attempt) } : turn;
}

/** The session from which the reviewer forks, so that it knows what agent and person said; null: the reviewer starts without it. */
function forkOf(state: RunState, { forks, worker }: ChatSettings, attempt: Attempt): string | null {
  const { chat, sessions } = state;
  if (!forks || couldNotFork(state, attempt)) return null;
  return chat?.session ?? sessions[sessionKey("worker", worker)]?.id ?? null;
}

/** The session was not found when the attempt was to be reviewed, so it would not be found again. */
function couldNotFork({ failures }: RunState, { index, turn }: Attempt): boolean {
  return failures.some(
    ({ event }) =>
      event.attempt === index &&
      event.turn > (turn?.turn ?? 0) &&
      event.agent.failure.class === "session_lost",
  );
}
