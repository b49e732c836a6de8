import type { CheckEnded } from "../core/event.ts";
import type { Artifact } from "../platform/process/process-end.ts";
import { lastAttempt, withLastAttempt, type Attempt, type RunState, openRuns } from "../core/state.ts";
import { explainsItself } from "../core/evidence/findings.ts";
import type { SetUp } from "../core/evidence/event.ts";
import { checkPassed, decisiveRun } from "./verdict.ts";

/** A failed installation matters only to a check that fails without it. */
export function withSetUps(check: CheckEnded, setUps: readonly SetUp[]): CheckEnded {
  if (!check.room || setUps.length === 0) return check;
  const relevant = checkPassed(check) ? setUps.filter(({ problem }) => problem === null) : setUps;
  return relevant.length === 0 ? check : { ...check, room: { ...check.room, setUps: relevant } };
}

export function missingDependencies({ room }: CheckEnded): readonly SetUp[] {
  return room?.setUps?.filter(({ problem }) => problem !== null) ?? [];
}

/** The output that explains why a check failed: missing modules do not show why an installation failed. */
export function decisiveOutput(check: CheckEnded): Artifact {
  return (
    missingDependencies(check).find(({ output }) => output !== null)?.output ?? decisiveRun(check).output
  );
}

/** Whether its failed tests explain themselves, so its output adds nothing for a person. */
export function isExplained(check: CheckEnded): boolean {
  const { findings } = decisiveRun(check);
  return check.room?.problem === null && missingDependencies(check).length === 0 && explainsItself(findings);
}

/**
 * Whether only a person can provide the dependencies. An agent may name a nonexistent version or forget the lock file, so it gets one more
 * attempt.
 */
export function needsPerson({ mode, attempts }: RunState): boolean {
  if (mode.hasPerson) return false;
  const [before, last] = [attempts.at(-2), attempts.at(-1)];
  const missing = missingIn(last);
  if (missing.length === 0) return false;
  const isAgents = missing.every(({ problem }) => problem === "failed" || problem === "replaced");
  return !isAgents || missingIn(before).length > 0;
}

export function missingIn(attempt: Attempt | undefined): readonly SetUp[] {
  return attempt?.checks.flatMap(missingDependencies) ?? [];
}

/** A person may have fixed the cause before resuming the run, so the checks run again. */
export function withoutMissing(state: RunState): RunState {
  const last = lastAttempt(state);
  if (!last || last.judged) return state;
  if (missingIn(last).length > 0) return withLastAttempt(state, { checks: [], runs: [] });
  const open = openRuns(last);
  const isMissing = open.some(({ setUps = [] }) => setUps.some(({ problem }) => problem !== null));
  return isMissing ? withLastAttempt(state, { runs: last.runs.filter((run) => !open.includes(run)) }) : state;
}
