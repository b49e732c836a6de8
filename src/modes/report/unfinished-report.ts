import type { Failure } from "../../platform/failure.ts";
import type { ProtectedChange } from "../../core/evidence/change.ts";
import { heldChanges } from "../../evidence/held.ts";
import { lastAttempt, type QuestionAbout, type RunState } from "../../core/state.ts";
import type { RunTime } from "../../core/run-time.ts";
import { outcomeOf } from "../../core/end.ts";
import { viewOf } from "../registry.ts";
import type { UnfinishedWork } from "../../ui/mode-view.ts";
import { agentFailures, spentReport, type CommonReport, interruptedTurns } from "./report-parts.ts";
import { roomReports } from "../../evidence/report/room-report.ts";
import type { RunStatus } from "../../core/run-status.ts";
import { problemReport, type ProblemReport } from "../../core/report/problem-report.ts";

/** `show --json` for a run without a final report: it goes on, waits, or is damaged. */
export interface UnfinishedReport extends UnfinishedWork {
  readonly run_id: string;
  readonly state: RunStatus;
  /** If the state is `superseded`: by which run. */
  readonly superseded_by?: string;
  readonly mode: string | null;
  readonly task: string | null;
  readonly cwd: string | null;
  readonly max_loops: number | null;
  readonly allowed_loops: number | null;
  readonly started_at: string | null;
  readonly updated_at: string | null;
  readonly duration_ms: number | null;
  readonly waited_ms: number | null;
  readonly spent: CommonReport["spent"] | null;
  readonly agent_failures: CommonReport["agent_failures"];
  readonly wait: { readonly agent: string; readonly class: string; readonly until: string } | null;
  readonly room: CommonReport["room"];
  readonly base: CommonReport["base"];
  /** The topic of the open question; null: there is none. */
  readonly asks_about: QuestionAbout | null;
  /** Changed protected files that a person has to look at. */
  readonly held: readonly ProtectedChange[];
  readonly interrupted_turns: CommonReport["interrupted_turns"];
  readonly refused_answers: number;
  readonly report_path: string | null;
  readonly run_dir: string | null;
  readonly journal_path: string;
  readonly problem?: ProblemReport;
}

export function unfinishedReport(run: {
  readonly runId: string;
  readonly status: RunStatus;
  readonly supersededBy?: string | null;
  readonly state: RunState | null;
  /** Null if there is no state. */
  readonly time: RunTime | null;
  readonly problem: Failure | null;
  readonly runDir: string | null;
  readonly journal: string;
}): UnfinishedReport {
  const { state, problem } = run;
  return {
    run_id: run.runId,
    state: run.status,
    ...(run.supersededBy && { superseded_by: run.supersededBy }),
    mode: state?.settings.mode ?? null,
    task: state?.settings.task ?? null,
    cwd: state?.settings.cwd ?? null,
    max_loops: state?.settings.maxLoops ?? null,
    allowed_loops: state?.maxLoops ?? null,
    started_at: state?.startedAt ?? null,
    updated_at: state?.updatedAt ?? null,
    duration_ms: run.time?.workedMs ?? null,
    waited_ms: run.time?.waitedMs ?? null,
    ...(state ? viewOf(state).unfinished(state) : { attempts: [] }),
    spent: state && spentReport(state),
    agent_failures: state ? agentFailures(state) : [],
    wait: state?.wait ? { agent: state.wait.agent, class: state.wait.class, until: state.wait.until } : null,
    ...roomOf(state),
    interrupted_turns: state ? interruptedTurns(state) : [],
    refused_answers: state?.refusals ?? 0,
    report_path: state && outcomeOf(state) ? state.settings.reportPath : null,
    run_dir: run.runDir,
    journal_path: run.journal,
    ...(problem && { problem: problemReport(problem) }),
  };
}

function roomOf(state: RunState | null): Pick<UnfinishedReport, "room" | "base" | "asks_about" | "held"> {
  if (!state) return { room: null, base: null, asks_about: null, held: [] };
  const { room, base } = roomReports(state);
  const about = state.question?.about ?? null;
  const attempt = about === "protected" ? lastAttempt(state) : undefined;
  return { room, base, asks_about: about, held: attempt ? heldChanges(state, attempt) : [] };
}
