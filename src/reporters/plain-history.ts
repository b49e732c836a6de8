import type { CheckEnded, RunEvent, TurnEnded } from "../domain/event.ts";
import type { ProcessRecord } from "../domain/process-end.ts";
import { checkPassed, checkResult } from "../domain/room/verdict.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { agentFacts, failedInReview, failureText, waitText } from "./agent-wording.ts";
import { resultText } from "./check-result.ts";
import { duration } from "../domain/time-text.ts";
import { clockTime, padToWidth } from "./format.ts";
import { outputLines, processLines, quotedText, type History } from "./history.ts";
import { usageText } from "./money.ts";
import { quoted } from "./output-lines.ts";
import type { Line, Tone } from "./page.ts";
import { isFirst } from "./room-history.ts";
import {
  baseCommandText,
  countsText,
  reasonText,
  testTexts,
  treeNews,
  baseWarnings,
} from "./room-wording.ts";
import {
  agentDetails,
  answerText,
  containmentText,
  endText,
  attemptsUsed,
  lastDecidedAbout,
  saidText,
  stopText,
  takesOver,
  stuckText,
} from "./wording.ts";

const MAX_TASK_LINES = 5;
const MAX_CLAIM_LINES = 5;

/** One line an event, with time and subject: for pipes, CI and screen readers. */
export const plainHistory: History = (event, scene, texts) => {
  const { state, failed } = scene;
  const at = clockTime(state.updatedAt);
  const say = (subject: Subject, text: string, tone?: Tone): Line =>
    subjectLine(at, subject, text, texts, tone);
  const run = (text: string): Line => say("run", `${state.runId} ${text}`);
  switch (event.type) {
    case "run_started": {
      const agents = state.settings.agents.map(({ name }) => visible(name));
      const terms = [...agents, texts.upTo(state.maxLoops), containmentText(state.containment, texts)];
      const task = quotedText(state.settings.task, MAX_TASK_LINES, texts);
      const details = agentDetails(state).map((text) => say("agent", text));
      const missing = event.missingAgents.map((name) =>
        say("agent", texts.passedOver(visible(name)), "warn"),
      );
      return [
        run(`${texts.started}${texts.colon}${terms.join(texts.listSeparator)}`),
        ...task,
        ...details,
        ...missing,
      ];
    }
    case "run_resumed": {
      const used = texts.attemptsUsed(attemptsUsed(state), state.maxLoops);
      const terms = [used, containmentText(state.containment, texts)];
      const resumed = run(`${texts.resumed}${texts.colon}${terms.join(texts.listSeparator)}`);
      if (event.ended.length === 0) return [resumed];
      return [resumed, run(texts.endedLeftovers(event.ended.length)), ...processLines(event.ended)];
    }
    case "run_stopped":
      return [run(stopText(event.by, texts))];
    case "turn_failed": {
      const what = failureText(event, Date.parse(state.updatedAt), state, texts);
      return [
        say(
          failedInReview(event, state) ? "review" : "agent",
          `${round(event, state)} ${texts.turnFailed(what)}`,
          "warn",
        ),
        ...quotedText(event.agent.failure.message, MAX_CLAIM_LINES, texts),
        ...processLines(event.process.leaked),
      ];
    }
    case "wait_started":
      return [
        say(
          failedInReview(event, state) ? "review" : "agent",
          waitText(event, Date.parse(state.updatedAt), state, texts),
          "warn",
        ),
      ];
    case "wait_ended":
      return [say("agent", texts.waitOver)];
    case "run_ended":
      return [run(texts.runEnded(event))];
    case "turn_started": {
      const again =
        state.interruptedTurns.some((turn) => turn.attempt === event.attempt) ||
        state.failures.some((failure) => failure.event.attempt === event.attempt);
      const name = event.agent === null ? "" : `${visible(event.agent)} `;
      const change = takesOver(event.agent, state) ? texts.takesOver(visible(event.agent ?? "")) : null;
      const what = change ?? `${name}${again ? texts.turnTakenAgain : texts.started}`;
      return [say("agent", `${round(event, state)} ${what}`)];
    }
    case "turn_interrupted":
      return [say("agent", `${round(event, state)} ${texts.turnInterrupted}`, "warn")];
    case "turn_ended":
      return [
        say("agent", `${round(event, state)} ${turnText(event, texts)}`),
        ...quotedText(event.claim?.evidence ?? "", MAX_CLAIM_LINES, texts),
        ...quotedText(event.agent?.failure?.message ?? "", MAX_CLAIM_LINES, texts),
        ...(event.changedInputs.length > 0
          ? [say("agent", texts.inputsChanged(event.changedInputs.map((path) => visible(path))), "warn")]
          : []),
        ...processLines(event.process.leaked),
        ...(failed === undefined ? [] : outputLines(failed, texts)),
      ];
    case "check_ended": {
      const result = checkResult(event, lastAttempt(state), state);
      const what = `${round(event, state)} ${withTime(checkText(event, result, texts), event.process, texts)}`;
      const line = say("check", what, TONES[result]);
      const output = checkPassed(event) || failed === undefined ? [] : outputLines(failed, texts);
      return [line, ...testLines(event, texts), ...processLines(event.process.leaked), ...output];
    }
    case "attempt_judged": {
      const accepted = event.verdict === "accepted";
      const attempt = lastAttempt(state);
      const reasons = attempt ? event.reasons.map((reason) => reasonText(reason, attempt, texts)) : [];
      const why = reasons.length === 0 ? "" : `${texts.colon}${reasons.join(texts.partSeparator)}`;
      const verdict = accepted ? texts.accepted : texts.rejected;
      const stuck = attempt ? stuckText(attempt, state, texts) : null;
      return [
        say("verdict", `${round(event, state)} ${verdict}${why}`, accepted ? "good" : "bad"),
        ...(stuck === null ? [] : [say("verdict", `${round(event, state)} ${stuck}`, "warn")]),
      ];
    }
    case "question_asked": {
      const isHeld = state.question?.about === "oracle";
      const what = isHeld ? texts.room.held : texts.asked(attemptsUsed(state), state.maxLoops);
      return [say("person", what, "ask")];
    }
    case "question_answered":
      return [
        say("person", answerText(event.answer, texts, lastDecidedAbout(state))),
        ...quotedText(event.note ?? "", MAX_CLAIM_LINES, texts),
      ];
    case "answer_refused":
      return [
        say(
          "person",
          `${texts.answerRefused}${texts.colon}${texts.refusal[event.why]} (${event.why})`,
          "warn",
        ),
      ];
    case "base_taken":
      return isFirst(state) ? baseWarnings(event, texts).map((text) => say("base", text, "warn")) : [];
    case "base_checked":
      return [say("base", withTime(baseCommandText(event, texts), event.process, texts))];
    case "candidate_taken":
      return treeNews(event, lastAttempt(state), state, texts, scene.verbose).map(({ text, isWarning }) =>
        say("agent", `${round(event, state)} ${text}`, isWarning ? "warn" : undefined),
      );
    case "candidate_confirmed":
    // Of runs that have steps, or a board.
    case "main_ended":
    case "board_edited":
    case "step_started":
    case "step_marked":
    case "step_refused":
    case "review_ended":
    case "steps_written":
    // Of a conversation in a terminal.
    case "live_started":
    case "input_given":
    case "input_taken_back":
    case "live_turn_ended":
    case "feedback_sent":
    case "review_dropped":
    case "reviews_set":
    case "live_ended":
      return [];
  }
};

