import { stepTerms } from "./words/terminal.ts";
import type { RunResumed, RunStarted } from "../../core/event.ts";
import type { StepsSettings } from "../../core/settings.ts";
import type { RunState } from "../../core/state.ts";
import { DONE } from "../../core/step.ts";
import { isChosen } from "./steps-left.ts";
import { visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import type { RunOf } from "../../ui/mode-view.ts";
import type { Line } from "../../ui/page.ts";
import { agentStatements } from "../../ui/shared-history.ts";
import type { Description } from "../../ui/statement.ts";
import { stepAttemptPlace, headLine, currentAttempt } from "../../ui/wording.ts";

const PREVIEWED = 5;

/** The agents, the number of steps, and their order. */
export function startLines(
  event: RunStarted,
  state: RunOf<StepsSettings>,
  texts: TerminalTexts,
): Description {
  return [firstLine(state, [], texts), overview(state, texts), ...agentStatements(event, state, texts)];
}

export function resumeLine(state: RunOf<StepsSettings>, texts: TerminalTexts): Line {
  const at = stepAttemptPlace(state, currentAttempt(state));
  return firstLine(state, [texts.resumed, stepTerms[texts.lang].attemptsUsed(at)], texts);
}

/** The verifiers from now on, if a person named others. */
export function verifierStatements({ verifiers = [] }: RunResumed, texts: TerminalTexts): Description {
  const names = listed(verifiers.map(({ name }) => name));
  return names === "" ? [] : [{ subject: "run", text: stepTerms[texts.lang].verifiedBy(names) }];
}

function firstLine(state: RunOf<StepsSettings>, terms: readonly string[], texts: TerminalTexts): Line {
  const { settings, maxLoops } = state;
  const verifiers = stepTerms[texts.lang].verifiedBy(verifiersText(settings, texts));
  const flag = settings.fullVerify ? "--full-verify" : "";
  const facts = [...terms, listed(settings.workers), verifiers, flag, texts.upTo(maxLoops)];
  return headLine(state, facts, texts);
}

function verifiersText({ verifiers, workers }: StepsSettings, texts: TerminalTexts): string {
  if (verifiers.length > 0) return listed(verifiers);
  return workers.length > 1 ? stepTerms[texts.lang].anotherAgent : listed(workers);
}

function listed(names: readonly string[]): string {
  return names.map((name) => visible(name)).join(", ");
}

function overview(state: RunState, texts: TerminalTexts): Line {
  const { steps } = state;
  const { overview: say, orderSeparator, shortNames, andMore } = stepTerms[texts.lang];
  const done = steps.filter(({ status }) => status === DONE).length;
  const chosen = steps.filter((_, index) => isChosen(state, index + 1));
  const names = chosen.slice(0, PREVIEWED).map(({ step }) => {
    const name = visible(step.file);
    return shortNames ? name.replace(/\.json$/, "") : name;
  });
  const left = chosen.length - names.length;
  const order = names.join(orderSeparator) + (left > 0 ? andMore(left) : "");
  const some = chosen.length === steps.length ? null : chosen.length;
  return { text: say(steps.length, done, some, order) };
}
