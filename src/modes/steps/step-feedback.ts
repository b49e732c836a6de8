import { excerptsOf } from "../../engine/feedback.ts";
import type { WriteFeedback } from "../../engine/ports.ts";
import { checkPassed } from "../../evidence/verdict.ts";
import type { StepsSettings } from "../../core/settings.ts";
import { attemptsAt, currentStep, type Attempt, type RunState } from "../../core/state.ts";
import { DONE, DOING, TODO } from "../../core/step.ts";
import { stuckAfter } from "../../evidence/stuck.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { sharedPromptTexts } from "../words/prompt-parts.ts";
import { stepWords } from "./words/step-words.ts";
import { agentLines, failedCheckLines, turnLines, type FeedbackInput } from "../feedback.ts";
import { reasonWords, roomLines } from "../../evidence/report/room-feedback.ts";
import { isRefusedByRoom, stepError } from "./step-error.ts";

export const writeStepFeedback: WriteFeedback = (state, attempt, verdict, safe) => {
  const settings = state.settings as StepsSettings;
  return stepFeedback({ state, settings, attempt, verdict, excerpts: excerptsOf(attempt, safe) });
};

/** Feedback on the last attempt at a step for the next worker. Empty if it did not fail. */
export function stepFeedback(input: FeedbackInput<StepsSettings>): string {
  const { state, settings, attempt, verdict, excerpts } = input;
  const current = currentStep(state);
  if (verdict.verdict === "accepted" || !current) return "";
  const words = stepWords[settings.lang];
  const text = feedbackTexts[settings.lang];
  const failed = attempt.checks.find((check) => !checkPassed(check));
  const { reasons } = verdict;
  const isRefused = isRefusedByRoom(attempt, current, settings.lang);
  const error = isRefused
    ? reasons.map((reason) => reasonWords(reason, state, attempt, settings.lang)).join("; ")
    : stepError(attempt, current, settings.lang);
  const by = isRefused
    ? text.reasons
    : attempt.review
      ? words.verificationError
      : failed
        ? words.unitTest
        : words.aiError;
  const from = attempt.index === 0 ? DONE : statusBefore(attempt, state);
  const circles = stuckAfter(attemptsAt(state, attempt.step), attempt, verdict);
  const lines = [
    `# ${words.previousFailure}`,
    "",
    `- ${attempt.index === 0 ? words.regression : words.attempt(attempt.index, state.maxLoops)}`,
    `- ${words.statuses(from, TODO)}`,
    `- ${by}: ${error} (${reasons.join(", ")})`,
    ...(failed ? [`- ${words.unitTestCommand}: ${failed.process.command}`] : []),
    ...(circles ? ["", sharedPromptTexts[settings.lang].stuck(circles)] : []),
    ...agentLines(attempt, text),
    ...roomLines(state, attempt, { reasons, lang: settings.lang }),
    ...(failed ? failedCheckLines(failed, excerpts.check, text) : []),
    ...turnLines(input, text),
    "",
    words.repair,
  ];
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

/** The status in the step's file when the attempt began. */
function statusBefore(attempt: Attempt, state: RunState): string {
  const first = attempt.index === 1 && attemptsAt(state, attempt.step).length === 1;
  return first ? (currentStep(state)?.step.status ?? DOING) : TODO;
}
