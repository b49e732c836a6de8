import type { SuperviseSettings } from "../../core/settings.ts";
import type { Attempt } from "../../core/state.ts";
import { feedbackTexts, type FeedbackTexts } from "../../core/words/feedback.ts";
import { excerptsOf } from "../../engine/feedback.ts";
import type { WriteFeedback } from "../../engine/ports.ts";
import { reasonWords, roomLines } from "../../evidence/report/room-feedback.ts";
import { stuckAfter } from "../../evidence/stuck.ts";
import { checkPassed } from "../../evidence/verdict.ts";
import { visible } from "../../text/text.ts";
import { agentLines, failedCheckLines, turnLines, type FeedbackInput } from "../feedback.ts";
import { sharedPromptTexts } from "../words/prompt-parts.ts";

export const writeSuperviseFeedback: WriteFeedback = (state, attempt, verdict, safe) => {
  const settings = state.settings as SuperviseSettings;
  return feedbackMarkdown({ state, settings, attempt, verdict, excerpts: excerptsOf(attempt, safe) });
};

/** Builds the feedback for the next attempt. Excerpts bound its size. Foreign text is quoted line by line and cannot break out of the quote. */
export function feedbackMarkdown(input: FeedbackInput<SuperviseSettings>): string {
  const { state, settings, attempt, verdict, excerpts } = input;
  const text = feedbackTexts[settings.lang];
  const failed = attempt.checks.find((check) => !checkPassed(check));
  const stuck = stuckAfter(state.attempts, attempt, verdict);
  const lines = [
    `# ${text.title(attempt.index, state.maxLoops, verdict.verdict === "accepted")}`,
    "",
    ...claimLines(attempt, text),
    ...(verdict.reasons.length > 0 ? ["", `## ${text.reasons}`, ""] : []),
    ...verdict.reasons.map((reason) => `- ${reasonWords(reason, state, attempt, settings.lang)} (${reason})`),
    ...(stuck ? ["", sharedPromptTexts[settings.lang].stuck(stuck)] : []),
    ...agentLines(attempt, text),
    ...(verdict.verdict === "accepted"
      ? []
      : roomLines(state, attempt, { reasons: verdict.reasons, lang: settings.lang })),
    ...(failed ? failedCheckLines(failed, excerpts.check, text) : []),
    ...turnLines(input, text),
    ...protocolLines(settings, text),
    ...(fullTestsWaited(input) ? ["", text.fullNotRun] : []),
  ];
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}

/** A named agent gets the protocol in its prompt, every time. */
function protocolLines(settings: SuperviseSettings, text: FeedbackTexts): string[] {
  if (settings.prompt !== null) return [];
  return ["", `## ${text.protocolTitle}`, "", ...text.protocol(...markerNames(settings))];
}

function markerNames({ nonce }: SuperviseSettings): [string, string] {
  // With nonces the value changes every turn. The turn's environment says what to write in the brackets.
  const suffix = nonce ? "[$GA_NONCE_1$GA_NONCE_2]" : "";
  return [`GA_STATUS${suffix}`, `GA_EVIDENCE${suffix}`];
}

function claimLines(attempt: Attempt, text: FeedbackTexts): string[] {
  const claim = attempt.turn?.claim;
  if (!claim || claim.status === null) return [];
  if (claim.status === "invalid") return [text.invalidStatus(visible(claim.statusText ?? ""))];
  return [text.claimed(claim.status, claim.evidence === null ? null : visible(claim.evidence))];
}

function fullTestsWaited({ attempt, settings }: FeedbackInput<SuperviseSettings>): boolean {
  const ran = attempt.checks.some((check) => check.phase === "full");
  return !ran && settings.testFull.length > 0;
}
