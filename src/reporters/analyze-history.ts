import { lastAttempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { whyUnusable } from "./analysis-wording.ts";
import { quotedText, type History } from "./history.ts";
import type { Line } from "./page.ts";
import { plannedLines } from "./planned-steps.ts";
import { agentLines, inputLines, leakedLines, leftoverLines, sharedLines } from "./shared-history.ts";
import { attemptPlace, containmentText, attemptsUsed } from "./wording.ts";

const MAX_SAID_LINES = 5;

/** How steps are made of a requirements document. */
export const analyzeHistory: History = (event, scene, texts) => {
  const { state } = scene;
  switch (event.type) {
    case "run_started":
      return [
        headLine(state, texts.upTo(state.maxLoops), texts),
        requirementsLine(state, texts),
        ...agentLines(event, state, texts),
      ];
    case "run_resumed": {
      const used = `${texts.resumed}  ${texts.attemptsUsed(attemptsUsed(state), state.maxLoops)}`;
      return [headLine(state, used, texts), requirementsLine(state, texts), ...leftoverLines(event, texts)];
    }
    case "turn_started":
      return [
        { text: texts.steps.answerAsked(attemptPlace(state, event.attempt), visible(event.agent ?? "")) },
      ];
    case "turn_ended":
      return [...inputLines(event.changedInputs, state, texts), ...leakedLines(event.process, texts)];
    case "attempt_judged": {
      const attempt = lastAttempt(state);
      if (!attempt || event.verdict === "accepted") return [];
      const text = texts.steps.answerUnusable(
        attemptPlace(state, event.attempt),
        whyUnusable(attempt, texts),
      );
      return [
        { text, tone: "bad" },
        ...quotedText(attempt.turn?.agent?.failure?.message ?? "", MAX_SAID_LINES, texts),
      ];
    }
    case "steps_written":
      return plannedLines(event, texts);
    // Of runs that have steps, tests, or a board.
    case "main_ended":
    case "board_edited":
    case "step_started":
    case "step_marked":
    case "step_refused":
    case "check_ended":
    case "review_ended":
      return [];
    default:
      return sharedLines(event, scene, texts);
  }
};

function headLine(state: RunState, terms: string, texts: TerminalTexts): Line {
  const agents = state.settings.agents.map(({ name }) => visible(name)).join(", ");
  return {
    text: `analyze ${state.runId}  ${agents}  ${terms}  ${containmentText(state.containment, texts)}`,
  };
}

function requirementsLine({ settings }: RunState, texts: TerminalTexts): Line {
  const path = settings.mode === "analyze" ? settings.requirements.path : "";
  return { text: `  ${texts.steps.requirements(visible(path))}` };
}
