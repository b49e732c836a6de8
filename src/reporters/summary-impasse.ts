import { iterationOf } from "../domain/board/iterations.ts";
import { budgetReached } from "../domain/budget.ts";
import type { Impasse, ReviewEnded, TurnFailed } from "../domain/event.ts";
import { currentStep, lastAttempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { missingIn } from "../domain/room/set-ups.ts";
import { verificationError } from "../reports/step-error.ts";
import { missingTexts } from "../reports/room-words.ts";
import { resumeCommand, shellWord } from "../reports/shell-command.ts";
import { failedInReview, failureText, lastFailures, limitText } from "./agent-wording.ts";
import { duration } from "../domain/time-text.ts";
import { costBudget, tokenBudget } from "./money.ts";
import type { Line } from "./page.ts";
import type { Parting } from "./reporter.ts";
import { continued, labelled, pathRow, row, type End } from "./summary-parts.ts";

/** A run that a person has to help on. */
export function stoppedBy(impasse: Impasse, state: RunState, parting: Parting, texts: TerminalTexts): End {
  const next = resumeCommand(state);
  const now = Date.parse(state.updatedAt);
  const errors = lastFailures(state).flatMap(({ event }) => failureLines(event, state, parting, texts));
  switch (impasse) {
    case "budget_reached":
      return {
        head: { text: `! ${budgetHead(state, texts)}`, tone: "warn" },
        facts: [...untoldLines(state, texts), ...errors],
        next,
      };
    case "wait_limit_reached": {
      const last = state.failures.at(-1)?.event;
      const what = last ? failureText(last, now, state, texts) : "";
      return {
        head: { text: `! ${texts.endWaitLimit(what, limitText(state.limits.waitMs))}`, tone: "warn" },
        facts: errors,
        next,
      };
    }
    case "no_agent_available":
      return { head: { text: `! ${texts.endNoAgent}`, tone: "warn" }, facts: errors, next };
    case "no_verdict":
      return {
        head: { text: `! ${texts.endNoVerdict(faultsOf(state).length)}`, tone: "warn" },
        facts: faultLines(state, texts),
        next,
      };
    case "steps_dir_exists":
      return {
        head: { text: `! ${texts.steps.endDirExists}`, tone: "warn" },
        facts: [labelled(texts.steps.label.dir, stepsDirText(state)), continued(texts.steps.moveItAway)],
        next,
      };
    case "dependencies_missing": {
      const missing = missingIn(lastAttempt(state));
      return {
        head: { text: `! ${texts.room.endMissing}`, tone: "warn" },
        facts: missing.flatMap((setUp) => [
          row("why", texts.room.missing(missingTexts(setUp)), texts),
          ...(setUp.output ? [pathRow("output", setUp.output.path, texts)] : []),
          continued(texts.room.useSetUp(shellWord(setUp.command))),
        ]),
        next,
      };
    }
  }
}

function faultsOf(state: RunState): readonly ReviewEnded[] {
  const { faultyReviews = [], faultsForgiven = 0 } = lastAttempt(state) ?? {};
  return faultyReviews.slice(faultsForgiven);
}

/** What each verifier did wrong, the same words once; and that the work need not be done again. */
function faultLines(state: RunState, texts: TerminalTexts): Line[] {
  const step = currentStep(state);
  const errors = step ? faultsOf(state).map((review) => verificationError(review, step, texts.lang)) : [];
  const rows = [...new Set(errors)].map((error) => row("why", error, texts));
  return [...rows, continued(texts.steps.verifyAgain)];
}

function stepsDirText(state: RunState): string {
  const product = lastAttempt(state)?.turn?.product;
  return visible((product?.kind === "analysis" ? product.dir : null) ?? "");
}

/** What the agent said, and what a person can do about it. */
function failureLines(
  event: TurnFailed,
  state: RunState,
  { mending }: Parting,
  texts: TerminalTexts,
): Line[] {
  const now = Date.parse(state.updatedAt);
  const { name, failure, denials } = event.agent;
  const said = `${failureText(event, now, state, texts)}${texts.colon}${visible(failure.message)}`;
  const help = mending?.get(name);
  const todo =
    failure.class === "permission" && denials.length > 0
      ? texts.allowTools
      : failure.class === "auth"
        ? help?.login
        : failure.class === "missing"
          ? help?.install
          : undefined;
  return [
    {
      ...labelled(failedInReview(event, state) ? texts.chat.review : texts.label.agent, said),
      mayBeCut: true,
    },
    ...(todo === undefined || todo === "" ? [] : [continued(todo)]),
  ];
}

/** A limit that could not be kept any more, for nobody told what a turn used. */
function untoldLines({ spent, limits }: RunState, texts: TerminalTexts): Line[] {
  const cost = limits.costUsd !== null && spent.unpriced > 0;
  const tokens = limits.tokens !== null && spent.uncounted > 0;
  return [
    ...(cost ? [row("agent", texts.costUntold, texts)] : []),
    ...(tokens ? [row("agent", texts.tokensUntold, texts)] : []),
  ];
}

function budgetHead(state: RunState, texts: TerminalTexts): string {
  const last = lastAttempt(state);
  const notJudged = last?.turn && !last.judged ? iterationOf(state, last.index) : null;
  if (untoldLines(state, texts).length > 0) return texts.endUncounted(notJudged);
  switch (budgetReached(state, state.updatedAt)) {
    case "tokens":
      return texts.endBudget(tokenBudget(state, texts) ?? "", notJudged);
    case "cost":
      return texts.endBudget(costBudget(state, texts) ?? "", notJudged);
    default: {
      const time = texts.of(duration(state.activeMs), duration(state.limits.timeMs ?? 0));
      return texts.endBudget(time, notJudged);
    }
  }
}
