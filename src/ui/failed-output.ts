import type { CheckEnded } from "../core/event.ts";
import { succeeded, type Artifact } from "../platform/process/process-end.ts";
import { decisiveOutput, isExplained } from "../evidence/set-ups.ts";
import { passedOnlyWithAgentTests } from "../evidence/verdict.ts";
import { lastAttempt, outputWithErrors, type Attempt, type RunState } from "../core/state.ts";
import { failedCheck } from "./wording.ts";

/** The check that decided against an attempt. */
export function decisiveCheck(attempt: Attempt): CheckEnded | undefined {
  return failedCheck(attempt) ?? attempt.checks.find((check) => passedOnlyWithAgentTests(check, attempt));
}

/** The output of the check, or else the turn, that decided against an attempt. */
export function failedOutput(attempt: Attempt): Artifact | null {
  const check = decisiveCheck(attempt);
  if (check) return check.room?.baseTests?.output ?? decisiveOutput(check);
  const { turn } = attempt;
  return turn && !succeeded(turn.process.end) ? outputWithErrors(turn) : null;
}

/** The same for the last attempt, if only its output explains the failure. */
export function unexplainedOutput(state: RunState): Artifact | null {
  const attempt = lastAttempt(state);
  if (attempt?.judged?.verdict !== "rejected") return null;
  const check = decisiveCheck(attempt);
  const isNamed = check !== undefined && (check.room?.baseTests != null || isExplained(check));
  return isNamed ? null : failedOutput(attempt);
}
