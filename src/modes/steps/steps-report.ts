import type { ReviewEnded } from "../../core/event.ts";
import type { Lang, StepsSettings } from "../../core/settings.ts";
import { attemptMs } from "../../core/run-time.ts";
import type { Attempt, RunState } from "../../core/state.ts";
import { stuckAfter } from "../../evidence/stuck.ts";
import { verifierFaults } from "./verdict-step.ts";
import { reviewProblemText } from "./words/step-problems.ts";
import { commonReport, promptReport, testReport, turnReport } from "../report/report-parts.ts";
import type { Described } from "../../core/report/described.ts";
import { candidateReport } from "../../evidence/report/room-report.ts";
import type { stepsReportSchema } from "./schema-report.ts";
import { countOutcomes, firstFailure, progressPath, stepOutcomes, type StepOutcome } from "./step-outcome.ts";

export type StepsReport = Described<typeof stepsReportSchema>;
export type StepReport = StepsReport["steps"][number];
type StepAttemptReport = StepReport["attempts"][number];
type ReviewReport = NonNullable<StepAttemptReport["verification"]>;

export function stepsReport(state: RunState, settings: StepsSettings, journal: string): StepsReport {
  const outcomes = stepOutcomes(state);
  const { total, passed, failed, underWay, notRun, alreadyDone } = countOutcomes(outcomes);
  const { implement, verify } = settings.prompts;
  return {
    ...commonReport(state, journal),
    mode: settings.mode,
    steps_dir: settings.stepsDir,
    progress_path: progressPath(settings),
    full_verify: settings.fullVerify,
    reverify: settings.reverify,
    on_stuck: settings.onStuck,
    max_attempts: settings.maxLoops,
    workers: settings.workers,
    verifiers: settings.verifiers,
    totals: { total, passed, failed, under_way: underWay, not_run: notRun, already_done: alreadyDone },
    first_failure: firstFailure(outcomes)?.state.step.number ?? null,
    steps: outcomes.map((outcome) => stepReport(outcome, settings)),
    prompts: { implement: promptReport(implement), verify: promptReport(verify) },
  };
}

export function stepReport(outcome: StepOutcome, settings: StepsSettings): StepReport {
  const { state, result, note, error, attempts } = outcome;
  const { number, file, id, description, status } = state.step;
  return {
    number,
    file,
    id,
    description,
    status_before: status,
    status_after: state.status,
    result,
    note,
    error,
    edited: state.edited,
    redone: outcome.redone,
    marked_by_person: outcome.markedByPerson,
    unit_test: state.unitTest,
    attempts: attempts.flatMap((attempt) => attemptReport(attempt, attempts, settings) ?? []),
  };
}

function attemptReport(
  attempt: Attempt,
  all: readonly Attempt[],
  { lang }: StepsSettings,
): StepAttemptReport | undefined {
  const { turn, checks, review, faultyReviews, judged } = attempt;
  if (!judged && faultyReviews.length === 0) return undefined;
  const [check] = checks;
  return {
    index: attempt.index,
    started_at: attempt.startedAt,
    decision: judged?.verdict ?? null,
    reasons: judged?.reasons ?? [],
    duration_ms: attemptMs(attempt),
    stuck: stuckAfter(all, attempt),
    work: turn && turnReport(turn),
    unit_test: check ? testReport(check) : null,
    verification: review && reviewReport(review, lang),
    verifier_faults: faultyReviews.map((each) => ({
      ...reviewReport(each, lang),
      reasons: verifierFaults(each),
    })),
    candidate: candidateReport(attempt),
    changed_inputs: [
      ...new Set([turn, ...faultyReviews, review].flatMap((part) => part?.changedInputs ?? [])),
    ],
    feedback: judged?.feedback ?? null,
  };
}

function reviewReport(review: ReviewEnded, lang: Lang): ReviewReport {
  return {
    ...turnReport(review),
    read_only: review.readOnly,
    items: review.items,
    problem: review.problem && reviewProblemText(review.problem, lang),
    changed_files: review.changed,
  };
}
