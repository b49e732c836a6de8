import { join } from "node:path";
import type { AnalyzeSettings } from "../../core/settings.ts";
import { lastAttempt, type RunState } from "../../core/state.ts";
import { directoryName } from "./step-names.ts";
import { readAnalysis } from "./analysis.ts";
import { analyzePrompt } from "./step-prompts.ts";
import { previousFeedback } from "../../engine/feedback.ts";
import { writeAnalysisFeedback } from "./write-feedback.ts";
import type { Assignment } from "../../engine/assignment.ts";
import type { RunContext } from "../../engine/ports.ts";
import { changeSince } from "../../engine/tree-change.ts";
import { keptInput } from "../../engine/turn-files.ts";
import { digestWithout, type TreeSnapshot } from "../../platform/git/tree.ts";

export function analyzeAssignment(
  attempt: number,
  state: RunState,
  settings: AnalyzeSettings,
  context: RunContext,
): Assignment {
  // `last` is from the moment the turn was opened.
  const before = context.tree.last;
  const given = lastAttempt(state)?.treeBefore ?? null;
  const earlier = { told: given !== null, given, digestOf: wholeTree };
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
          changed: changeSince(before, earlier, context),
        },
      };
    },
  };
}

/** An analysis must leave the whole tree unchanged. */
export function wholeTree(snapshot: TreeSnapshot | null): string | null {
  return snapshot && digestWithout(snapshot, "", []);
}
