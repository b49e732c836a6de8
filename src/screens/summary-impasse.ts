import { iterationOf } from "../core/board/iterations.ts";
import { budgetReached } from "../core/budget.ts";
import type { Impasse, TurnFailed } from "../core/event.ts";
import { lastAttempt, type RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import type { TerminalTexts } from "../ui/words/terminal.ts";
import { missingIn } from "../evidence/set-ups.ts";
import { missingTexts } from "../evidence/report/room-words.ts";
import { resumeCommand } from "../ui/shell-command.ts";
import { shellWord } from "../text/shell-quote.ts";
import { failedInReview, failureText, lastFailures, limitText } from "../ui/agent-wording.ts";
import { duration } from "../text/time-text.ts";
import { costBudget, tokenBudget } from "../ui/money.ts";
import type { Line } from "../ui/page.ts";
import type { Parting } from "../engine/reporter.ts";
import { continued, endWith, labelled, pathRow, row, type End } from "../ui/summary-parts.ts";

/** A run that needs a person's help to go on. */
export function stoppedBy(impasse: Impasse, state: RunState, parting: Parting, texts: TerminalTexts): End {
  const next = resumeCommand(state);
  const now = Date.parse(state.updatedAt);
  const errors = lastFailures(state).flatMap(({ event }) => failureLines(event, state, parting, texts));
  switch (impasse) {
    case "budget_reached":
      return endWith("!", budgetHead(state, texts), next, [...unknownUsageLines(state, texts), ...errors]);
    case "wait_limit_reached": {
      const last = state.failures.at(-1)?.event;
      const what = last ? failureText(last, now, state, texts) : "";
      return endWith("!", texts.endWaitLimit(what, limitText(state.limits.waitMs)), next, errors);
    }
    case "no_agent_available":
      return endWith("!", texts.endNoAgent, next, errors);
    // The mode that reaches them says more.
    case "no_verdict":
    case "steps_dir_exists":
      return endWith("!", texts.impasse[impasse], next);
    case "dependencies_missing": {
      const missing = missingIn(lastAttempt(state));
      const facts = missing.flatMap((setUp) => [
        row("why", texts.room.missing(missingTexts(setUp)), texts),
        ...(setUp.output ? [pathRow("output", setUp.output.path, texts)] : []),
        continued(texts.room.useSetUp(shellWord(setUp.command))),
      ]);
      return endWith("!", texts.room.endMissing, next, facts);
    }
  }
}

/** The agent's message, and what a person can do about it. */
function failureLines(event: TurnFailed, state: RunState, parting: Parting, texts: TerminalTexts): Line[] {
  const now = Date.parse(state.updatedAt);
  const { name, failure, denials } = event.agent;
  const said = `${failureText(event, now, state, texts)}${texts.colon}${visible(failure.message)}`;
  const help = parting.help?.get(name);
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
      ...labelled(failedInReview(event, state) ? texts.subject.review : texts.label.agent, said),
      mayBeCut: true,
    },
    ...(todo === undefined || todo === "" ? [] : [continued(todo)]),
  ];
}

/** A limit that cannot be enforced any more, because a turn's usage is unknown. */
function unknownUsageLines({ spent, limits }: RunState, texts: TerminalTexts): Line[] {
  const cost = limits.costUsd !== null && spent.unpriced > 0;
  const tokens = limits.tokens !== null && spent.uncounted > 0;
  return [
    ...(cost ? [row("agent", texts.costUnknown, texts)] : []),
    ...(tokens ? [row("agent", texts.tokensUnknown, texts)] : []),
  ];
}

function budgetHead(state: RunState, texts: TerminalTexts): string {
  const last = lastAttempt(state);
  const notJudged = last?.turn && !last.judged ? iterationOf(state, last.index) : null;
  if (unknownUsageLines(state, texts).length > 0) return texts.endUncounted(notJudged);
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
