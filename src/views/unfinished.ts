import type { Failure } from "../domain/failure.ts";
import { iterationOf } from "../domain/board/iterations.ts";
import type { OracleChange } from "../domain/oracle/change.ts";
import { heldChanges } from "../domain/room/held.ts";
import { lastAttempt, type QuestionAbout, type RunState } from "../domain/state.ts";
import type { RunTime } from "../domain/run-time.ts";
import { outcomeOf } from "../domain/end.ts";
import { analyzeAttemptReport, type AnalyzeReport } from "../reports/analyze-report.ts";
import { chatAttempts, type ChatReport } from "../reports/chat-report.ts";
import { chatTasks } from "../reports/chat-tasks.ts";
import { interruptedTurns, type InterruptedTurnReport } from "../reports/interrupted-turns.ts";
import { agentFailures, spentReport, type CommonReport } from "../reports/report-parts.ts";
import { attemptReport, type SuperviseReport } from "../reports/report.ts";
import { roomReports, type RoomReports } from "../reports/room-report.ts";
import { sessionOf } from "../reports/session-command.ts";
import { stepOutcomes } from "../reports/step-outcome.ts";
import { stepReport, type StepReport } from "../reports/steps-report.ts";
import type { RunStatus } from "../domain/run-status.ts";
import { problemReport, type ProblemReport } from "./run-status.ts";

/** What `show --json` says of a run that has no final report: it goes on, waits, or is damaged. */
export interface UnfinishedReport {
  readonly run_id: string;
  readonly state: RunStatus;
  /** Where the state is `superseded`: by which run. */
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
  /** The judged ones: an unfinished attempt is no result. Those at steps stand with them; of a conversation, all. */
  readonly attempts: SuperviseReport["attempts"] | AnalyzeReport["attempts"] | ChatReport["attempts"];
  readonly steps_dir?: string;
  /** Which one the run is at, from 1; 0: none yet. */
  readonly step?: number;
  readonly steps?: readonly StepReport[];
  readonly board_dir?: string;
  /** Which one the run is at, by its number on the board. */
  readonly iteration?: number;
  readonly tasks?: ChatReport["tasks"];
  readonly session_id?: string | null;
  readonly spent: CommonReport["spent"] | null;
  readonly agent_failures: CommonReport["agent_failures"];
  readonly wait: { readonly agent: string; readonly class: string; readonly until: string } | null;
  readonly room: RoomReports["room"];
  readonly base: RoomReports["base"];
  /** What the open question is about; null: there is none. */
  readonly asks_about: QuestionAbout | null;
  /** Changed tests, and what decides about them, that a person has to look at. */
  readonly held: readonly OracleChange[];
  readonly interrupted_turns: readonly InterruptedTurnReport[];
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
  /** Null where there is no state. */
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
    ...(state ? workOf(state) : { attempts: [] }),
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
  const attempt = about === "oracle" ? lastAttempt(state) : undefined;
  return { room, base, asks_about: about, held: attempt ? heldChanges(state, attempt) : [] };
}

function workOf(
  state: RunState,
): Pick<
  UnfinishedReport,
  "attempts" | "steps_dir" | "step" | "steps" | "board_dir" | "iteration" | "tasks" | "session_id"
> {
  const { settings } = state;
  switch (settings.mode) {
    case "supervise":
      return {
        attempts: state.attempts.flatMap((attempt) => attemptReport(attempt, state.attempts, settings) ?? []),
      };
    case "run":
      return {
        attempts: [],
        steps_dir: settings.stepsDir,
        step: state.step ?? 0,
        steps: stepOutcomes(state).map((outcome) => stepReport(outcome, settings)),
      };
    case "analyze":
      return { attempts: state.attempts.flatMap((attempt) => analyzeAttemptReport(attempt, settings) ?? []) };
    case "orchestrate":
      return {
        attempts: [],
        board_dir: settings.boardDir,
        iteration: iterationOf(state, lastAttempt(state)?.index ?? 0),
      };
    case "chat":
      return {
        attempts: chatAttempts(state),
        tasks: chatTasks(state),
        session_id: sessionOf(state, settings),
      };
  }
}
