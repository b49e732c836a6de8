import type { CheckEnded } from "../domain/event.ts";
import { succeeded, type Captured } from "../domain/process-end.ts";
import { decisiveOutput, isExplained } from "../domain/room/set-ups.ts";
import { passedOnlyWithAgentTests } from "../domain/room/verdict.ts";
import { lastAttempt, tellingOutput, type Attempt, type RunState } from "../domain/state.ts";
import { failedCheck } from "./wording.ts";

/** The check that an attempt failed by. */
export function decisiveCheck(attempt: Attempt): CheckEnded | undefined {
  return failedCheck(attempt) ?? attempt.checks.find((check) => passedOnlyWithAgentTests(check, attempt));
}

/** What the check, or else the turn, that an attempt failed by wrote. */
export function failedOutput(attempt: Attempt): Captured | null {
  const check = decisiveCheck(attempt);
  if (check) return check.room?.frozen?.output ?? decisiveOutput(check);
  const { turn } = attempt;
  return turn && !succeeded(turn.process.end) ? tellingOutput(turn) : null;
}

/** The same of the last attempt, where nothing but its output says why it failed. */
export function unexplainedOutput(state: RunState): Captured | null {
  const attempt = lastAttempt(state);
  if (attempt?.judged?.verdict !== "rejected") return null;
  const check = decisiveCheck(attempt);
  const isNamed = check !== undefined && (check.room?.frozen != null || isExplained(check));
  return isNamed ? null : failedOutput(attempt);
}
