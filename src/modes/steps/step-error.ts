import type { FailureClass } from "../../core/agent-turn.ts";
import type { CheckEnded, ReviewEnded, StepRefused } from "../../core/event.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import type { Reason } from "../../core/reason.ts";
import { reasonsAgainstCheck, checkPassed, decisiveRun } from "../../evidence/verdict.ts";
import type { Lang } from "../../core/settings.ts";
import type { Attempt, StepState } from "../../core/state.ts";
import { listed, visible } from "../../text/text.ts";
import { feedbackTexts } from "../../core/words/feedback.ts";
import { reasonTexts } from "../../evidence/words/reasons.ts";
import { reviewProblemText } from "./words/step-problems.ts";
import { roomTexts } from "../../evidence/words/room.ts";
import { stepWords } from "./words/step-words.ts";
import { agentTexts } from "../../ui/words/terminal-agents.ts";
import { namedIn, namesText } from "../../evidence/report/room-words.ts";
import { itemsToVerify } from "./step-prompts.ts";

const MAX_TESTS = 3;

/** Why an attempt at a step was rejected, in a line; empty if it was not. */
export function stepError(attempt: Attempt, step: StepState, lang: Lang): string {
  if (!isRefusedByRoom(attempt, step, lang)) return ownError(attempt, step, lang);
  return reasonsText(attempt.judged?.reasons ?? [], lang);
}

/** `the agent changed no file (nothing_changed)`, for people. */
export function reasonsText(reasons: readonly Reason[], lang: Lang): string {
  return reasons.map((reason) => `${reasonTexts[lang][reason]} (${reason})`).join("; ");
}

/** Work, test and verification are all good, so only the state of the tree speaks against the attempt. */
export function isRefusedByRoom(attempt: Attempt, step: StepState, lang: Lang): boolean {
  return attempt.candidate !== null && ownError(attempt, step, lang) === "";
}

function ownError(attempt: Attempt, step: StepState, lang: Lang): string {
  const words = stepWords[lang];
  const { turn, checks, review } = attempt;
  const refused = turn?.product?.kind === "step_work" ? turn.product.refused : null;
  if (refused !== null) return words.unitTestRefused(visible(refused));
  const failed = checks.find((check) => !checkPassed(check));
  if (failed) {
    const how = `${visible(failed.process.command)} (${howItFailed(failed, lang)})`;
    return [words.unitTestFailed, how, ...failingTests(failed, lang)].join(": ");
  }
  if (review) return verificationError(review, step, lang);
  return turn ? aiError(attempt, lang) : "";
}

/** The names of failed tests; none if the runner does not name them. */
function failingTests(check: CheckEnded, lang: Lang): readonly string[] {
  const named = namedIn(decisiveRun(check).findings);
  const some = named.flatMap(({ names }) => names.some);
  const count = named.reduce((sum, { names }) => sum + names.count, 0);
  return count === 0 ? [] : [namesText({ count, some }, roomTexts[lang], "; ", MAX_TESTS)];
}

function howItFailed(check: CheckEnded, lang: Lang): string {
  const against = reasonsAgainstCheck(check).map((reason) => reasonTexts[lang][reason]);
  return [feedbackTexts[lang].end(decisiveRun(check).process.end), ...against].join("; ");
}

/** How the worker's turn failed; empty if it did not. */
function aiError({ turn }: Attempt, lang: Lang): string {
  if (!turn) return "";
  const failure = turn.agent?.failure;
  if (failure) return stepWords[lang].agentFailed(agentFailureText(failure.class, failure.message, lang));
  return succeeded(turn.process.end)
    ? ""
    : stepWords[lang].agentFailed(feedbackTexts[lang].end(turn.process.end));
}

/** Why a review does not approve the work; empty if it does. */
export function verificationError(review: ReviewEnded, step: StepState, lang: Lang): string {
  const words = stepWords[lang];
  const { agent, process, items, problem, changed } = review;
  const parts: string[] = [];
  if (agent.failure)
    parts.push(
      words.verifierFailed(
        visible(agent.name),
        agentFailureText(agent.failure.class, agent.failure.message, lang),
      ),
    );
  else if (!succeeded(process.end))
    parts.push(words.verifierFailed(visible(agent.name), feedbackTexts[lang].end(process.end)));
  else if (problem) parts.push(`${words.noVerdict}: ${visible(reviewProblemText(problem, lang))}`);
  const all = itemsToVerify(step, { lang });
  const failed = items.filter(({ passed }) => !passed);
  if (failed.length > 0) {
    const what = failed.map(({ item, evidence }) => {
      const about = all[item - 1]?.description ?? "";
      return `${item}. ${visible(firstLine(about))} - ${visible(evidence)}`;
    });
    parts.push(`${words.itemsFailed(failed.length, all.length)}: ${what.join("; ")}`);
  }
  if (changed !== null && changed.length > 0) parts.push(words.verifierChanged(listed(changed)));
  return parts.join("; ");
}

/** Why a step's file stopped the run. */
export function refusalText({ why, message }: StepRefused, lang: Lang): string {
  const words = stepWords[lang];
  switch (why) {
    case "changed":
      return words.stepChanged(visible(message));
    case "invalid":
      return words.stepInvalid(visible(message));
    case "write_failed":
      return words.stepNotWritten(visible(message));
  }
}

function agentFailureText(kind: FailureClass, message: string, lang: Lang): string {
  const what = agentTexts[lang].failure[kind];
  return message === "" ? what : `${what}: ${visible(message)}`;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
