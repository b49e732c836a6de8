import type { AnalyzeSettings } from "../../core/settings.ts";
import type { Attempt } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { Verdict } from "../../core/verdict.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { analysisProblemText } from "./words/step-problems.ts";
import { stepWords } from "./words/step-words.ts";
import { agentLines } from "../feedback.ts";
import { listed } from "./step-error.ts";

/** Explains to the next worker why an answer is unusable as steps. */
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
