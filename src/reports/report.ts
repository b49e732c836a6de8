import { exitCodeOf, type Captured } from "../domain/process-end.ts";
import type { StatusMarker } from "../domain/protocol/claim.ts";
import type { Reason } from "../domain/reason.ts";
import type { OnStuck, SuperviseSettings } from "../domain/settings.ts";
import { attemptMs } from "../domain/run-time.ts";
import type { Attempt, RunState } from "../domain/state.ts";
import { endInEvidence } from "../domain/room/verdict.ts";
import { stuckAfter, type Stuck } from "../domain/stuck.ts";
import { passedChecks } from "../domain/verdict.ts";
import { candidateReport, type CandidateReport } from "./room-report.ts";
import {
  commonReport,
  promptReport,
  testReport,
  turnReport,
  type CommonReport,
  type PromptReport,
  type TestReport,
  type TurnReport,
} from "./report-parts.ts";

export interface SuperviseReport extends CommonReport {
  readonly mode: "supervise";
  readonly plan_file: string;
  /** The person's command, or the names of the agents. */
  readonly agent_cmd: string;
  readonly test_fast: readonly string[];
  readonly test_full: readonly string[];
  readonly on_stuck: OnStuck;
  readonly max_loops: number;
  /** `max_loops` plus what a person granted. */
  readonly allowed_loops: number;
  readonly attempts: readonly AttemptReport[];
  readonly prompt: PromptReport | null;
  readonly run_dir: string;
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
  readonly stuck: Stuck | null;
  readonly duration_ms: number;
  readonly stdout_path: string;
  readonly stderr_path: string;
  readonly started_at: string;
  /** False where the order of contradicting markers on stdout and stderr could not be told; the claim is then the cautious one. */
  readonly marker_order_certain: boolean;
  /** Files the run was started with that are not as they were; their changes had no effect. */
  readonly changed_inputs: readonly string[];
  readonly agent: TurnReport;
  readonly tests: readonly TestReport[];
  readonly candidate: CandidateReport | null;
  readonly feedback: Captured;
}

export function superviseReport(
  state: RunState,
  settings: SuperviseSettings,
  paths: { readonly runDir: string; readonly journal: string },
): SuperviseReport {
  return {
    ...commonReport(state, paths.journal),
    mode: settings.mode,
    plan_file: settings.planFile,
    agent_cmd: settings.agentCmd ?? settings.agents.map(({ name }) => name).join(","),
    test_fast: settings.testFast,
    test_full: settings.testFull,
    on_stuck: settings.onStuck,
    max_loops: settings.maxLoops,
    allowed_loops: state.maxLoops,
    attempts: state.attempts.flatMap((attempt) => attemptReport(attempt, state.attempts, settings) ?? []),
    prompt: settings.prompt && promptReport(settings.prompt),
    run_dir: paths.runDir,
  };
}

/** Undefined while the attempt is not judged: an unfinished attempt is no result. */
export function attemptReport(
  attempt: Attempt,
  all: readonly Attempt[],
  settings: SuperviseSettings,
): AttemptReport | undefined {
  const { turn, judged } = attempt;
  if (!turn?.claim || !judged) return undefined;
  const tests = attempt.checks.map(testReport);
  const evidence = {
    checks: attempt.checks.map((check) => ({ phase: check.phase, end: endInEvidence(check) })),
  };
  const fullExecuted = tests.some((test) => test.phase === "full");
  const { status } = turn.claim;
  return {
    index: attempt.index,
    agent_exit_code: exitCodeOf(turn.process.end),
    agent_status_marker: status === "invalid" ? null : status,
    agent_evidence: turn.claim.evidence,
    fast_tests_passed: passedChecks(evidence, "fast") === settings.testFast.length,
    full_test_executed: fullExecuted,
    full_test_passed: fullExecuted ? passedChecks(evidence, "full") === settings.testFull.length : null,
    decision: judged.verdict,
    reasons: judged.reasons,
    stuck: stuckAfter(all, attempt),
    duration_ms: attemptMs(attempt),
    stdout_path: turn.stdout.path,
    stderr_path: turn.stderr.path,
    started_at: attempt.startedAt,
    marker_order_certain: turn.claim.orderCertain,
    changed_inputs: turn.changedInputs,
    agent: turnReport(turn),
    tests,
    candidate: candidateReport(attempt),
    feedback: judged.feedback,
  };
}
