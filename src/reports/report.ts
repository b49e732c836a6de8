import { isBestEffort, type Containment, type EndReason, type FinalStatus } from "../domain/event.ts";
import { exitCodeOf, succeeded, type Captured, type Leaked, type ProcessEnd } from "../domain/process-end.ts";
import type { StatusMarker } from "../domain/protocol/claim.ts";
import type { Attempt, ManualDecision, RunState } from "../domain/state.ts";
import type { Reason } from "../domain/reason.ts";
import { passedChecks } from "../domain/verdict.ts";

/** Version of the report's format. */
const REPORT_VERSION = 1;

export interface RunReport {
  readonly schema_version: typeof REPORT_VERSION;
  readonly run_id: string;
  readonly task: string;
  readonly plan_file: string;
  readonly agent_cmd: string;
  readonly test_fast: readonly string[];
  readonly test_full: readonly string[];
  readonly cwd: string;
  readonly max_loops: number;
  /** `max_loops` plus what a person granted. */
  readonly allowed_loops: number;
  readonly final_status: FinalStatus;
  readonly end_reason: EndReason;
  readonly exit_code: number;
  readonly started_at: string;
  readonly finished_at: string;
  readonly attempts: readonly AttemptReport[];
  readonly manual_decision: ManualDecisionReport | null;
  readonly manual_decision_history: readonly ManualDecisionReport[];
  readonly report_path: string;
  readonly run_dir: string;
  readonly journal_path: string;
  readonly base_commit: string | null;
  readonly containment: { readonly level: Containment; readonly best_effort: boolean };
  readonly interrupted_turns: readonly { readonly attempt: number; readonly turn: number }[];
  readonly refused_answers: number;
  readonly tool: {
    readonly name: "agent-foreman";
    readonly version: string;
    readonly node: string;
    readonly platform: string;
  };
}

export interface AttemptReport {
  readonly index: number;
  readonly agent_exit_code: number | null;
  readonly agent_status_marker: StatusMarker | null;
  readonly agent_evidence: string | null;
  readonly fast_tests_passed: boolean;
  readonly full_test_executed: boolean;
  /** Null when the full tests were not run. */
  readonly full_test_passed: boolean | null;
  readonly decision: "accepted" | "rejected";
  readonly reasons: readonly Reason[];
  readonly duration_ms: number;
  readonly stdout_path: string;
  readonly stderr_path: string;
  readonly started_at: string;
  /** False where the order of contradicting markers on stdout and stderr could not be told; the claim is then the cautious one. */
  readonly marker_order_certain: boolean;
  readonly agent: {
    readonly end: ProcessEnd;
    readonly duration_ms: number;
    readonly stdout: Captured;
    readonly stderr: Captured;
    readonly leaked: readonly Leaked[];
  };
  readonly tests: readonly TestReport[];
  readonly feedback: Captured;
}

interface TestReport {
  readonly phase: "fast" | "full";
  readonly index: number;
  readonly command: string;
  readonly passed: boolean;
  readonly exit_code: number | null;
  readonly end: ProcessEnd;
  readonly duration_ms: number;
  readonly output: Captured;
  readonly leaked: readonly Leaked[];
}

interface ManualDecisionReport {
  readonly decision: "continue_n" | "mark_pass" | "mark_fail";
  readonly n: number | null;
  readonly note: string | null;
  readonly via: "terminal" | "decide";
  readonly at: string;
}

/** The report of an ended run: a pure rendering of its state. */
export function runReport(state: RunState, paths: { runDir: string; journal: string }): RunReport {
  const { settings, started, ended } = state;
  if (!ended) throw new Error(`run ${state.runId} has not ended`);
  const history = state.decisions.map((decision) => manualDecision(decision));
  return {
    schema_version: REPORT_VERSION,
    run_id: state.runId,
    task: settings.task,
    plan_file: settings.planFile,
    agent_cmd: settings.agentCmd,
    test_fast: settings.testFast,
    test_full: settings.testFull,
    cwd: settings.cwd,
    max_loops: settings.maxLoops,
    allowed_loops: state.maxLoops,
    final_status: ended.status,
    end_reason: ended.reason,
    exit_code: ended.exitCode,
    started_at: state.startedAt,
    finished_at: ended.at,
    attempts: state.attempts.flatMap((attempt) => attemptReport(attempt, state) ?? []),
    manual_decision: history.at(-1) ?? null,
    manual_decision_history: history,
    report_path: settings.reportPath,
    run_dir: paths.runDir,
    journal_path: paths.journal,
    base_commit: started.baseCommit,
    containment: { level: state.containment, best_effort: isBestEffort(state.containment) },
    interrupted_turns: state.interruptedTurns,
    refused_answers: state.refusals,
    tool: {
      name: "agent-foreman",
      version: started.toolVersion,
      node: started.node,
      platform: started.platform,
    },
  };
}

/** Undefined while the attempt is not judged: an unfinished attempt is no result. */
export function attemptReport(attempt: Attempt, state: RunState): AttemptReport | undefined {
  const { turn, judged } = attempt;
  if (!turn || !judged) return undefined;
  const tests = attempt.checks.map((check): TestReport => ({
    phase: check.phase,
    index: check.index,
    command: check.process.command,
    passed: succeeded(check.process.end),
    exit_code: exitCodeOf(check.process.end),
    end: check.process.end,
    duration_ms: check.process.durationMs,
    output: check.output,
    leaked: check.process.leaked,
  }));
  const evidence = { checks: tests };
  const fullExecuted = tests.some((test) => test.phase === "full");
  const { status } = turn.claim;
  return {
    index: attempt.index,
    agent_exit_code: exitCodeOf(turn.process.end),
    agent_status_marker: status === "invalid" ? null : status,
    agent_evidence: turn.claim.evidence,
    fast_tests_passed: passedChecks(evidence, "fast") === state.settings.testFast.length,
    full_test_executed: fullExecuted,
    full_test_passed: fullExecuted ? passedChecks(evidence, "full") === state.settings.testFull.length : null,
    decision: judged.verdict,
    reasons: judged.reasons,
    duration_ms: turn.process.durationMs + tests.reduce((sum, test) => sum + test.duration_ms, 0),
    stdout_path: turn.stdout.path,
    stderr_path: turn.stderr.path,
    started_at: attempt.startedAt,
    marker_order_certain: turn.claim.orderCertain,
    agent: {
      end: turn.process.end,
      duration_ms: turn.process.durationMs,
      stdout: turn.stdout,
      stderr: turn.stderr,
      leaked: turn.process.leaked,
    },
    tests,
    feedback: judged.feedback,
  };
}

function manualDecision(decision: ManualDecision): ManualDecisionReport {
  const { answer, note, via, at } = decision;
  return { decision: answer.kind, n: answer.kind === "continue_n" ? answer.n : null, note, via, at };
}
