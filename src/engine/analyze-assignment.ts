import { join } from "node:path";
import type { AnalyzeSettings } from "../domain/settings.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { directoryName } from "../domain/steps/step-names.ts";
import { readAnalysis } from "../domain/steps/analysis.ts";
import { analyzePrompt } from "../reports/step-prompts.ts";
import { previousFeedback } from "./feedback.ts";
import type { Assignment } from "./assignment.ts";
import type { RunContext } from "./ports.ts";
import { changeSince } from "./tree-change.ts";
import { keptInput } from "./turn-files.ts";
import { digestWithout, type TreeSnapshot } from "../workspace/tree.ts";

export function analyzeAssignment(
  attempt: number,
  state: RunState,
  settings: AnalyzeSettings,
  context: RunContext,
): Assignment {
  // Seen when the turn was opened.
  const before = context.tree.last;
  const given = lastAttempt(state)?.treeBefore ?? null;
  const earlier = { told: given !== null, given, digestOf: wholeTree };
  return {
    prompt: analyzePrompt(settings, {
      requirements: keptInput(context, settings.requirements),
      feedback: previousFeedback(state),
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
          changed: changeSince(before, earlier, context),
        },
      };
    },
  };
}

/** What an analysis has to leave as it is. */
export function wholeTree(snapshot: TreeSnapshot | null): string | null {
  return snapshot && digestWithout(snapshot, "", []);
}
