import type { CheckEnded } from "../core/event.ts";
import { exitCodeOf } from "../platform/process/process-end.ts";
import type { CheckId } from "../core/check-phase.ts";
import { baseResult, checkSoFar, endedCheck } from "./check.ts";
import type { TestRunEnded } from "../core/evidence/event.ts";
import { nextRun } from "./plan.ts";
import { sameRun } from "./runs.ts";
import { lastAttempt, type RunState } from "../core/state.ts";

export function whyNoCheck(state: RunState, event: CheckEnded): string | null {
  const check = { ...event, command: event.process.command };
  const inRoom = state.settings.room != null;
  const why = whyNotDue(state, check);
  if (why !== null) return why;
  if (inRoom !== (event.room !== undefined)) return "checks run elsewhere in this run";
  return !inRoom || isBorne(event, endedCheck(state, check)) ? null : "the runs of the check do not bear it";
}

/** A run of another check, or one that the plan does not want now. */
export function whyNoTestRun(state: RunState, event: TestRunEnded): string | null {
  const check = { ...event, command: event.process.command };
  const why = whyNotDue(state, check);
  if (why !== null) return why;
  const due = nextRun(checkSoFar(state, check), baseResult(state, check.command));
  const isNext = endedCheck(state, check) === null && due !== "done" && sameRun(due, event);
  return isNext ? null : "it is not the run that is next";
}

function whyNotDue(state: RunState, { attempt: at, phase, index, command }: CheckId): string | null {
  const attempt = lastAttempt(state);
  if (attempt?.index !== at || attempt.judged || state.openTurn) return "no turn waits for tests";
  const waits = attempt.turn !== null || state.mode.checksWithoutTurn?.(state, attempt) === true;
  if (!waits) return "no turn waits for tests";
  if (state.settings.room && !attempt.candidate) return "nobody knows which tree it was run on";
  const done = attempt.checks.filter((check) => check.phase === phase).length;
  const due = state.mode.commandsDue(state, phase, state.settings);
  return index === done + 1 && due[done] === command ? null : "it is not the test that is next";
}

/** Another process with other secrets may have redacted texts in `process`. */
function isBorne(event: CheckEnded, borne: CheckEnded | null): boolean {
  const compared = ({ process: { end, durationMs }, output, room }: CheckEnded): string =>
    JSON.stringify([end.kind, exitCodeOf(end), durationMs, output, room]);
  return borne !== null && compared(event) === compared(borne);
}