const TONES = { passed: "good", failed: "bad", undecided: "ask" } as const;

function checkText(event: CheckEnded, result: keyof typeof TONES, texts: TerminalTexts): string {
  const { phase, process } = event;
  const command = visible(process.command);
  switch (result) {
    case "passed":
      return passedText(texts.checkPassed(phase, command), event, texts);
    case "undecided":
      return passedText(texts.checkUndecided(phase, command), event, texts);
    case "failed":
      return texts.checkFailed(phase, command, resultText(event, result, texts));
  }
}

/** `fast passed: npm test, 214 passed (3 new), 0 skipped` */
export function passedText(what: string, check: CheckEnded, texts: TerminalTexts): string {
  const counts = countsText(check, texts);
  const onlyOwn = check.room?.frozen ? [texts.room.onlyOwn] : [];
  return [what, ...(counts === null ? [] : [counts]), ...onlyOwn].join(texts.listSeparator);
}

/** Names of tests are others' words. */
export function testLines(check: CheckEnded, texts: TerminalTexts): Line[] {
  return testTexts(check, texts).map(quoted);
}

export type Subject = keyof TerminalTexts["subject"];

export function subjectLine(
  at: string,
  subject: Subject,
  text: string,
  texts: TerminalTexts,
  tone?: Tone,
): Line {
  const line = { lead: `${at} ${padToWidth(texts.subject[subject], 7)} `, text };
  return tone === undefined ? line : { ...line, tone };
}

export function round(event: Extract<RunEvent, { attempt: number }>, state: RunState): string {
  return `${event.attempt}/${state.maxLoops}`;
}

function turnText(event: TurnEnded, texts: TerminalTexts): string {
  const parts = [
    endText(event.process.end, texts),
    ...agentFacts(event.agent, texts),
    event.claim && saidText(event.claim, texts),
    usageText(event.agent?.usage ?? null, texts),
  ].filter((part) => part !== null);
  return withTime(texts.ended(parts.join(texts.listSeparator)), event.process, texts);
}

export function withTime(what: string, process: ProcessRecord, texts: TerminalTexts): string {
  const leaked = process.leaked.length === 0 ? "" : texts.listSeparator + texts.leaked(process.leaked.length);
  return `${what}${leaked} (${duration(process.durationMs)})`;
}
