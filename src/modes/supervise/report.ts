import { exitCodeOf } from "../../platform/process/process-end.ts";
import type { SuperviseSettings } from "../../core/settings.ts";
import { attemptMs } from "../../core/run-time.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { endInEvidence } from "../../evidence/verdict.ts";
import { stuckAfter } from "../../evidence/stuck.ts";
import { passedChecks } from "../../core/verdict.ts";
import type { Described } from "../../core/report/described.ts";
import { candidateReport } from "../../evidence/report/room-report.ts";
import type { attemptReportSchema, superviseReportSchema } from "./schema-report.ts";
import { commonReport, promptReport, testReport, turnReport } from "../report/report-parts.ts";

export type SuperviseReport = Described<typeof superviseReportSchema>;
export type AttemptReport = Described<typeof attemptReportSchema>;

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

/** Undefined before the verdict: an unfinished attempt is not a result. */
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
