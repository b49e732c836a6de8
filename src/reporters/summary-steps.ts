import { impasseOf } from "../domain/end.ts";
import type { EndReason } from "../domain/event.ts";
import type { StepsSettings } from "../domain/settings.ts";
import { currentStep, type RunState } from "../domain/state.ts";
import { DONE } from "../domain/step.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { diffCommand } from "../reports/shell-command.ts";
import { listed } from "../reports/step-error.ts";
import {
  countOutcomes,
  firstFailure,
  progressPath,
  stepOutcomes,
  type StepOutcome,
} from "../reports/step-outcome.ts";
import type { Line } from "./page.ts";
import type { Parting } from "./reporter.ts";
import { runAgainCommand } from "./run-steps-command.ts";
import { heldEnd } from "./summary-room.ts";
import { stoppedBy } from "./summary-impasse.ts";
import { afterStuckLines, labelled, noteLine, type End } from "./summary-parts.ts";
import { attemptPlace, currentAttempt, attemptsUsed, stepPlace } from "./wording.ts";

/** How `run` leaves its steps. */
export function stepsEnd(
  state: RunState,
  settings: StepsSettings,
  parting: Parting,
  texts: TerminalTexts,
): End {
  const end = howItEnded(state, settings, parting, texts);
  const file = visible(currentStep(state)?.step.file ?? "");
  const ways = state.ended?.reason === "stuck" ? afterStuckLines(file, "--agents", texts) : [];
  return { ...end, facts: [...end.facts, ...stepFacts(state, settings, texts), ...ways] };
}

function howItEnded(state: RunState, settings: StepsSettings, parting: Parting, texts: TerminalTexts): End {
  const { runId, ended, maxLoops } = state;
  if (ended) return endedBy(ended.reason, state, settings, texts);
  const file = visible(currentStep(state)?.step.file ?? "");
  if (state.question?.about === "oracle") return heldEnd(state, texts);
  if (state.question) {
    const head = texts.steps.endWaiting(`${stepPlace(state)} ${file}`, attemptsUsed(state), maxLoops);
    return {
      head: { text: `? ${head}`, tone: "ask" },
      facts: [],
      next: `agent-foreman decide ${runId} continue 3`,
    };
  }
  const impasse = impasseOf(state.stopped);
  if (impasse !== null) return stoppedBy(impasse, state, parting, texts);
  const at =
    state.step === null ? texts.steps.noStepYet : `${attemptPlace(state, currentAttempt(state))} ${file}`;
  return {
    head: { text: `! ${texts.steps.endInterrupted(state.stopped, at)}`, tone: "warn" },
    facts: [],
    next: `agent-foreman resume ${runId}`,
  };
}

function endedBy(reason: EndReason, state: RunState, settings: StepsSettings, texts: TerminalTexts): End {
  const { steps } = texts;
  const show = `agent-foreman show ${state.runId}`;
  const total = state.steps.length;
  const done = state.steps.filter(({ status }) => status === DONE).length;
  const left = leftFlags(state);
  const again = (choice?: readonly string[]): string =>
    runAgainCommand(settings, settings.calledFrom, choice);
  const goOn = left.length === 0 ? null : again(left);
  const good = (text: string): End => ({
    head: { text: `✓ ${text}`, tone: "good" },
    facts: noteLine(state, texts),
    next: goOn ?? diffCommand(state) ?? show,
  });
  const bad = (text: string, next: string): End => ({
    head: { text: `✗ ${text}`, tone: "bad" },
    facts: noteLine(state, texts),
    next,
  });
  switch (reason) {
    case "accepted":
      return good(steps.endPassed(done, total));
    case "marked_by_person": {
      const marked = state.steps.filter(({ markedDone }) => markedDone).length;
      return state.ended?.status === "manually_passed"
        ? good(steps.endMarkedDone(done, total, marked))
        : bad(steps.endFailed(reason, done, total), show);
    }
    case "stuck": {
      const anyway = ["--on-stuck", "continue"];
      const next = runAgainCommand(settings, settings.calledFrom, undefined, anyway);
      return bad(steps.endFailed(reason, done, total), next);
    }
    case "limit_reached":
      return bad(steps.endFailed(reason, done, total), show);
    // Once the file is mended, the run goes on where work is left.
    case "step_file_changed":
    case "step_file_invalid":
    case "step_write_failed":
    case "cancelled":
      return bad(steps.endFailed(reason, done, total), again());
    case "nothing_to_do":
      return {
        head: {
          text: `- ${steps.endNothingToDo(done, total, settings.chosen?.length ?? null)}`,
          tone: "warn",
        },
        facts: [],
        next: goOn ?? again(["--full-verify"]),
      };
    // The reasons of other modes are never given here.
    case "review_failed":
    case "nothing_asked":
    case "left_unaccepted":
    case "waiting_for_user":
    case "live_agent_failed":
    case "plan_file_missing":
    case "test_cannot_start":
    case "setup_failed":
    case "agent_cannot_start":
    case "plan_file_unreadable":
      return bad(steps.endFailed("limit_reached", done, total), show);
  }
}

