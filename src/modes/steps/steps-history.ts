import { stepTerms } from "./words/terminal.ts";
import { basename, dirname } from "node:path";
import type {
  AttemptJudged,
  CheckEnded,
  ReviewEnded,
  StepMarked,
  TurnEnded,
  TurnStarted,
} from "../../core/event.ts";
import type { StepsSettings } from "../../core/settings.ts";
import { ExitCode } from "../../platform/outcome.ts";
import { turnSuffices } from "./evidence.ts";
import { sameUnitTest } from "./same-step.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { checkResult } from "../../evidence/verdict.ts";
import { currentStep, lastAttempt, type RunState, type StepState } from "../../core/state.ts";
import { isChosen, isFinished } from "./steps-left.ts";
import { splitLines, visible } from "../../text/text.ts";
import { faultsInARow, MAX_FAULTS_IN_A_ROW } from "./verdict-step.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { refusalText, stepError, verificationError } from "./step-error.ts";
import { agentFacts } from "../../ui/agent-wording.ts";
import { cutToWidth } from "../../ui/format.ts";
import { outputLines, quotedText } from "../../ui/history.ts";
import type { Describe, RunOf, Scene } from "../../ui/mode-view.ts";
import { quoted } from "../../ui/output-lines.ts";
import type { Line } from "../../ui/page.ts";
import { plainHistory, testLines, turnText, resultText } from "../../ui/plain-history.ts";
import { countsText } from "../../ui/room-wording.ts";
import {
  inputStatements,
  leakedStatements,
  leftoverStatements,
  sharedStatements,
  takeoverStatement,
} from "../../ui/shared-history.ts";
import { warns, type Description } from "../../ui/statement.ts";
import { resumeLine, startLines, verifierStatements } from "./steps-head.ts";
import { endText, stepPlace, takesOver, stuckAtStep, stuckText } from "../../ui/wording.ts";

const DESCRIPTION_WIDTH = 80;
const MAX_SAID_LINES = 5;

/** For a person who looks back: turns, tests and verdicts as in every mode, and what only steps have. */
export const recordedSteps: Describe<StepsSettings> = (event, scene, texts) => {
  switch (event.type) {
    case "run_resumed":
      return [...plainHistory(event, scene, texts), ...verifierStatements(event, texts)];
    case "step_started":
    case "step_marked":
      return stepsHistory(event, scene, texts);
    case "step_refused": {
      const text = `${refusalText(event, texts.lang)} (${event.why})`;
      return [
        { subject: "run", text: `${placeOf(event.step, scene.state)}${texts.colon}${text}`, tone: "bad" },
      ];
    }
    case "turn_started":
      return (event.role === "reviewer" ? stepsHistory : plainHistory)(event, scene, texts);
    case "review_ended": {
      const how = event.readOnly ? texts.listSeparator + texts.readOnly : "";
      const text = `${visible(event.agent.name)} ${turnText(event, texts)}${how}`;
      const ended = { subject: "review", attempt: event.attempt, text } as const;
      return [ended, ...stepsHistory(event, scene, texts)];
    }
    default:
      return plainHistory(event, scene, texts);
  }
};

