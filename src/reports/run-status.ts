import type { Failure } from "../domain/failure.ts";
import type { RunState } from "../domain/state.ts";
import type { Tone } from "../reporters/page.ts";

/** How a run stands, seen from outside. Stable codes, the same in every language. */
export type RunStatus = IntactStatus | "damaged";
export type IntactStatus =
  | "asks_you"
  | "running"
  | "interrupted"
  | "accepted"
  | "marked_passed"
  | "rejected"
  | "marked_failed"
  | "cancelled";

export type RunEntry =
  | { readonly runId: string; readonly status: IntactStatus; readonly state: RunState }
  | { readonly runId: string; readonly status: "damaged"; readonly problem: Failure };

/** `live`: a process supervises the run now. An open question goes before it: either way it is the person's turn. */
export function runStatus(state: RunState, live: boolean): IntactStatus {
  if (!state.ended) return state.question ? "asks_you" : live ? "running" : "interrupted";
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

export const STATUS_SIGNS: Readonly<Record<RunStatus, { readonly sign: string; readonly tone: Tone }>> = {
  asks_you: { sign: "?", tone: "ask" },
  running: { sign: "~", tone: "busy" },
  interrupted: { sign: "!", tone: "warn" },
  accepted: { sign: "✓", tone: "good" },
  marked_passed: { sign: "✓", tone: "good" },
  rejected: { sign: "✗", tone: "bad" },
  marked_failed: { sign: "✗", tone: "bad" },
  cancelled: { sign: "✗", tone: "bad" },
  damaged: { sign: "!", tone: "warn" },
};

export interface ProblemReport {
  readonly code: string;
  readonly line: number | null;
  readonly why: string | null;
}

export function problemReport(problem: Failure): ProblemReport {
  const { line, why } = problem.about;
  return { code: problem.code, line: line === undefined ? null : Number(line), why: why ?? null };
}
