import { impasseOf } from "./end.ts";
import type { Impasse } from "./event.ts";
import type { RunState } from "./state.ts";

/** How a run stands, seen from outside. Stable codes, the same in every language. */
export type RunStatus = IntactStatus | "damaged";
export type IntactStatus =
  | "asks_you"
  | "running"
  | "waiting"
  | Impasse
  | "interrupted"
  | "accepted"
  | "marked_passed"
  | "rejected"
  | "marked_failed"
  | "cancelled";

/** `live`: a process supervises the run now. An open question goes before it: either way it is the person's turn. */
export function runStatus(state: RunState, live: boolean): IntactStatus {
  if (!state.ended) return unfinishedStatus(state, live);
  switch (state.ended.status) {
    case "passed":
      return "accepted";
    case "manually_passed":
      return "marked_passed";
    case "manually_failed":
      return "marked_failed";
    case "failed":
      return state.ended.reason === "cancelled" ? "cancelled" : "rejected";
  }
}

function unfinishedStatus(state: RunState, live: boolean): IntactStatus {
  if (state.question) return "asks_you";
  if (live) return state.wait ? "waiting" : "running";
  return impasseOf(state.stopped) ?? "interrupted";
}
