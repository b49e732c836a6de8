import type { Decision } from "../domain/decision.ts";
import type { CheckPhase, EndReason, FinalStatus } from "../domain/event.ts";
import { exitCodeOfEnd } from "../domain/end.ts";
import { succeeded } from "../domain/process-end.ts";
import { lastAttempt, type Attempt, type RunState } from "../domain/state.ts";
import { nextTurn } from "./next-agent.ts";

/** The `supervise` mode: state → what to do next, or null when the run has ended. */
export function nextSupervise(state: RunState): Decision | null {
  if (state.ended) return null;
  if ("problem" in state.started.plan) return end("failed", state.started.plan.problem);
  if (state.openTurn) return onOpenTurn(state.openTurn);
  if (state.wait) return { do: "sit_out", until: state.wait.until };
  if (state.question) return { do: "await_answer", questionId: state.question.id };

  const attempt = lastAttempt(state);
  if (!attempt) return nextTurn(state, 1);
  if (!attempt.turn) return nextTurn(state, attempt.index);
  if (!attempt.judged) return nextCheck(state, attempt) ?? { do: "judge", attempt: attempt.index };
  return afterJudgement(state, attempt);
}

function onOpenTurn(open: { attempt: number; turn: number; lost: boolean }): Decision {
  const { attempt, turn } = open;
  return open.lost ? { do: "record_interrupted", attempt, turn } : { do: "take_turn", attempt, turn };
}

/** Fast tests run in every attempt; full tests only after a DONE and green fast tests. The first failure ends the checks. */
function nextCheck(state: RunState, attempt: Attempt): Decision | null {
  if (attempt.checks.some((check) => !succeeded(check.process.end))) return null;
  const done = (phase: CheckPhase): number => attempt.checks.filter((check) => check.phase === phase).length;
  const { testFast, testFull } = state.settings;
  const fast = testFast[done("fast")];
  if (fast !== undefined)
    return { do: "run_check", attempt: attempt.index, phase: "fast", index: done("fast") + 1, command: fast };
  const full = testFull[done("full")];
  if (full === undefined || attempt.turn?.claim.status !== "DONE") return null;
  return { do: "run_check", attempt: attempt.index, phase: "full", index: done("full") + 1, command: full };
}

function afterJudgement(state: RunState, attempt: Attempt): Decision {
  if (attempt.judged?.verdict === "accepted") return end("passed", "accepted");
  const decision = state.decisions.at(-1)?.answer;
  if (decision?.kind === "mark_pass") return end("manually_passed", "marked_by_person");
  if (decision?.kind === "mark_fail") return end("manually_failed", "marked_by_person");
  if (attempt.index < state.maxLoops) return nextTurn(state, attempt.index + 1);
  if (state.interactive) return { do: "ask" };
  return end("failed", "limit_reached");
}

function end(status: FinalStatus, reason: EndReason): Decision {
  return { do: "end", status, exitCode: exitCodeOfEnd(status, reason), reason };
}
