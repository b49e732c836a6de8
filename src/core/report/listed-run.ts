import type { Failure } from "../../platform/failure.ts";
import { outcomeOf } from "../end.ts";
import type { RunStatus } from "../run-status.ts";
import type { RunTime } from "../run-time.ts";
import type { RunState } from "../state.ts";
import { problemReport } from "./problem-report.ts";

/** A run as `runs --json` and `show --json` list it. */
export interface ListedRun {
  readonly runId: string;
  readonly status: RunStatus;
  /** The later run that has continued the work. */
  readonly supersededBy?: string | null | undefined;
  /** Null if the journal is damaged from its first line. */
  readonly state: RunState | null;
  readonly time: RunTime | null;
  readonly problem: Failure | null;
}

/** The fields that both have, for any run. */
export function listedRun({ runId, status, supersededBy, state, time, problem }: ListedRun) {
  return {
    run_id: runId,
    state: status,
    ...(supersededBy && { superseded_by: supersededBy }),
    mode: state?.settings.mode ?? null,
    task: state?.settings.task ?? null,
    cwd: state?.settings.cwd ?? null,
    max_loops: state?.settings.maxLoops ?? null,
    /** `max_loops` plus what a person granted. */
    allowed_loops: state?.maxLoops ?? null,
    started_at: state?.startedAt ?? null,
    updated_at: state?.updatedAt ?? null,
    /** Without waiting, and without the time in which no foreman was at work. */
    duration_ms: time?.workedMs ?? null,
    waited_ms: time?.waitedMs ?? null,
    /** Null until the run has a result and so a report. */
    report_path: state && outcomeOf(state) ? state.settings.reportPath : null,
    ...(problem && { problem: problemReport(problem) }),
  };
}
