import { join } from "node:path";
import type { AnalyzeSettings } from "../../core/settings.ts";
import { lastAttempt, type Attempt, type RunState } from "../../core/state.ts";
import { directoryName } from "./step-names.ts";
import { readAnalysis } from "./analysis.ts";
import { analyzePrompt } from "./step-prompts.ts";
import { previousFeedback } from "../../engine/feedback.ts";
import type { Verdict } from "../../core/verdict.ts";
import { listed, visible } from "../../text/text.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { analysisProblemText } from "./words/step-problems.ts";
import { stepWords } from "./words/step-words.ts";
import { agentLines } from "../feedback.ts";
import type { Assignment } from "../../engine/assignment.ts";
import type { RunContext, ModeWork } from "../../engine/ports.ts";
import { changeInWholeTree, wholeTree } from "../../engine/tree-change.ts";
import { keptInput } from "../../engine/turn-files.ts";
import { analyzeRules } from "./analyze-rules.ts";
import { analyzeReport } from "./analyze-report.ts";
import { writeSteps } from "./write-steps.ts";

export const analyzeWork: ModeWork<AnalyzeSettings> = {
  rules: analyzeRules,
  restrictsWorker: true,
  forksReview: false,
  inputFiles: ({ requirements }) => [requirements.path],
  treeBefore: (_role, _state, _settings, { tree }) => wholeTree(tree.snapshot()),
  assignment: analyzeAssignment,
  async perform(decision, state, context) {
    if (decision.do !== "write_steps") throw new Error(`an analysis cannot ${decision.do}`);
    return writeSteps(state, context);
  },
  feedback: writeAnalysisFeedback,
  report: analyzeReport,
};

function analyzeAssignment(
  attempt: number,
  state: RunState,
  settings: AnalyzeSettings,
  context: RunContext,
): Assignment {
  // `last` is from the moment the turn was opened.
  const before = context.tree.last;
  const given = lastAttempt(state)?.treeBefore ?? null;
  return {
    prompt: analyzePrompt(settings, {
      requirements: keptInput(context, settings.requirements),
      feedback: previousFeedback(state, writeAnalysisFeedback),
    }),
    tools: "read",
    env: { GA_LOOP_INDEX: String(attempt), GA_MAX_LOOPS: String(state.maxLoops), GA_WORKDIR: settings.cwd },
    answers: (finalText) => !("problem" in readAnalysis(finalText)),
    conclude: (finalText, ended) => {
      const analysis = readAnalysis(finalText);
      return {
        type: "turn_ended",
        ...ended,
        claim: null,
        product: {
          kind: "analysis",
          ...("problem" in analysis
            ? { problem: analysis.problem, dir: null }
            : {
                problem: null,
                dir: settings.outDir ?? join(settings.calledFrom, directoryName(analysis.name)),
              }),
          changed: changeInWholeTree(before, given, context),
        },
      };
    },
  };
}

/** Explains to the next worker why an answer is unusable as steps. */
function writeAnalysisFeedback(
  { settings: { lang } }: RunState,
  attempt: Attempt,
  { verdict, reasons }: Verdict,
): string {
  if (verdict === "accepted") return "";
  const text = feedbackTexts[lang];
  const product = attempt.turn?.product;
  const { problem, changed } = product?.kind === "analysis" ? product : { problem: null, changed: null };
  const lines = [
    `# ${stepWords[lang].answerUnusable}`,
    "",
    ...reasons.map((reason) => `- ${text.reason[reason]} (${reason})`),
    ...(problem ? [`- ${visible(analysisProblemText(problem, lang))}`] : []),
    ...(changed !== null && changed.length > 0 ? [`- ${listed(changed)}`] : []),
    ...agentLines(attempt, text),
  ];
  return `${lines.join("\n")}\n`;
}
