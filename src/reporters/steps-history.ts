import type {
  AttemptJudged,
  CheckEnded,
  ReviewEnded,
  StepMarked,
  TurnEnded,
  TurnStarted,
} from "../domain/event.ts";
import { ExitCode } from "../domain/outcome.ts";
import { turnSuffices } from "../domain/evidence.ts";
import { sameUnitTest } from "../domain/steps/same-step.ts";
import { succeeded } from "../domain/process-end.ts";
import { checkResult } from "../domain/room/verdict.ts";
import { currentStep, lastAttempt, type RunState, type StepState } from "../domain/state.ts";
import { isChosen, isFinished } from "../domain/steps-left.ts";
import { splitLines, visible } from "../domain/text.ts";
import { faultsInARow, MOST_FAULTS } from "../domain/verifier-faults.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { refusalText, stepError, verificationError } from "../reports/step-error.ts";
import { agentFacts } from "./agent-wording.ts";
import { cutToWidth } from "./format.ts";
import { outputLines, quotedText, type History, type Scene } from "./history.ts";
import { quoted } from "./output-lines.ts";
import type { Line } from "./page.ts";
import { testLines } from "./plain-history.ts";
import { resultText } from "./check-result.ts";
import { countsText } from "./room-wording.ts";
import { inputLines, leakedLines, leftoverLines, sharedLines, warning } from "./shared-history.ts";
import { resumeLine, startLines } from "./steps-head.ts";
import { attemptPlace, endText, stepPlace, takesOver, stuckText } from "./wording.ts";

const DESCRIPTION_WIDTH = 80;
const MAX_SAID_LINES = 5;

/** A run of steps, for terminals, pipes and CI alike: its lines are known to the letter. */
export const stepsHistory: History = (event, scene, texts) => {
  const { state } = scene;
  switch (event.type) {
    case "run_started":
      return startLines(event, state, texts);
    case "run_resumed":
      return [resumeLine(state, texts), ...resumedStep(state), ...leftoverLines(event, texts)];
    case "step_started":
      return [
        ...skippedLines(scene.before?.step ?? 0, event.step, state, texts),
        stepLine(state),
        ...(event.regression ? [{ text: texts.steps.regression }] : []),
      ];
    case "run_ended":
      return event.reason === "nothing_to_do" || event.exitCode === ExitCode.accepted
        ? skippedLines(state.step ?? 0, state.steps.length + 1, state, texts)
        : [];
    case "step_marked":
      return markLines(event, scene, texts);
    case "step_refused": {
      const file = visible(currentStep(state)?.step.file ?? "");
      const why = refusalText(event, texts.lang);
      return [{ text: `✗ ${stepPlace(state)} ${file}${texts.colon}${why}`, tone: "bad" }];
    }
    case "turn_started":
      return turnLines(event, state, texts);
    case "turn_ended":
      return workLines(event, state, texts);
    case "check_ended":
      return checkLines(event, scene, texts);
    case "review_ended":
      return reviewLines(event, state, texts);
    case "attempt_judged":
      return verdictLines(event, state, texts);
    // Of runs of another mode.
    case "steps_written":
    case "main_ended":
    case "board_edited":
      return [];
    default:
      return sharedLines(event, scene, texts);
  }
};

/** `[2/3] 002-service.json step-002  🔴 待完成  Add the refund service` */
function stepLine(state: RunState): Line {
  const current = currentStep(state);
  if (!current) return { text: stepPlace(state) };
  const [first = ""] = splitLines(current.step.description.trim());
  const about = cutToWidth(visible(first), DESCRIPTION_WIDTH);
  return { text: `${stepHead(state, current)}  ${about}` };
}

function stepHead(state: RunState, { step, status }: StepState): string {
  return `${stepPlace(state)} ${visible(step.file)} ${visible(step.id)}  ${status}`;
}

/** Steps between two others that are passed over because their files say they are done. */
function skippedLines(after: number, before: number, state: RunState, texts: TerminalTexts): Line[] {
  const { settings } = state;
  if (settings.mode !== "run" || settings.fullVerify) return [];
  return state.steps.flatMap((step, index): Line[] => {
    const number = index + 1;
    if (number <= after || number >= before || !isChosen(state, number)) return [];
    const { skipped, skippedMarked } = texts.steps;
    const why = settings.markedBefore.includes(number) ? skippedMarked : skipped;
    return [{ text: `${stepHead({ ...state, step: number }, step)}  ${why}` }];
  });
}

/** The step that was under way when the run was left. */
function resumedStep(state: RunState): Line[] {
  return state.step === null || isFinished(state, state.step) ? [] : [stepLine(state)];
}