/** A run of steps, for terminals, pipes and CI. The requirements fix its lines to the letter. */
export const stepsHistory: Describe<StepsSettings> = (event, scene, texts) => {
  const { state } = scene;
  switch (event.type) {
    case "run_started":
      return startLines(event, state, texts);
    case "run_resumed":
      return [resumeLine(state, texts), ...resumedStep(state), ...leftoverStatements(event, texts)];
    case "step_started":
      return [
        ...skippedLines(scene.before?.step ?? 0, event.step, state, texts),
        stepLine(state),
        ...(event.regression ? [{ text: stepTerms[texts.lang].regression }] : []),
      ];
    case "run_ended":
      return event.reason === "nothing_to_do" || event.exitCode === ExitCode.accepted
        ? skippedLines(state.step ?? 0, state.steps.length + 1, state, texts)
        : [];
    case "step_marked":
      return markLines(event, scene, texts);
    case "step_refused": {
      const why = refusalText(event, texts.lang);
      return [{ text: `✗ ${placeOf(event.step, state)}${texts.colon}${why}`, tone: "bad" }];
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
    default:
      return sharedStatements(event, scene, texts);
  }
};

/** `[2/3] 002-service.json` */
function placeOf(step: number, { steps }: RunState): string {
  return `[${step}/${steps.length}] ${visible(steps[step - 1]?.step.file ?? "")}`;
}

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

/** Steps between two others that are skipped because their files say they are done. */
function skippedLines(
  after: number,
  before: number,
  state: RunOf<StepsSettings>,
  texts: TerminalTexts,
): Line[] {
  const { settings } = state;
  if (settings.fullVerify) return [];
  return state.steps.flatMap((step, index): Line[] => {
    const number = index + 1;
    if (number <= after || number >= before || !isChosen(state, number)) return [];
    const { skipped, skippedMarked } = stepTerms[texts.lang];
    const why = settings.markedBefore.includes(number) ? skippedMarked : skipped;
    return [{ text: `${stepHead({ ...state, step: number }, step)}  ${why}` }];
  });
}

/** The step that was under way when the run was left. */
function resumedStep(state: RunState): Line[] {
  return state.step === null || isFinished(state, state.step) ? [] : [stepLine(state)];
}

function markLines(event: StepMarked, { state, before }: Scene, texts: TerminalTexts): Description {
  const was = before?.steps[event.step - 1];
  const steps = stepTerms[texts.lang];
  const file = visible(was?.step.file ?? "");
  const begun = lastAttempt(state);
  const begins = before !== undefined && state.attempts.length > before.attempts.length && begun;
  const recorded = was && event.unitTest && !sameUnitTest(was.unitTest, event.unitTest);
  return [
    ...(event.edited ? [warns("run", steps.edited(file))] : []),
    ...(recorded ? [{ text: steps.unitTestRecorded(visible(event.unitTest.command)) }] : []),
    ...(was && was.status !== event.status ? [{ text: steps.status(was.status, event.status) }] : []),
    ...(begins ? [{ text: steps.attempt(stepPlace(state), begun.index, state.maxLoops) }] : []),
  ];
}

function turnLines(event: TurnStarted, state: RunState, texts: TerminalTexts): Description {
  const { role, agent } = event;
  if (role === "reviewer")
    return [{ subject: "review", text: stepTerms[texts.lang].reviewStarts(visible(agent ?? "")) }];
  return takesOver(agent, state) ? [takeoverStatement(event, texts)] : [];
}

/** A turn that succeeded needs no line, because its test comes next. */
function workLines(
  { agent, process, changedInputs }: TurnEnded,
  state: RunOf<StepsSettings>,
  texts: TerminalTexts,
): Description {
  const worked = succeeded(process.end) && agent?.failure == null;
  const facts = agentFacts(agent, texts);
  const how = succeeded(process.end) ? facts : [...facts, endText(process.end, texts)];
  return [
    ...(worked ? facts.map((fact) => warns("agent", fact)) : []),
    ...(worked
      ? []
      : [{ text: stepTerms[texts.lang].turnFailed(how.join(texts.listSeparator)), tone: "bad" } as const]),
    ...quotedText(agent?.failure?.message ?? "", MAX_SAID_LINES, texts),
    ...stepInputLines(changedInputs, state, texts),
    ...leakedStatements(process.leaked, texts),
  ];
}

function checkLines(check: CheckEnded, { state, failed }: Scene, texts: TerminalTexts): Description {
  const { process, output, room } = check;
  const result = checkResult(check, lastAttempt(state), state);
  const { unitTestPassed, unitTestFailed } = stepTerms[texts.lang];
  const leaked = leakedStatements(process.leaked, texts);
  const passed = result !== "failed";
  const counts = [countsText(check, texts), room?.baseTests ? texts.room.onlyWithCandidateTests : null];
  const seen = passed
    ? counts.filter((text) => text !== null).join(texts.listSeparator) || null
    : room
      ? resultText(check, result, texts)
      : null;
  // Appears below the line that the requirements fix to the letter.
  const tests = [...(seen === null ? [] : [{ text: `  ${seen}` }]), ...testLines(check, texts)];
  if (passed) return [{ text: unitTestPassed, tone: "good" }, ...tests, ...leaked];
  const shown = outputLines(failed ?? { lines: [], path: output.path }, texts);
  return [{ text: unitTestFailed, tone: "bad" }, ...tests, ...shown, ...leaked];
}

function reviewLines(event: ReviewEnded, state: RunOf<StepsSettings>, texts: TerminalTexts): Description {
  const { items, agent, readOnly, process, changedInputs } = event;
  const current = currentStep(state);
  const attempt = lastAttempt(state);
  const error = current ? verificationError(event, current, texts.lang) : "";
  const after = [
    ...(event.changed === null ? [warns("run", stepTerms[texts.lang].notCompared)] : []),
    ...stepInputLines(changedInputs, state, texts),
    ...leakedStatements(process.leaked, texts),
  ];
  if (error === "") {
    const passed = stepTerms[texts.lang].reviewPassed(items.length, visible(agent.name), readOnly);
    return [...passed.map((text) => ({ subject: "review", text, tone: "good" }) as const), ...after];
  }
  // A single failed item is in the line already.
  const failed = items.filter((item) => !item.passed);
  const found =
    failed.length < 2 ? [] : failed.map(({ item, evidence }) => quoted(`${item}. ${visible(evidence)}`));
  const faults = attempt ? faultsInARow(attempt) : 0;
  const again =
    faults > 0 && faults < MAX_FAULTS_IN_A_ROW
      ? [
          {
            text: `~ ${stepTerms[texts.lang].reviewAgain(faults + 1, MAX_FAULTS_IN_A_ROW)}`,
            tone: "warn",
          } as const,
        ]
      : [];
  return [
    { subject: "review", text: stepTerms[texts.lang].reviewFailed(error), tone: "bad" },
    ...found,
    ...after,
    ...again,
  ];
}

function verdictLines({ verdict }: AttemptJudged, state: RunState, texts: TerminalTexts): Description {
  const attempt = lastAttempt(state);
  const current = currentStep(state);
  if (!attempt || !current) return [];
  const steps = stepTerms[texts.lang];
  if (verdict === "accepted") {
    if (attempt.index === 0) return [{ text: steps.staysDone, tone: "good" }];
    const how = turnSuffices(attempt, state) ? steps.workedAfter : steps.passedAfter;
    return [{ text: how(attempt.index), tone: "good" }];
  }
  const stuck = stuckText(stuckAtStep(attempt, state), texts);
  return [
    { text: steps.roundFailed(stepError(attempt, current, texts.lang)), tone: "bad" },
    ...(stuck === null ? [] : [warns("run", stuck)]),
    ...(attempt.index === 0 ? [warns("run", steps.reopened)] : []),
  ];
}

/** Changed step files are read when their turn comes. */
function stepInputLines(
  changed: readonly string[],
  { settings }: RunOf<StepsSettings>,
  texts: TerminalTexts,
): Description {
  const isStep = (path: string): boolean => dirname(path) === settings.stepsDir;
  const steps = changed.filter(isStep).map((path) => visible(basename(path)));
  return [
    ...(steps.length === 0 ? [] : [warns("run", stepTerms[texts.lang].filesChanged(steps))]),
    ...inputStatements(
      changed.filter((path) => !isStep(path)),
      texts,
    ),
  ];
}
