import type { ReviewEnded, TreeChange } from "../domain/event.ts";
import type { Captured } from "../domain/process-end.ts";
import type { Reason } from "../domain/reason.ts";
import type { Lang, OnStuck, StepsSettings } from "../domain/settings.ts";
import { attemptMs } from "../domain/run-time.ts";
import type { Attempt, RunState } from "../domain/state.ts";
import type { ReviewItem, StepStatus, UnitTest } from "../domain/step.ts";
import type { StepNote, StepResult } from "../domain/step-result.ts";
import { stuckAfter, type Stuck } from "../domain/stuck.ts";
import { verifierFaults } from "../domain/verdict-step.ts";
import { reviewProblemText } from "../i18n/step-problems.ts";
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
import { candidateReport, type CandidateReport } from "./room-report.ts";
import { countOutcomes, firstFailure, progressPath, stepOutcomes, type StepOutcome } from "./step-outcome.ts";

/** The report of `run`. */
export interface StepsReport extends CommonReport {
  readonly mode: "run";
  readonly steps_dir: string;
  readonly progress_path: string;
  readonly full_verify: boolean;
  readonly reverify: boolean;
  readonly on_stuck: OnStuck;
  readonly max_attempts: number;
  readonly workers: readonly string[];
  readonly verifiers: readonly string[];
  readonly totals: TotalsReport;
  /** The number of its file. */
  readonly first_failure: string | null;
  readonly steps: readonly StepReport[];
  readonly prompts: { readonly implement: PromptReport; readonly verify: PromptReport };
}

interface TotalsReport {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly under_way: number;
  readonly not_run: number;
  /** Of those that were not run. */
  readonly already_done: number;
}

export interface StepReport {
  readonly number: string;
  readonly file: string;
  readonly id: string;
  readonly description: string;
  readonly status_before: StepStatus;
  readonly status_after: StepStatus;
  readonly result: StepResult;
  readonly note: StepNote | null;
  readonly error: string | null;
  /** Somebody else changed its file during the run. */
  readonly edited: boolean;
  /** It was done before, its regression check failed, and it was worked on again. */
  readonly redone: boolean;
  /** Done by a person's word, of this run or an earlier one, and not by evidence. */
  readonly marked_by_person: boolean;
  readonly unit_test: UnitTest | null;
  /** The judged ones, and one without a verdict if a verifier failed by its own fault. */
  readonly attempts: readonly StepAttemptReport[];
}

interface StepAttemptReport {
  /** 0: a regression check, for which nobody works. */
  readonly index: number;
  readonly started_at: string;
  /** Null: there is no verdict yet. */
  readonly decision: "accepted" | "rejected" | null;
  readonly reasons: readonly Reason[];
  readonly duration_ms: number;
  readonly stuck: Stuck | null;
  readonly work: TurnReport | null;
  readonly unit_test: TestReport | null;
  readonly verification: ReviewReport | null;
  /** Verifications before it that failed by the verifier's own fault. */
  readonly verifier_faults: readonly (ReviewReport & { readonly reasons: readonly Reason[] })[];
  readonly candidate: CandidateReport | null;
  readonly changed_inputs: readonly string[];
  /** Null where there is no verdict yet. */
  readonly feedback: Captured | null;
}

interface ReviewReport extends TurnReport {
  readonly read_only: boolean;
  readonly items: readonly ReviewItem[];
  /** Why there is no verdict. */
  readonly problem: string | null;
  /** Null: nobody can tell. */
  readonly changed_files: TreeChange;
}

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