function markLines(event: StepMarked, { state, before }: Scene, texts: TerminalTexts): Line[] {
  const was = before?.steps[event.step - 1];
  const { steps } = texts;
  const file = visible(was?.step.file ?? "");
  const begun = lastAttempt(state);
  const begins = before !== undefined && state.attempts.length > before.attempts.length && begun;
  const recorded = was && event.unitTest && !sameUnitTest(was.unitTest, event.unitTest);
  return [
    ...(event.edited ? [warning(steps.edited(file))] : []),
    ...(recorded ? [{ text: steps.unitTestRecorded(visible(event.unitTest.command)) }] : []),
    ...(was && was.status !== event.status ? [{ text: steps.status(was.status, event.status) }] : []),
    ...(begins ? [{ text: steps.attempt(stepPlace(state), begun.index, state.maxLoops) }] : []),
  ];
}

function turnLines({ role, agent, attempt }: TurnStarted, state: RunState, texts: TerminalTexts): Line[] {
  const name = visible(agent ?? "");
  if (role === "reviewer") return [{ text: texts.steps.reviewStarts(name) }];
  if (!takesOver(agent, state)) return [];
  return [{ text: `~ ${attemptPlace(state, attempt)} ${texts.takesOver(name)}`, tone: "warn" }];
}

/** Of a turn that went well there is nothing to tell: what it is worth is tested next. */
function workLines(
  { agent, process, changedInputs }: TurnEnded,
  state: RunState,
  texts: TerminalTexts,
): Line[] {
  const worked = succeeded(process.end) && agent?.failure == null;
  const facts = agentFacts(agent, texts);
  const how = succeeded(process.end) ? facts : [...facts, endText(process.end, texts)];
  return [
    ...(worked ? facts.map(warning) : []),
    ...(worked
      ? []
      : [{ text: texts.steps.turnFailed(how.join(texts.listSeparator)), tone: "bad" } as const]),
    ...quotedText(agent?.failure?.message ?? "", MAX_SAID_LINES, texts),
    ...inputLines(changedInputs, state, texts),
    ...leakedLines(process, texts),
  ];
}

function checkLines(check: CheckEnded, { state, failed }: Scene, texts: TerminalTexts): Line[] {
  const { process, output, room } = check;
  const result = checkResult(check, lastAttempt(state), state);
  const { unitTestPassed, unitTestFailed } = texts.steps;
  const leaked = leakedLines(process, texts);
  const passed = result !== "failed";
  const counts = [countsText(check, texts), room?.frozen ? texts.room.onlyOwn : null];
  const seen = passed
    ? counts.filter((text) => text !== null).join(texts.listSeparator) || null
    : room
      ? resultText(check, result, texts)
      : null;
  // Below the line that is known to the letter.
  const tests = [...(seen === null ? [] : [{ text: `  ${seen}` }]), ...testLines(check, texts)];
  if (passed) return [{ text: unitTestPassed, tone: "good" }, ...tests, ...leaked];
  const shown = outputLines(failed ?? { lines: [], path: output.path }, texts);
  return [{ text: unitTestFailed, tone: "bad" }, ...tests, ...shown, ...leaked];
}

function reviewLines(event: ReviewEnded, state: RunState, texts: TerminalTexts): Line[] {
  const { items, agent, readOnly, process, changedInputs } = event;
  const current = currentStep(state);
  const attempt = lastAttempt(state);
  const error = current ? verificationError(event, current, texts.lang) : "";
  const after = [
    ...(event.changed === null ? [warning(texts.steps.notCompared)] : []),
    ...inputLines(changedInputs, state, texts),
    ...leakedLines(process, texts),
  ];
  if (error === "") {
    const passed = texts.steps.reviewPassed(items.length, visible(agent.name), readOnly);
    return [...passed.map((text): Line => ({ text, tone: "good" })), ...after];
  }
  // A single one stands in the line already.
  const failed = items.filter((item) => !item.passed);
  const found =
    failed.length < 2 ? [] : failed.map(({ item, evidence }) => quoted(`${item}. ${visible(evidence)}`));
  const faults = attempt ? faultsInARow(attempt) : 0;
  const again =
    faults > 0 && faults < MOST_FAULTS
      ? [{ text: `~ ${texts.steps.reviewAgain(faults + 1, MOST_FAULTS)}`, tone: "warn" } as const]
      : [];
  return [{ text: texts.steps.reviewFailed(error), tone: "bad" }, ...found, ...after, ...again];
}

function verdictLines({ verdict }: AttemptJudged, state: RunState, texts: TerminalTexts): Line[] {
  const attempt = lastAttempt(state);
  const current = currentStep(state);
  if (!attempt || !current) return [];
  const { steps } = texts;
  if (verdict === "accepted") {
    if (attempt.index === 0) return [{ text: steps.staysDone, tone: "good" }];
    const how = turnSuffices(attempt, state) ? steps.workedAfter : steps.passedAfter;
    return [{ text: how(attempt.index), tone: "good" }];
  }
  const stuck = stuckText(attempt, state, texts);
  return [
    { text: steps.roundFailed(stepError(attempt, current, texts.lang)), tone: "bad" },
    ...(stuck === null ? [] : [warning(stuck)]),
    ...(attempt.index === 0 ? [warning(steps.reopened)] : []),
  ];
}
