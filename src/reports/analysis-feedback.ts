import type { AnalyzeSettings } from "../domain/settings.ts";
import type { Attempt } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { Verdict } from "../domain/verdict.ts";
import { feedbackTexts } from "../i18n/feedback.ts";
import { analysisProblemText } from "../i18n/step-problems.ts";
import { stepWords } from "../i18n/step-words.ts";
import { agentLines } from "./feedback.ts";
import { listed } from "./step-error.ts";

/** Why an answer cannot be used as steps, for the one who answers next. */
export function analysisFeedback({ lang }: AnalyzeSettings, attempt: Attempt, verdict: Verdict): string {
  if (verdict.verdict === "accepted") return "";
  const text = feedbackTexts[lang];
  const product = attempt.turn?.product;
  const { problem, changed } = product?.kind === "analysis" ? product : { problem: null, changed: null };
  const lines = [
    `# ${stepWords[lang].answerUnusable}`,
    "",
    ...verdict.reasons.map((reason) => `- ${text.reason[reason]} (${reason})`),
    ...(problem ? [`- ${visible(analysisProblemText(problem, lang))}`] : []),
    ...(changed !== null && changed.length > 0 ? [`- ${listed(changed)}`] : []),
    ...agentLines(attempt, text),
  ];
  return `${lines.join("\n")}\n`;
}
