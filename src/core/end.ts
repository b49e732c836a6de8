import { IMPASSES } from "./events/run.ts";
import type { EndReason, FinalStatus, Impasse, RunStopped } from "./event.ts";
import { ExitCode } from "../platform/outcome.ts";
import type { RunState } from "./state.ts";

/** The exit code for a run's end. */
export function exitCodeOfEnd(status: FinalStatus, reason: EndReason): ExitCode {
  if (status === "passed" || status === "manually_passed") return ExitCode.accepted;
  switch (reason) {
    case "plan_file_missing":
    case "plan_file_unreadable":
    case "test_cannot_start":
    case "setup_failed":
    case "nothing_to_do":
      return ExitCode.badInput;
    case "step_file_changed":
    case "step_file_invalid":
    case "step_write_failed":
      return ExitCode.state;
    case "accepted":
    case "limit_reached":
    case "stuck":
    case "marked_by_person":
    case "cancelled":
    case "review_failed":
    case "nothing_asked":
    case "left_unaccepted":
      return ExitCode.rejected;
    case "waiting_for_user":
      return ExitCode.waitsForPerson;
    case "agent_cannot_start":
    case "live_agent_failed":
      return ExitCode.agentUnavailable;
  }
}

function exitCodeOfImpasse(impasse: Impasse): ExitCode {
  switch (impasse) {
    case "budget_reached":
    case "wait_limit_reached":
      return ExitCode.limitReached;
    case "no_agent_available":
    case "no_verdict":
      return ExitCode.agentUnavailable;
    case "steps_dir_exists":
    case "dependencies_missing":
      return ExitCode.waitsForPerson;
  }
}

export function impasseOf(stopped: RunStopped["by"] | null): Impasse | null {
  return IMPASSES.find((impasse) => impasse === stopped) ?? null;
}

/** A run's result for readers of its report. */
export interface Outcome {
  readonly status: FinalStatus;
  readonly reason: EndReason | Impasse;
  readonly exitCode: number;
  readonly at: string;
}

/** Null while there is no result: it works, waits for a person, or was interrupted. A run in an impasse has failed so far. */
export function outcomeOf(state: RunState): Outcome | null {
  if (state.ended) return state.ended;
  const impasse = impasseOf(state.stopped);
  if (impasse === null) return null;
  return { status: "failed", reason: impasse, exitCode: exitCodeOfImpasse(impasse), at: state.updatedAt };
}
