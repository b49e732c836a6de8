import { verdictByMode } from "./verdict.ts";
import { exitCodeOf } from "../platform/process/process-end.ts";
import type { CheckId } from "../core/check-phase.ts";
import { baseResult, checkSoFar, endedCheck } from "./check.ts";
import { sameRun } from "./runs.ts";
import type { BaseChecked, BaseRunEnded, CheckEnded, TestRunEnded } from "../core/evidence/event.ts";
import type { EvidenceEvent } from "../core/event.ts";
import { nextBaseCommand } from "./held.ts";
import { mayFailByChance, nextRun } from "./plan.ts";
import { lastAttempt, type RunState } from "../core/state.ts";

/** Why an event of the evidence cannot follow a state, or null. */
export function whyNoEvidence(state: RunState, event: EvidenceEvent): string | null {
  // Without a room, checks run in the work tree.
  if (event.type === "check_ended") return whyNoCheck(state, event);
  if (!state.settings.room) return "this run has no clean room";
  if (state.openTurn || state.question) return "something else is open";
  switch (event.type) {
    case "base_taken": {
      const last = lastAttempt(state);
      return last && !last.judged ? "an attempt is under way" : null;
    }
    case "base_run_ended":
      return whyNoBaseCheck(state, event) ?? whyNotRepeated(state, event);
    case "base_checked":
      return whyNoBaseCheck(state, event);
    case "candidate_taken":
      return whyNotThisAttempt(state, event.attempt);
    case "test_run_ended":
      return whyNoTestRun(state, event);
    case "candidate_confirmed": {
      const { candidate } = lastAttempt(state) ?? {};
      const same = candidate?.taken.tree === event.tree && verdictByMode(state)?.verdict === "accepted";
      return whyNotThisAttempt(state, event.attempt) ?? (same ? null : "it is not the tree that was checked");
    }
  }
}

/** A run that cannot have failed by chance is not repeated: `base_checked` follows at once. */
function whyNotRepeated({ base }: RunState, { process }: BaseRunEnded): string | null {
  if (base?.failedRun) return "its first run was recorded already";
  return mayFailByChance(process) ? null : "the first run decides";
}

function whyNoBaseCheck(
  state: RunState,
  { phase, index, process }: BaseRunEnded | BaseChecked,
): string | null {
  const due = nextBaseCommand(state);
  if (!state.base || state.attempts.length > 0 || !due) return "the base is not to be tested";
  const isNext = due.phase === phase && due.index === index && due.command === process.command;
  return isNext ? null : "it is not the next test";
}

function whyNotThisAttempt(state: RunState, attempt: number): string | null {
  const last = lastAttempt(state);
  if (!state.base) return "there is no base";
  return last?.index === attempt && !last.judged ? null : "no such attempt is under way";
}

function whyNoCheck(state: RunState, event: CheckEnded): string | null {
  const check = { ...event, command: event.process.command };
  const inRoom = state.settings.room != null;
  const why = whyNotDue(state, check);
  if (why !== null) return why;
  if (inRoom !== (event.room !== undefined)) return "checks run elsewhere in this run";
  return !inRoom || isSameCheck(event, endedCheck(state, check))
    ? null
    : "the runs of the check show another result";
}

/** A run of another check, or one that the plan does not want now. */
function whyNoTestRun(state: RunState, event: TestRunEnded): string | null {
  const check = { ...event, command: event.process.command };
  const why = whyNotDue(state, check);
  if (why !== null) return why;
  const due = nextRun(checkSoFar(state, check), baseResult(state, check.command));
  const isNext = endedCheck(state, check) === null && due !== "done" && sameRun(due, event);
  return isNext ? null : "it is not the next run";
}

function whyNotDue(state: RunState, { attempt: at, phase, index, command }: CheckId): string | null {
  const attempt = lastAttempt(state);
  if (attempt?.index !== at || attempt.judged || state.openTurn) return "no turn waits for tests";
  const waits = attempt.turn !== null || state.mode.checksWithoutTurn?.(state, attempt) === true;
  if (!waits) return "no turn waits for tests";
  if (state.settings.room && !attempt.candidate) return "the tree of the check is unknown";
  const done = attempt.checks.filter((check) => check.phase === phase).length;
  const due = state.mode.commandsDue(state, phase, state.settings);
  return index === done + 1 && due[done] === command ? null : "it is not the next test";
}

/** Another process with other secrets may have redacted texts in `process`. */
function isSameCheck(event: CheckEnded, expected: CheckEnded | null): boolean {
  const compared = ({ process: { end, durationMs }, output, room }: CheckEnded): string =>
    JSON.stringify([end.kind, exitCodeOf(end), durationMs, output, room]);
  return expected !== null && compared(event) === compared(expected);
}
