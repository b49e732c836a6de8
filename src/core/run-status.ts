import { impasseOf } from "./end.ts";
import type { EndReason, Impasse } from "./event.ts";
import type { RunState } from "./state.ts";

/** A run's status, seen from outside. Stable codes, the same in every language. */
export type RunStatus = IntactStatus | "damaged";
export type IntactStatus =
  | "asks_you"
  | "running"
  | "waiting"
  | Impasse
  | "interrupted"
  | "superseded"
  | "waiting_for_user"
  | "accepted"
  | "marked_passed"
  | "rejected"
  | "marked_failed"
  | "cancelled"
  | "not_started"
  | "nothing_to_do";

/**
 * `live`: a process supervises the run now. An open question takes precedence: either way it is the person's turn. `isSuperseded`: a
 * later run has continued the work, so this one can neither be resumed nor answered.
 */
export function runStatus(state: RunState, live: boolean, isSuperseded = false): IntactStatus {
  if (!state.ended) return isSuperseded && !live ? "superseded" : unfinishedStatus(state, live);
  switch (state.ended.status) {
    case "passed":
      return state.ended.reason === "nothing_to_do" ? "nothing_to_do" : "accepted";
    case "manually_passed":
      return "marked_passed";
    case "manually_failed":
      return "marked_failed";
    case "failed":
      return failedStatus(state.ended.reason);
  }
}

/** The run ended before an agent worked. */
const NOT_STARTED = new Set<EndReason>([
  "plan_file_missing",
  "plan_file_unreadable",
  "test_cannot_start",
  "agent_cannot_start",
  "setup_failed",
]);

function failedStatus(reason: EndReason): IntactStatus {
  if (NOT_STARTED.has(reason)) return "not_started";
  const own = ["cancelled", "waiting_for_user", "nothing_to_do"] as const;
  return own.find((one) => one === reason) ?? "rejected";
}

function unfinishedStatus(state: RunState, live: boolean): IntactStatus {
  if (state.question) return "asks_you";
  if (live) return state.wait ? "waiting" : "running";
  return impasseOf(state.stopped) ?? "interrupted";
}
