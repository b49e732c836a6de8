import { stepTerms } from "./words/terminal.ts";
import { lastAttempt } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { whyUnusable } from "./summary-analyze.ts";
import { quotedText } from "../../ui/history.ts";
import type { Describe, RunOf } from "../../ui/mode-view.ts";
import type { AnalyzeSettings } from "../../core/settings.ts";
import type { Line } from "../../ui/page.ts";
import { plainHistory } from "../../ui/plain-history.ts";
import { plannedLines } from "./planned-steps.ts";
import {
  agentStatements,
  inputStatements,
  leakedStatements,
  leftoverStatements,
  sharedStatements,
} from "../../ui/shared-history.ts";
import { roundPlace, agentNames, headLine, attemptsUsed } from "../../ui/wording.ts";

const MAX_SAID_LINES = 5;

/** For a person who looks back: turns and verdicts as in every mode, and what only an analysis has. */
export const recordedAnalysis: Describe<AnalyzeSettings> = (event, scene, texts) => {
  switch (event.type) {
    case "attempt_judged":
      return [...plainHistory(event, scene, texts), ...analyzeHistory(event, scene, texts)];
    case "steps_written": {
      const isDry = scene.state.settings.dryRun;
      const { notWritten, unchanged, written } = stepTerms[texts.lang];
      const says = isDry ? notWritten : event.unchanged ? unchanged : written;
      const text = says(event.files.length, visible(event.dir));
      return [{ subject: "run", text, tone: isDry ? undefined : "good" }, ...plannedLines(event, texts)];
    }
    default:
      return plainHistory(event, scene, texts);
  }
};

export const analyzeHistory: Describe<AnalyzeSettings> = (event, scene, texts) => {
  const { state } = scene;
  switch (event.type) {
    case "run_started":
      return [
        headLine(state, [agentNames(state.settings), texts.upTo(state.maxLoops)], texts),
        requirementsLine(state, texts),
        ...agentStatements(event, state, texts),
      ];
    case "run_resumed": {
      const used = texts.attemptsUsed(attemptsUsed(state), state.maxLoops);
      return [
        headLine(state, [agentNames(state.settings), texts.resumed, used], texts),
        requirementsLine(state, texts),
        ...leftoverStatements(event, texts),
      ];
    }
    case "turn_started":
      return [
        {
          text: stepTerms[texts.lang].answerAsked(
            roundPlace(state, event.attempt),
            visible(event.agent ?? ""),
          ),
        },
      ];
    case "turn_ended":
      return [
        ...inputStatements(event.changedInputs, texts),
        ...leakedStatements(event.process.leaked, texts),
      ];
    case "attempt_judged": {
      const attempt = lastAttempt(state);
      if (!attempt || event.verdict === "accepted") return [];
      const text = stepTerms[texts.lang].answerUnusable(
        roundPlace(state, event.attempt),
        whyUnusable(attempt, texts),
      );
      return [
        { subject: "verdict", text, tone: "bad" },
        ...quotedText(attempt.turn?.agent?.failure?.message ?? "", MAX_SAID_LINES, texts),
      ];
    }
    case "steps_written":
      return plannedLines(event, texts);
    default:
      return sharedStatements(event, scene, texts);
  }
};

function requirementsLine({ settings }: RunOf<AnalyzeSettings>, texts: TerminalTexts): Line {
  return { text: `  ${stepTerms[texts.lang].requirements(visible(settings.requirements.path))}` };
}
