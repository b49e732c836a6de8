import { isBoardRole, type BoardRole } from "../domain/board/answer.ts";
import { isStopped } from "../domain/board/asked.ts";
import { commandsDue } from "../domain/board/call.ts";
import { asksLeft, hasFinished, isAnswered, isOver, roleOf } from "../domain/board/iterations.ts";
import type { Decision } from "../domain/decision.ts";
import { agentsFor } from "../domain/legality-board.ts";
import type { OrchestrateSettings } from "../domain/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../domain/state.ts";
import { end } from "./end.ts";
import { nextTurn } from "./next-agent.ts";

/**
 * The `orchestrate` mode: in each iteration MAIN decides who is next, somebody works or a person answers, and the foreman sees for
 * itself what came of it.
 */
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
  // A decision that was made in the last iteration would be lost with the run.
  const canAsk = state.interactive || isAnswered(state, last.index);
  return canAsk ? { do: "ask" } : end("failed", "limit_reached");
}

/** MAIN has given no answer that stands. */
function withoutCall(open: Attempt, state: RunState, settings: OrchestrateSettings): Decision {
  const decided = state.decisions.at(-1);
  if (isStopped(decided) && decided?.attempt === open.index)
    return end("manually_failed", "marked_by_person");
  return asksLeft(state, open) > 0 ? askMain(open.index, state, settings) : { do: "ask" };
}

/** Who was MAIN last stays it as long as it can: it knows what was said. */
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
  const names = agentsFor(roles, role);
  const developer = state.attempts.findLast((attempt) => roleOf(attempt) === "DEV" && attempt.turn)?.turn
    ?.agent;
  // Rather somebody else than who did the work.
  const independent =
    role === "REVIEW"
      ? [
          ...names.filter((name) => name !== developer?.name),
          ...names.filter((name) => name === developer?.name),
        ]
      : names;
  return nextTurn(state, { role: "worker", attempt: index, names: independent });
}

/** All of them, whatever the others showed: each result is part of the report. */
function nextCheck(attempt: Attempt): Decision | null {
  const done = attempt.checks.length;
  const command = commandsDue(attempt)[done];
  if (command === undefined) return null;
  return { do: "run_check", attempt: attempt.index, phase: "acceptance", index: done + 1, command };
}
