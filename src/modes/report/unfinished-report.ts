import type { Failure } from "../../platform/failure.ts";
import { heldChanges } from "../../evidence/held.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";
import type { RunTime } from "../../core/run-time.ts";
import { outcomeOf } from "../../core/end.ts";
import { viewOf } from "../registry.ts";
import { agentFailures, spentReport, interruptedTurns } from "./report-parts.ts";
import { roomReports } from "../../evidence/report/room-report.ts";
import type { RunStatus } from "../../core/run-status.ts";
import { problemReport } from "../../core/report/problem-report.ts";

/** A run as `runs --json` and `show --json` list it. */
interface ListedRun {
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

/** `show --json` for a run without a final report: it goes on, waits, or is damaged. */
export function unfinishedReport(
  run: ListedRun & { readonly runDir: string | null; readonly journal: string },
) {
  const { state } = run;
  const about = state?.question?.about ?? null;
  const asking = state && about === "protected" ? lastAttempt(state) : undefined;
  const { room, base } = state ? roomReports(state) : { room: null, base: null };
  return {
    ...listedRun(run),
    ...(state ? viewOf(state).unfinished(state) : { attempts: [] }),
    spent: state && spentReport(state),
    agent_failures: state ? agentFailures(state) : [],
    wait: state?.wait ? { agent: state.wait.agent, class: state.wait.class, until: state.wait.until } : null,
    room,
    base,
    /** The topic of the open question; null: there is none. */
    asks_about: about,
    /** Changed protected files that a person has to look at. */
    held: state && asking ? heldChanges(state, asking) : [],
    interrupted_turns: state ? interruptedTurns(state) : [],
    refused_answers: state?.refusals ?? 0,
    run_dir: run.runDir,
    journal_path: run.journal,
  };
}
