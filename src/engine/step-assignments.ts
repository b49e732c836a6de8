import { basename, join } from "node:path";
import { findDanger } from "../checks/danger.ts";
import type { Role, StepWork } from "../domain/event.ts";
import { succeeded } from "../domain/process-end.ts";
import { isMarked } from "../domain/secret.ts";
import type { Lang, StepsSettings } from "../domain/settings.ts";
import { currentStep, lastAttempt, type RunState, type StepState } from "../domain/state.ts";
import { readReview } from "../domain/steps/review.ts";
import { extractUnitTestFromOutput, readUnitTest } from "../domain/steps/unit-test.ts";
import { stepWords } from "../i18n/step-words.ts";
import { implementPrompt, itemsToVerify, verifyPrompt } from "../reports/step-prompts.ts";
import { progressPath } from "../reports/step-outcome.ts";
import { contentDigest, digestWithout, pathsIn, type TreeSnapshot } from "../workspace/tree.ts";
import { previousFeedback } from "./feedback.ts";
import type { EndedTurn, Assignment } from "./assignment.ts";
import type { RunContext } from "./ports.ts";
import { changeSince } from "./tree-change.ts";

/** The work at a step, or the independent look at it. */
export function stepAssignment(
  role: Role,
  attempt: number,
  state: RunState,
  settings: StepsSettings,
  context: RunContext,
): Assignment {
  const current = currentStep(state);
  if (!current) throw new Error("the run is at no step");
  const env = environment(role, attempt, state, settings, current);
  return role === "worker"
    ? workAssignment(attempt, state, settings, current, env, context)
    : reviewAssignment(state, settings, current, env, context);
}

function workAssignment(
  attempt: number,
  state: RunState,
  settings: StepsSettings,
  current: StepState,
  env: Assignment["env"],
  context: RunContext,
): Assignment {
  return {
    prompt: implementPrompt(settings, current, {
      attempt,
      maxAttempts: state.maxLoops,
      feedback: previousFeedback(state),
    }),
    tools: "all",
    env,
    answers: (finalText) => extractUnitTestFromOutput(finalText) !== undefined,
    conclude: (finalText, ended) => ({
      type: "turn_ended",
      ...ended,
      claim: null,
      product: {
        kind: "step_work",
        ...offerIn(finalText, ended, current, settings.lang, context),
        tree: treeWithoutSteps(settings, context),
      },
    }),
  };
}

/** What a person wrote stands; and nothing is run that they would have been kept from running. */
function offerIn(
  finalText: string,
  { process, agent }: EndedTurn,
  { step }: StepState,
  lang: Lang,
  { redactor }: RunContext,
): Pick<StepWork, "unitTest" | "refused"> {
  const named = readUnitTest(finalText);
  if (step.unitTest !== null || named.kind === "none") return { unitTest: null, refused: null };
  if (named.kind === "unusable") {
    // A turn that broke off has failed by itself, and that it broke off is the better reason.
    const ended = succeeded(process.end) && agent.failure === null;
    return { unitTest: null, refused: ended ? stepWords[lang].unitTestUnusable[named.why] : null };
  }
  const offer = named.unitTest;
  const danger = findDanger(offer.command);
  if (danger) return { unitTest: null, refused: `${danger.rule}: ${danger.command}` };
  // Redacted it would be another command. Values that are known were taken out of the output before it could be read.
  if (isMarked(offer.command) || redactor.holds(JSON.stringify(offer)))
    return { unitTest: null, refused: "secret" };
  return { unitTest: offer, refused: null };
}

/** What the work tree holds, as a digest, but for what we write into the steps directory ourselves. */
export function treeWithoutSteps(settings: StepsSettings, { tree }: RunContext): string | null {
  const { stepsDir, steps } = settings;
  const snapshot = tree.snapshot();
  const own = [...steps.map(({ file }) => file), basename(progressPath(settings))];
  return snapshot && contentDigest(snapshot, stepsDir, own);
}

/** What a reviewer has to leave as it is. The progress file is written anew when an interrupted run goes on. */
export function treeToReview(settings: StepsSettings, snapshot: TreeSnapshot | null): string | null {
  return snapshot && digestWithout(snapshot, settings.stepsDir, [basename(progressPath(settings))]);
}

function reviewAssignment(
  state: RunState,
  settings: StepsSettings,
  current: StepState,
  env: Assignment["env"],
  context: RunContext,
): Assignment {
  const attempt = lastAttempt(state);
  const count = itemsToVerify(current, settings).length;
  // Seen when the turn was opened.
  const before = context.tree.last;
  const given = attempt?.treeReviewed ?? null;
  const earlier = {
    told: given !== null || attempt?.treeBefore != null,
    given,
    digestOf: (snapshot: TreeSnapshot | null) => treeToReview(settings, snapshot),
    own: pathsIn(context.tree.root, settings.stepsDir, [basename(progressPath(settings))]),
  };
  return {
    prompt: verifyPrompt(settings, current, attempt?.checks[0] ?? null),
    tools: "read",
    env,
    answers: (finalText) => "items" in readReview(finalText, count),
    conclude: (finalText, ended, tools) => {
      const review = readReview(finalText, count);
      return {
        type: "review_ended",
        ...ended,
        readOnly: tools !== "all",
        items: "items" in review ? review.items : [],
        problem: "problem" in review ? review.problem : null,
        changed: changeSince(before, earlier, context),
      };
    },
  };
}

function environment(
  role: Role,
  attempt: number,
  state: RunState,
  { cwd, stepsDir }: StepsSettings,
  { step }: StepState,
): Record<string, string> {
  return {
    GA_ROLE: role,
    GA_STEP_ID: step.id,
    GA_STEP_FILE: join(stepsDir, step.file),
    GA_LOOP_INDEX: String(attempt),
    GA_MAX_LOOPS: String(state.maxLoops),
    GA_WORKDIR: cwd,
  };
}
