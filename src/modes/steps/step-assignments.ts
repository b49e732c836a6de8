import { basename, join } from "node:path";
import { findDanger } from "../../text/danger/danger.ts";
import type { Role, StepWork } from "../../core/event.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { isMarked } from "../../text/secret.ts";
import type { Lang, StepsSettings } from "../../core/settings.ts";
import { currentStep, lastAttempt, type RunState, type StepState } from "../../core/state.ts";
import { readReview } from "./review.ts";
import { extractUnitTestFromOutput, readUnitTest } from "./unit-test.ts";
import { stepWords } from "./words/step-words.ts";
import { implementPrompt, itemsToVerify, verifyPrompt } from "./step-prompts.ts";
import { progressPath } from "./step-outcome.ts";
import { contentDigest, digestWithout, pathsIn, type TreeSnapshot } from "../../platform/git/tree.ts";
import { previousFeedback } from "../../engine/feedback.ts";
import { writeStepFeedback } from "./step-feedback.ts";
import type { EndedTurn, Assignment } from "../../engine/assignment.ts";
import type { RunContext } from "../../engine/ports.ts";
import { changeSince } from "../../engine/tree-change.ts";

/** A turn at the current step. */
interface StepTurn {
  readonly attempt: number;
  readonly state: RunState;
  readonly settings: StepsSettings;
  readonly current: StepState;
  readonly context: RunContext;
}

/** The work at a step, or its independent verification. */
export function stepAssignment(
  attempt: number,
  state: RunState,
  settings: StepsSettings,
  context: RunContext,
): Assignment {
  const current = currentStep(state);
  if (!current) throw new Error("the run is at no step");
  const turn = { attempt, state, settings, current, context };
  return state.openTurn?.role === "reviewer" ? reviewAssignment(turn) : workAssignment(turn);
}

function workAssignment(turn: StepTurn): Assignment {
  const { attempt, state, settings, current, context } = turn;
  return {
    prompt: implementPrompt(settings, current, {
      attempt,
      maxAttempts: state.maxLoops,
      feedback: previousFeedback(state, writeStepFeedback),
    }),
    tools: "all",
    env: environment("worker", turn),
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

/** A person's own unit test wins. Dangerous commands and commands with secrets are refused. */
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
    // A turn that was cut off has failed anyway, and the cut-off is the better reason.
    const ended = succeeded(process.end) && agent.failure === null;
    return { unitTest: null, refused: ended ? stepWords[lang].unitTestUnusable[named.why] : null };
  }
  const offer = named.unitTest;
  const danger = findDanger(offer.command);
  if (danger) return { unitTest: null, refused: `${danger.rule}: ${danger.command}` };
  // Redacted, it would be another command. Known values were removed from the output before it was read.
  if (isMarked(offer.command) || redactor.holds(JSON.stringify(offer)))
    return { unitTest: null, refused: "secret" };
  return { unitTest: offer, refused: null };
}

/** A digest of the work tree, without the foreman's own changes in the steps directory. */
export function treeWithoutSteps(settings: StepsSettings, { tree }: RunContext): string | null {
  const { stepsDir, steps } = settings;
  const snapshot = tree.snapshot();
  const own = [...steps.map(({ file }) => file), basename(progressPath(settings))];
  return snapshot && contentDigest(snapshot, stepsDir, own);
}

/** A reviewer must leave this unchanged. The progress file is excluded because it is rewritten when an interrupted run resumes. */
export function treeToReview(settings: StepsSettings, snapshot: TreeSnapshot | null): string | null {
  return snapshot && digestWithout(snapshot, settings.stepsDir, [basename(progressPath(settings))]);
}

function reviewAssignment(turn: StepTurn): Assignment {
  const { state, settings, current, context } = turn;
  const attempt = lastAttempt(state);
  const count = itemsToVerify(current, settings).length;
  // `last` is from the moment the turn was opened.
  const before = context.tree.last;
  const given = attempt?.treeReviewed ?? null;
  const earlier = {
    wasReadable: given !== null || attempt?.treeBefore != null,
    given,
    digestOf: (snapshot: TreeSnapshot | null) => treeToReview(settings, snapshot),
    own: pathsIn(context.tree.root, settings.stepsDir, [basename(progressPath(settings))]),
  };
  return {
    prompt: verifyPrompt(settings, current, attempt?.checks[0] ?? null),
    tools: "read",
    env: environment("reviewer", turn),
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

function environment(role: Role, { attempt, state, settings, current }: StepTurn): Record<string, string> {
  return {
    GA_ROLE: role,
    GA_STEP_ID: current.step.id,
    GA_STEP_FILE: join(settings.stepsDir, current.step.file),
    GA_LOOP_INDEX: String(attempt),
    GA_MAX_LOOPS: String(state.maxLoops),
    GA_WORKDIR: settings.cwd,
  };
}
