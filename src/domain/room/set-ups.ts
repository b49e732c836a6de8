import type { CheckEnded } from "../event.ts";
import type { Captured } from "../process-end.ts";
import { lastAttempt, withLastAttempt, type Attempt, type RunState } from "../state.ts";
import { explainsItself } from "../tests/findings.ts";
import type { SetUp } from "./event.ts";
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

/** The output that says why a check failed: tests that lack a module do not say why it could not be installed. */
export function decisiveOutput(check: CheckEnded): Captured {
  return (
    missingDependencies(check).find(({ output }) => output !== null)?.output ?? decisiveRun(check).output
  );
}

/** Whether its failed tests say why, so that its output has nothing to add for a person. */
export function isExplained(check: CheckEnded): boolean {
  const { findings } = decisiveRun(check);
  return check.room?.problem === null && missingDependencies(check).length === 0 && explainsItself(findings);
}

/**
 * Whether only a person can see to it that dependencies are there. An agent may have named a version that does not exist, or forgotten
 * the lock file; after a second failure it is not asked again.
 */
export function needsPerson({ settings, attempts }: RunState): boolean {
  // In a conversation the person is there already.
  if (settings.mode === "chat") return false;
  const [before, last] = [attempts.at(-2), attempts.at(-1)];
  const missing = missingIn(last);
  if (missing.length === 0) return false;
  const isAgents = missing.every(({ problem }) => problem === "failed" || problem === "replaced");
  return !isAgents || missingIn(before).length > 0;
}

export function missingIn(attempt: Attempt | undefined): readonly SetUp[] {
  return attempt?.checks.flatMap(missingDependencies) ?? [];
}

/** A person may have repaired the cause before they resume the run, so the checks run again. */
export function withoutMissing(state: RunState): RunState {
  const last = lastAttempt(state);
  if (!last || last.judged || missingIn(last).length === 0) return state;
  return withLastAttempt(state, { checks: [] });
}
