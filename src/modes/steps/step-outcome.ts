import { join } from "node:path";
import type { Lang, StepsSettings } from "../../core/settings.ts";
import type { Attempt, RunState, StepState } from "../../core/state.ts";
import { DONE } from "../../core/step.ts";
import type { Described } from "../../core/report/described.ts";
import type { stepsReportSchema } from "./schema-report.ts";
import { turnSuffices } from "./evidence.ts";
import { stepWords } from "./words/step-words.ts";
import { isDone, isMarkedByPerson, isTaken } from "./steps-left.ts";
import { stuckAfter, type Stuck } from "../../evidence/stuck.ts";
import { refusalText, stepError, verificationError } from "./step-error.ts";

type StepReport = Described<typeof stepsReportSchema>["steps"][number];
export type StepResult = StepReport["result"];
export type StepNote = NonNullable<StepReport["note"]>;

export interface StepOutcome {
  readonly state: StepState;
  readonly result: StepResult;
  readonly note: StepNote | null;
  /** One line; null if nothing went wrong in the end. */
  readonly error: string | null;
  readonly attempts: readonly Attempt[];
  /** Whether its last attempts went in circles. */
  readonly stuck: Stuck | null;
  /** It was done before, its regression check failed, and it was worked on again. */
  readonly redone: boolean;
  /** Done by a person's decision, in this run or an earlier one, and not by evidence. */
  readonly markedByPerson: boolean;
  /** Files that its verifiers changed and that are not restored. */
  readonly meddledWith: readonly string[];
}

export function stepOutcomes(state: RunState, lang: Lang = state.settings.lang): StepOutcome[] {
  const attempts = new Map<number, Attempt[]>();
  for (const attempt of state.attempts) {
    const step = attempt.step ?? 0;
    attempts.set(step, [...(attempts.get(step) ?? []), attempt]);
  }
  return state.steps.map((step, index) =>
    outcomeOf(step, index + 1, attempts.get(index + 1) ?? [], state, lang),
  );
}

function outcomeOf(
  step: StepState,
  number: number,
  attempts: readonly Attempt[],
  state: RunState,
  lang: Lang,
): StepOutcome {
  const judged = attempts.findLast((attempt) => attempt.judged !== null);
  const stuck = judged ? stuckAfter(attempts, judged) : null;
  const meddledWith = [
    ...new Set(
      attempts.flatMap(({ review, faultyReviews }) =>
        [...faultyReviews, review].flatMap((each) => each?.changed ?? []),
      ),
    ),
  ];
  const { settings } = state;
  const markedByPerson = settings.mode === "run" && isMarkedByPerson(step, number, attempts, settings);
  const facts = { state: step, attempts, stuck, redone: false, markedByPerson, meddledWith };
  if (step.refused) return { ...facts, result: "failed", note: null, error: refusalText(step.refused, lang) };
  if (attempts.length > 0 && isDone(step, attempts)) {
    const redone = attempts.length > 1 && attempts[0]?.index === 0;
    return { ...facts, result: "passed", note: howItPassed(judged, state), error: null, redone };
  }
  if (judged?.judged?.verdict === "rejected") {
    const underWay = attempts.at(-1) !== judged && !state.ended;
    return {
      ...facts,
      result: "failed",
      note: underWay ? "under_way" : null,
      error: stepError(judged, step, lang),
    };
  }
  if (attempts.length > 0 && state.ended)
    return { ...facts, result: "failed", note: null, error: stepWords[lang].brokenOff(state.ended.reason) };
  const fault = state.stopped === "no_verdict" ? attempts.at(-1)?.faultyReviews.at(-1) : undefined;
  const error = fault ? verificationError(fault, step, lang) : null;
  return { ...facts, result: "not_run", note: noteOf(step, number, attempts, state), error };
}

function howItPassed(judged: Attempt | undefined, state: RunState): StepNote | null {
  if (judged?.judged?.verdict !== "accepted") return "marked_by_person";
  return turnSuffices(judged, state) ? "not_verified" : null;
}

function noteOf(
  step: StepState,
  number: number,
  attempts: readonly Attempt[],
  state: RunState,
): StepNote | null {
  if (attempts.length > 0) return "under_way";
  if (state.settings.mode !== "run") return null;
  if (isTaken(step.step, number, state.settings)) return "not_reached";
  // With `fullVerify` finished steps are tested again, so the omitted ones are omitted by choice.
  return step.status === DONE && !state.settings.fullVerify ? "already_done" : "not_chosen";
}

export interface StepCounts {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  /** Neither failed nor skipped, whatever its earlier attempts resulted in. */
  readonly underWay: number;
  readonly notRun: number;
  /** A subset of `notRun`. */
  readonly alreadyDone: number;
}

export function countOutcomes(outcomes: readonly StepOutcome[]): StepCounts {
  const count = (wanted: StepResult): number =>
    outcomes.filter(({ result, note }) => result === wanted && note !== "under_way").length;
  return {
    total: outcomes.length,
    passed: count("passed"),
    failed: count("failed"),
    underWay: outcomes.filter(({ note }) => note === "under_way").length,
    notRun: count("not_run"),
    alreadyDone: outcomes.filter(({ note }) => note === "already_done").length,
  };
}

export function firstFailure(outcomes: readonly StepOutcome[]): StepOutcome | undefined {
  return outcomes.find(({ result, note }) => result === "failed" && note !== "under_way");
}

export function progressPath({ stepsDir }: Pick<StepsSettings, "stepsDir">): string {
  return join(stepsDir, "run-progress.md");
}