/** More numbers than this are not listed. */
const MAX_LISTED = 10;

/** Which steps are not done yet, as flags of `run`: `--only 001,003`. None: all are. */
function leftFlags({ steps }: RunState): readonly string[] {
  const left = steps.flatMap(({ status, step }) => (status === DONE ? [] : [step.number]));
  const [first] = left;
  if (first === undefined) return [];
  return left.length > MAX_LISTED ? ["--from", first] : ["--only", left.join(",")];
}

/** How many steps stand how, what went wrong first, and where to read more. */
export function stepFacts(state: RunState, settings: StepsSettings, texts: TerminalTexts): Line[] {
  const { label, numbers, stuck: stuckText } = texts.steps;
  const outcomes = stepOutcomes(state, texts.lang);
  const { notRun, ...counts } = countOutcomes(outcomes);
  const failed = firstFailure(outcomes);
  const edited = state.steps.filter((step) => step.edited).map(({ step }) => visible(step.file));
  return [
    labelled(label.steps, numbers({ ...counts, notRun: notRun - counts.alreadyDone })),
    ...(failed ? [labelled(label.failed, failureText(failed, texts))] : []),
    ...(failed?.stuck ? [labelled(label.stuck, stuckText(failed.stuck))] : []),
    ...(edited.length > 0
      ? [labelled(label.edited, texts.steps.edited(edited.join(texts.listSeparator)))]
      : []),
    ...unverified(outcomes, texts),
    ...markedBefore(outcomes, texts),
    ...meddled(outcomes, texts),
    { ...labelled(label.progress, visible(progressPath(settings))), isWhole: true },
  ];
}

function unverified(outcomes: readonly StepOutcome[], texts: TerminalTexts): Line[] {
  const files = outcomes
    .filter(({ note }) => note === "not_verified")
    .map(({ state }) => visible(state.step.file));
  const { label, notVerified } = texts.steps;
  return files.length === 0 ? [] : [labelled(label.edited, notVerified(files.join(texts.listSeparator)))];
}

/** In an earlier run: what this one was decided about is in its head. */
function markedBefore(outcomes: readonly StepOutcome[], texts: TerminalTexts): Line[] {
  const files = outcomes
    .filter(({ markedByPerson, note }) => markedByPerson && note !== "marked_by_person")
    .map(({ state }) => visible(state.step.file));
  const { label, markedBefore: say } = texts.steps;
  return files.length === 0 ? [] : [labelled(label.marked, say(files.join(texts.listSeparator)))];
}

/** What a verifier has changed stays until somebody puts it back, and a diff does not show all of it. */
function meddled(outcomes: readonly StepOutcome[], texts: TerminalTexts): Line[] {
  const files = [...new Set(outcomes.flatMap(({ meddledWith }) => meddledWith))];
  const { label, meddledWith } = texts.steps;
  return files.length === 0 ? [] : [labelled(label.edited, meddledWith(listed(files)))];
}

/** `002-service.json step-002: unit test failed …` */
function failureText({ state, error }: StepOutcome, texts: TerminalTexts): string {
  return `${visible(state.step.file)} ${visible(state.step.id)}${texts.colon}${error ?? ""}`;
}
