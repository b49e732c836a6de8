import { stepTerms } from "./words/terminal.ts";
import type { EndReason, Impasse } from "../../core/event.ts";
import type { StepsSettings } from "../../core/settings.ts";
import { currentStep, lastAttempt, type RunState } from "../../core/state.ts";
import { DONE } from "../../core/step.ts";
import { listed, visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { diffCommand, resumeCommand } from "../../ui/shell-command.ts";
import { verificationError } from "./step-error.ts";
import { countOutcomes, firstFailure, progressPath, stepOutcomes, type StepOutcome } from "./step-outcome.ts";
import type { RunOf } from "../../ui/mode-view.ts";
import type { Line } from "../../ui/page.ts";
import type { Parting } from "../../engine/reporter.ts";
import { runAgainCommand } from "./run-steps-command.ts";
import {
  afterStuckLines,
  continued,
  endWith,
  interruptedEnd,
  labelled,
  noteLine,
  row,
  type End,
} from "../../ui/summary-parts.ts";
import { stepAttemptPlace, currentAttempt, attemptsUsed, stepPlace } from "../../ui/wording.ts";

export function stepsAsked(state: RunOf<StepsSettings>, _parting: Parting, texts: TerminalTexts): End {
  const place = `${stepPlace(state)} ${fileText(state)}`;
  const text = stepTerms[texts.lang].endWaiting(place, attemptsUsed(state), state.maxLoops);
  return endWith("?", text, `agent-foreman decide ${state.runId} continue 3`);
}

export function stepsInterrupted(state: RunOf<StepsSettings>, texts: TerminalTexts): End {
  const { step, stopped } = state;
  const place = `${stepAttemptPlace(state, currentAttempt(state))} ${fileText(state)}`;
  const at = step === null ? stepTerms[texts.lang].noStepYet : place;
  return interruptedEnd(stepTerms[texts.lang].endInterrupted(stopped, at), state);
}

/** Each verifier's faults, the same words once, and a note that the work need not be done again. */
export function stepsImpasse(impasse: Impasse, state: RunState, texts: TerminalTexts): End | null {
  if (impasse !== "no_verdict") return null;
  const { endNoVerdict, verifyAgain } = stepTerms[texts.lang];
  const { faultyReviews = [], faultsForgiven = 0 } = lastAttempt(state) ?? {};
  const faults = faultyReviews.slice(faultsForgiven);
  const step = currentStep(state);
  const errors = step ? faults.map((review) => verificationError(review, step, texts.lang)) : [];
  const rows = [...new Set(errors)].map((error) => row("why", error, texts));
  return endWith("!", endNoVerdict(faults.length), resumeCommand(state), [...rows, continued(verifyAgain)]);
}

function fileText(state: RunState): string {
  return visible(currentStep(state)?.step.file ?? "");
}

export function stepsEnd(
  reason: EndReason,
  state: RunOf<StepsSettings>,
  _parting: Parting,
  texts: TerminalTexts,
): End {
  const steps = stepTerms[texts.lang];
  const { settings } = state;
  const show = `agent-foreman show ${state.runId}`;
  const total = state.steps.length;
  const done = state.steps.filter(({ status }) => status === DONE).length;
  const left = leftFlags(state);
  const again = (choice?: readonly string[]): string =>
    runAgainCommand(settings, settings.calledFrom, choice);
  const goOn = left.length === 0 ? null : again(left);
  const note = noteLine(state, texts);
  const good = (text: string): End => endWith("✓", text, goOn ?? diffCommand(state) ?? show, note);
  const bad = (how: keyof typeof steps.failed, next: string): End =>
    endWith("✗", steps.endFailed(steps.failed[how], done, total), next, note);
  switch (reason) {
    case "accepted":
      return good(steps.endPassed(done, total));
    case "marked_by_person": {
      const marked = state.steps.filter(({ markedDone }) => markedDone).length;
      return state.ended?.status === "manually_passed"
        ? good(steps.endMarkedDone(done, total, marked))
        : bad(reason, show);
    }
    case "stuck": {
      const anyway = ["--on-stuck", "continue"];
      const next = runAgainCommand(settings, settings.calledFrom, undefined, anyway);
      return { ...bad(reason, next), ways: afterStuckLines(fileText(state), "--agents", texts) };
    }
    // Once the file is fixed, the run goes on with the work that is left.
    case "step_file_changed":
    case "step_file_invalid":
    case "step_write_failed":
    case "cancelled":
      return bad(reason, again());
    case "nothing_to_do": {
      const text = steps.endNothingToDo(done, total, settings.chosen?.length ?? null);
      const end = endWith("-", text, goOn ?? again(["--full-verify"]));
      return { ...end, head: { ...end.head, tone: "warn" } };
    }
    default:
      return bad("limit_reached", show);
  }
}

/** A longer list of numbers is not shown. */
const MAX_LISTED = 10;

/** Steps that are not done yet, as flags of `run`: `--only 001,003`. None: all are. */
function leftFlags({ steps }: RunState): readonly string[] {
  const left = steps.flatMap(({ status, step }) => (status === DONE ? [] : [step.number]));
  const [first] = left;
  if (first === undefined) return [];
  return left.length > MAX_LISTED ? ["--from", first] : ["--only", left.join(",")];
}

/** The number of steps in each state, the first failure, and where to read more. */
export function stepFacts(state: RunOf<StepsSettings>, texts: TerminalTexts): Line[] {
  const { label, numbers, edited, notVerified, markedBefore, meddledWith } = stepTerms[texts.lang];
  const outcomes = stepOutcomes(state, texts.lang);
  const { notRun, ...counts } = countOutcomes(outcomes);
  const failed = firstFailure(outcomes);
  const about = (title: string, say: (files: string) => string, files: readonly string[]): readonly Line[] =>
    files.length === 0 ? [] : [labelled(title, say(files.join(texts.listSeparator)))];
  const filesOf = (isWanted: (outcome: StepOutcome) => boolean): readonly string[] =>
    outcomes.filter(isWanted).map(({ state: { step } }) => visible(step.file));
  const meddled = [...new Set(outcomes.flatMap((outcome) => outcome.meddledWith))];
  return [
    labelled(label.steps, numbers({ ...counts, notRun: notRun - counts.alreadyDone })),
    ...(failed ? [labelled(label.failed, failureText(failed, texts))] : []),
    ...(failed?.stuck ? [labelled(label.stuck, texts.stuck(failed.stuck))] : []),
    ...about(
      label.edited,
      edited,
      filesOf((outcome) => outcome.state.edited),
    ),
    ...about(
      label.edited,
      notVerified,
      filesOf(({ note }) => note === "not_verified"),
    ),
    // Decisions of earlier runs. This run's decisions are in its head.
    ...about(
      label.marked,
      markedBefore,
      filesOf(({ markedByPerson, note }) => markedByPerson && note !== "marked_by_person"),
    ),
    // A verifier's changes stay until a person restores the files, and a diff does not show all of them.
    ...(meddled.length === 0 ? [] : [labelled(label.edited, meddledWith(listed(meddled)))]),
    { ...labelled(label.progress, visible(progressPath(state.settings))), isWhole: true },
  ];
}

/** `002-service.json step-002: unit test failed …` */
function failureText({ state, error }: StepOutcome, texts: TerminalTexts): string {
  return `${visible(state.step.file)} ${visible(state.step.id)}${texts.colon}${error ?? ""}`;
}
