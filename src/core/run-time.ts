import type { CheckEnded } from "./event.ts";
import { openRuns, type Attempt, type RunState } from "./state.ts";

/** The duration of a run. Waiting for an agent or a person is counted separately; time without a foreman is in neither. */
export interface RunTime {
  readonly workedMs: number;
  readonly waitedMs: number;
}

/** The one clock of a run. `sinceMs`: how long ago its last event was, if a foreman is at work now. */
export function runTime(state: RunState, sinceMs = 0): RunTime {
  const since = Math.max(0, sinceMs);
  const { activeMs, waitedMs } = state;
  return isWaiting(state)
    ? { workedMs: activeMs - waitedMs, waitedMs: waitedMs + since }
    : { workedMs: activeMs - waitedMs + since, waitedMs };
}

export function isWaiting({ wait, question }: Pick<RunState, "wait" | "question">): boolean {
  return wait !== null || question !== null;
}

/** Time spent by the turns and checks of an attempt. */
export function attemptMs(attempt: Attempt): number {
  const checks = checksMs(attempt);
  const turns = [...attempt.main, attempt.turn, ...attempt.faultyReviews, attempt.review].map(
    (turn) => turn?.process.durationMs ?? 0,
  );
  return turns.reduce((sum, ms) => sum + ms, checks);
}

/** All checks of an attempt, including the current one and those that no longer count because the tree has changed. */
export function checksMs(attempt: Attempt): number {
  const { checks, outdatedChecksMs } = attempt;
  const underWay = openRuns(attempt).reduce((sum, { process }) => sum + process.durationMs, 0);
  // Two checks may share the same evidence.
  const seen = new Map(checks.map((check) => [`${check.process.command}\n${check.output.path}`, check]));
  return [...seen.values()].reduce((sum, check) => sum + checkMs(check), outdatedChecksMs + underWay);
}

/** With every recorded run of the command. */
function checkMs({ process, room }: CheckEnded): number {
  const { baseTests, candidateTests, baseProduct, baseControl } = room ?? {};
  const further = [baseTests ?? candidateTests, baseProduct, baseControl];
  return further.reduce((sum, run) => sum + (run?.process.durationMs ?? 0), process.durationMs);
}
