import type { RunResumed, RunStarted } from "../domain/event.ts";
import type { StepsSettings } from "../domain/settings.ts";
import type { RunState } from "../domain/state.ts";
import { DONE } from "../domain/step.ts";
import { isChosen } from "../domain/steps-left.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import type { Line } from "./page.ts";
import { agentLines } from "./shared-history.ts";
import { attemptPlace, containmentText, currentAttempt } from "./wording.ts";

const PREVIEWED = 5;

/** Who works at how many steps, and in which order. */
export function startLines(event: RunStarted, state: RunState, texts: TerminalTexts): Line[] {
  return [headLine(state, [], texts), overview(state, texts), ...agentLines(event, state, texts)];
}

export function resumeLine(state: RunState, texts: TerminalTexts): Line {
  const at = attemptPlace(state, currentAttempt(state));
  return headLine(state, [texts.resumed, texts.steps.attemptsUsed(at)], texts);
}

/** How a run goes on, and who verifies if a person named somebody else. */
export function resumedHow({ containment, verifiers = [] }: RunResumed, texts: TerminalTexts): string {
  const names = listed(verifiers.map(({ name }) => name));
  const who = names === "" ? [] : [texts.steps.verifiedBy(names)];
  return [...who, containmentText(containment, texts)].join(texts.listSeparator);
}

function headLine(state: RunState, terms: readonly string[], texts: TerminalTexts): Line {
  const { settings } = state;
  const who =
    settings.mode === "run"
      ? [listed(settings.workers), texts.steps.verifiedBy(verifiersText(settings, texts))]
      : [];
  const flags = settings.mode === "run" && settings.fullVerify ? ["--full-verify"] : [];
  const parts = [
    `run ${state.runId}`,
    ...terms,
    ...who,
    ...flags,
    texts.steps.upTo(state.maxLoops),
    containmentText(state.containment, texts),
  ];
  return { text: parts.join("  ") };
}

function verifiersText({ verifiers, workers }: StepsSettings, texts: TerminalTexts): string {
  if (verifiers.length > 0) return listed(verifiers);
  return workers.length > 1 ? texts.steps.anotherAgent : listed(workers);
}

function listed(names: readonly string[]): string {
  return names.map((name) => visible(name)).join(", ");
}

function overview(state: RunState, texts: TerminalTexts): Line {
  const { steps } = state;
  const { overview: say, orderSeparator, shortNames, andMore } = texts.steps;
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
