import { isBoardRole, ROLE_KEYS, type BoardRole } from "../../core/board/answer.ts";
import { isStopped } from "../../core/question-options.ts";
import { commandsDue } from "./call.ts";
import { asksLeft, hasFinished, isAnswered, isOver, roleOf } from "../../core/board/iterations.ts";
import type { Decision } from "../../core/decision.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../../core/state.ts";
import { end } from "../../core/end.ts";
import { nextTurn } from "../../core/next-agent.ts";

/** The `orchestrate` mode: in each iteration MAIN decides who is next, a role works or a person answers, and the foreman checks the result itself. */
export function nextOnBoard(state: RunState, settings: OrchestrateSettings): Decision {
  const last = lastAttempt(state);
  if (!last) return askMain(1, state, settings);
  if (isOver(last, state)) return nextIteration(last, state, settings);
  if (!last.call) return withoutCall(last, state, settings);
  const { nextAgent } = last.call.answer;
  if (nextAgent === "USER") return { do: "ask" };
  if (isBoardRole(nextAgent) && !last.turn) return callOn(nextAgent, last, state, settings);
  return nextCheck(last) ?? { do: "judge", attempt: last.index };
}

function nextIteration(last: Attempt, state: RunState, settings: OrchestrateSettings): Decision {
  if (hasFinished(last)) return end("passed", "accepted");
  const decided = state.decisions.at(-1);
  if (decided?.attempt === last.index && decided.about === "limit") {
    if (decided.answer.kind === "mark_pass") return end("manually_passed", "marked_by_person");
    if (decided.answer.kind === "mark_fail") return end("manually_failed", "marked_by_person");
  }
  if (last.index < state.maxLoops) return askMain(last.index + 1, state, settings);
  // A decision in the last iteration would be lost with the run.
  const canAsk = state.interactive || isAnswered(state, last.index);
  return canAsk ? { do: "ask" } : end("failed", "limit_reached");
}

/** MAIN has not given a valid answer yet. */
function withoutCall(open: Attempt, state: RunState, settings: OrchestrateSettings): Decision {
  const decided = state.decisions.at(-1);
  if (isStopped(decided) && decided?.attempt === open.index)
    return end("manually_failed", "marked_by_person");
  return asksLeft(state, open) > 0 ? askMain(open.index, state, settings) : { do: "ask" };
}

/** The last MAIN stays MAIN as long as it can, because it knows the conversation. */
function askMain(attempt: number, state: RunState, { roles }: OrchestrateSettings): Decision {
  const last = state.attempts.findLast(({ main }) => main.length > 0)?.main.at(-1)?.agent.name;
  const names = [
    ...roles.main.filter((name) => name === last),
    ...roles.main.filter((name) => name !== last),
  ];
  return nextTurn(state, { role: "main", attempt, names });
}

function callOn(
  role: BoardRole,
  { index }: Attempt,
  state: RunState,
  { roles }: OrchestrateSettings,
): Decision {
  const names = roles[ROLE_KEYS[role]];
  const developer = state.attempts.findLast((attempt) => roleOf(attempt) === "DEV" && attempt.turn)?.turn
    ?.agent;
  // Prefer an agent that did not do the work.
  const independent =
    role === "REVIEW"
      ? [
          ...names.filter((name) => name !== developer?.name),
          ...names.filter((name) => name === developer?.name),
        ]
      : names;
  return nextTurn(state, { role: "worker", attempt: index, names: independent });
}

/** Run all commands even after a failure: each result is part of the report. */
function nextCheck(attempt: Attempt): Decision | null {
  const done = attempt.checks.length;
  const command = commandsDue(attempt)[done];
  if (command === undefined) return null;
  return { do: "run_check", attempt: attempt.index, phase: "acceptance", index: done + 1, command };
}
