import { checkPassed } from "../../evidence/verdict.ts";
import type { Decision } from "../../core/decision.ts";
import type { CheckPhase } from "../../core/event.ts";
import type { SuperviseSettings } from "../../core/settings.ts";
import { COMMAND_AGENT, lastAttempt, type Attempt, type RunState } from "../../core/state.ts";
import { nothingRan } from "../../evidence/results/not-started.ts";
import { end } from "../../core/end.ts";
import { nextTurn } from "../../core/next-agent.ts";
import { whenStuck, workersInTurn, type Workers } from "../when-stuck.ts";

/** The `supervise` mode: one task, until its tests pass. */
export function nextSupervise(state: RunState, settings: SuperviseSettings): Decision {
  if ("problem" in settings.plan) return end("failed", settings.plan.problem);
  const attempt = lastAttempt(state);
  if (!attempt) return workAt(1, state, settings);
  if (!attempt.turn) return workAt(attempt.index, state, settings);
  if (!attempt.judged) return nextCheck(settings, attempt) ?? { do: "judge", attempt: attempt.index };
  return afterJudgement(state, settings, attempt);
}

function workAt(attempt: number, state: RunState, settings: SuperviseSettings): Decision {
  return nextTurn(state, { role: "worker", attempt, names: workersInTurn(state, workersOf(settings)) });
}

function workersOf({ agents, onStuck }: SuperviseSettings): Workers {
  return { onStuck, names: agents.length === 0 ? [COMMAND_AGENT] : agents.map(({ name }) => name) };
}

/** Fast tests run in every attempt; full tests only after a DONE and green fast tests. The first failure ends the checks. */
function nextCheck({ testFast, testFull }: SuperviseSettings, attempt: Attempt): Decision | null {
  if (!attempt.checks.every(checkPassed)) return null;
  const done = (phase: CheckPhase): number => attempt.checks.filter((check) => check.phase === phase).length;
  const fast = testFast[done("fast")];
  if (fast !== undefined)
    return { do: "run_check", attempt: attempt.index, phase: "fast", index: done("fast") + 1, command: fast };
  const full = testFull[done("full")];
  if (full === undefined || attempt.turn?.claim?.status !== "DONE") return null;
  return { do: "run_check", attempt: attempt.index, phase: "full", index: done("full") + 1, command: full };
}

function afterJudgement(state: RunState, settings: SuperviseSettings, attempt: Attempt): Decision {
  if (attempt.judged?.verdict === "accepted") return end("passed", "accepted");
  const decision = state.decisions.at(-1)?.answer;
  if (decision?.kind === "mark_pass") return end("manually_passed", "marked_by_person");
  if (decision?.kind === "mark_fail") return end("manually_failed", "marked_by_person");
  if (couldNotStart(state, attempt)) return end("failed", "agent_cannot_start");
  const stuck = whenStuck(state, workersOf(settings));
  if (stuck) return stuck;
  if (attempt.index < state.maxLoops) return workAt(attempt.index + 1, state, settings);
  if (state.interactive) return { do: "ask" };
  return end("failed", "limit_reached");
}

/**
 * Only in the first attempt, because later the command is known to start. Without a clean room it is unknown whether the tree changed, so the shell
 * itself must have missed the program.
 */
function couldNotStart({ base }: RunState, { index, turn, candidate }: Attempt): boolean {
  if (index > 1 || !turn?.notStarted) return false;
  if (!base || !candidate) return nothingRan(turn.process.command, turn.notStarted);
  return !candidate.taken.unreadable && candidate.taken.tree === base.taken.tree;
}
