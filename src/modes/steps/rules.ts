import { evidenceRules } from "../../evidence/rules.ts";
import type { ReviewEnded, EventOwnedBy, RunEvent } from "../../core/event.ts";
import { untouched, withEdits, withFaultsForgiven, withReview, withStep, withVerifiers } from "./fold.ts";
import {
  whyNoMark,
  whyNoRefusal,
  whyNoReview,
  whyNoStep,
  whyNoStepTurn,
  whyNotAfterRefusal,
  whyNotAllDone,
} from "./legality.ts";
import type { ModeRules } from "../../core/mode.ts";
import type { StepsSettings } from "../../core/settings.ts";
import { lastAttempt, newAttempt, withAttempt, type RunState } from "../../core/state.ts";
import { DOING } from "../../core/step.ts";
import { nothingLeft } from "./steps-left.ts";
import { judgeStep } from "./verdict-step.ts";
import { nextStep } from "./policy.ts";
import { stepEvidence, unitTestsDue } from "./evidence.ts";

export const stepsRules: ModeRules<StepsSettings> = {
  name: "run",
  turnResult: "step_work",
  claims: false,
  movesBase: true,
  hasPerson: false,
  knowsTestsAtStart: false,
  // A re-opened step's earlier acceptance no longer counts.
  stillAccepted: (accepted) =>
    accepted.filter(({ step }, at) => !accepted.slice(at + 1).some((later) => later.step === step)),
  prompts: ({ prompts }) => Object.values(prompts),
  begin: ({ steps }) => ({ steps: steps.map(untouched) }),
  next: nextStep,
  fold: (after, event, { before, at }) => foldStep(after, event, before, at),
  verdict(state, attempt) {
    const evidence = stepEvidence(attempt, state);
    return evidence && judgeStep(evidence);
  },
  // A step's test is written while the step is in progress.
  baseCommands: () => [],
  testCommands: ({ steps }) => steps.flatMap(({ unitTest }) => unitTest?.command ?? []),
  commandsDue(state, phase) {
    const attempt = lastAttempt(state);
    return attempt && phase === "unit" ? unitTestsDue(state, attempt) : [];
  },
  checksWithoutTurn: (_, { index }) => index === 0,
  testsDecide: true,
  protectsTests: () => true,
  // An earlier run may have done the work of a step without a verdict.
  expectsChange: ({ index, step }, { unjudgedBefore }) =>
    index > 0 && unjudgedBefore?.includes(step ?? 0) !== true,
  evidence: evidenceRules,
  legality: {
    any: whyNotAfterRefusal,
    own(state, event: EventOwnedBy<"run">) {
      switch (event.type) {
        case "step_started":
          return whyNoStep(state, event);
        case "step_marked":
          return whyNoMark(state, event);
        case "step_refused":
          return whyNoRefusal(state, event.step);
      }
    },
    turn: whyNoStepTurn,
    review: whyNoReview,
    question: (state) => (lastAttempt(state)?.judged ? null : "there is nothing to ask"),
    passed(state, { reason }) {
      if (reason === "nothing_to_do") return nothingLeft(state) ? null : "steps are left";
      return reason === "accepted" ? whyNotAllDone(state, false) : "the reason does not fit the status";
    },
    manuallyPassed: (state) => whyNotAllDone(state, true),
  },
};

function foldStep(after: RunState, event: RunEvent, before: RunState, at: string): RunState {
  switch (event.type) {
    case "run_resumed": {
      const settings = withVerifiers(after.settings, event.verifiers);
      return { ...(before.stopped === "no_verdict" ? withFaultsForgiven(after) : after), settings };
    }
    case "turn_ended":
      return withEdits(after, event.changedInputs);
    case "review_ended":
      return withEdits(withReviewOf(before, after, event), event.changedInputs);
    case "step_started": {
      const { step, regression } = event;
      const begun = { ...after, step, maxLoops: after.settings.maxLoops };
      return regression ? withAttempt(begun, newAttempt(step, 0, at)) : begun;
    }
    case "step_marked": {
      const { step, status, unitTest, sha256, edited } = event;
      const marked = withStep(after, step, (known) => ({
        status,
        unitTest,
        sha256,
        edited: known.edited || edited,
      }));
      const last = lastAttempt(after);
      const begins = status === DOING && (last?.step !== step || last.judged !== null);
      if (!begins) return marked;
      return withAttempt(marked, newAttempt(step, (last?.step === step ? last.index : 0) + 1, at));
    }
    case "step_refused":
      return { ...withStep(after, event.step, () => ({ refused: event })), step: event.step };
    case "question_answered":
      return event.answer.kind === "mark_pass"
        ? withStep(after, after.step, () => ({ markedDone: true }))
        : after;
    default:
      return after;
  }
}

/** A review that failed by the verifier's own fault does not count: the previous one stays. */
function withReviewOf(before: RunState, after: RunState, event: ReviewEnded): RunState {
  return withReview({ ...after, attempts: before.attempts }, event);
}
