import type { AttemptJudged, CheckEnded, RunEvent, TurnEnded } from "../core/event.ts";
import type { ProcessRecord } from "../platform/process/process-end.ts";
import { checkPassed, checkResult } from "../evidence/verdict.ts";
import { lastAttempt } from "../core/state.ts";
import { visible } from "../text/text.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { agentFacts } from "./agent-wording.ts";
import { duration } from "../text/time-text.ts";
import { byteSize } from "./format.ts";
import { outputLines, processLines, quotedText } from "./history.ts";
import type { Scene } from "./mode-view.ts";
import { usageText } from "./money.ts";
import { quoted } from "./output-lines.ts";
import type { Line } from "./page.ts";
import { baseCommandText, countsText, reasonText, testTexts, runText, shownText } from "./room-wording.ts";
import {
  agentStatements,
  inputStatements,
  leftoverStatements,
  sharedStatements,
  takeoverStatement,
} from "./shared-history.ts";
import { warns, type Description } from "./statement.ts";
import {
  containmentText,
  endText,
  attemptsUsed,
  saidText,
  stopText,
  takesOver,
  stuckAtStep,
  stuckText,
} from "./wording.ts";

const MAX_TASK_LINES = 5;
const MAX_CLAIM_LINES = 5;

/** One line per event, with time and subject: for pipes, CI and screen readers. */
export function plainHistory(
  event: RunEvent,
  scene: Scene,
  texts: TerminalTexts,
  stuckIn = stuckAtStep,
): Description {
  const { state, failed, kept } = scene;
  const attempt = lastAttempt(state);
  switch (event.type) {
    case "run_started": {
      const agents = state.settings.agents.map(({ name }) => visible(name));
      const terms = [...agents, texts.upTo(state.maxLoops), containmentText(state.containment, texts)];
      return [
        { subject: "run", text: `${texts.started}${texts.colon}${terms.join(texts.listSeparator)}` },
        ...(kept ? [] : quotedText(state.settings.task, MAX_TASK_LINES, texts)),
        ...agentStatements(event, state, texts),
      ];
    }
    case "run_resumed": {
      const used = texts.attemptsUsed(attemptsUsed(state), state.maxLoops);
      const terms = [used, containmentText(state.containment, texts)];
      const text = `${texts.resumed}${texts.colon}${terms.join(texts.listSeparator)}`;
      return [{ subject: "run", text }, ...leftoverStatements(event, texts)];
    }
    case "run_stopped":
      return [{ subject: "run", text: stopText(event.by, texts) }];
    case "run_ended":
      return [{ subject: "run", text: texts.runEnded(event) + (kept ? ` (${event.reason})` : "") }];
    case "turn_started": {
      if (takesOver(event.agent, state)) return [takeoverStatement(event, texts)];
      const again =
        state.interruptedTurns.some((turn) => turn.attempt === event.attempt) ||
        state.failures.some((failure) => failure.event.attempt === event.attempt);
      const name = event.agent === null ? "" : `${visible(event.agent)} `;
      return [
        {
          subject: "agent",
          attempt: event.attempt,
          text: name + (again ? texts.turnTakenAgain : texts.started),
        },
      ];
    }
    case "turn_ended":
      return [
        { subject: "agent", attempt: event.attempt, text: turnText(event, texts) },
        ...(kept && event.claim?.orderCertain === false ? [warns("agent", texts.orderUncertain)] : []),
        ...quotedText(event.claim?.evidence ?? "", MAX_CLAIM_LINES, texts),
        ...quotedText(event.agent?.failure?.message ?? "", MAX_CLAIM_LINES, texts),
        ...inputStatements(event.changedInputs, texts),
        ...processLines(event.process.leaked),
        ...(failed === undefined ? [] : outputLines(failed, texts)),
      ];
    case "check_ended": {
      const result = checkResult(event, attempt, state);
      const text = withTime(checkText(event, result, texts), event.process, texts);
      return [
        { subject: "check", attempt: event.attempt, text, tone: TONES[result] },
        ...testLines(event, texts),
        ...processLines(event.process.leaked),
        ...(checkPassed(event) || failed === undefined ? [] : outputLines(failed, texts)),
      ];
    }
    case "attempt_judged": {
      const accepted = event.verdict === "accepted";
      const reasons = attempt ? event.reasons.map((reason) => reasonText(reason, attempt, texts)) : [];
      const why = reasons.length === 0 ? "" : `${texts.colon}${reasons.join(texts.partSeparator)}`;
      const text = `${accepted ? texts.accepted : texts.rejected}${why}`;
      const stuck = attempt ? stuckText(stuckIn(attempt, state), texts) : null;
      const hasRunFull = attempt?.checks.some(({ phase }) => phase === "full") === true;
      const lacksFull = kept && "testFull" in state.settings && !hasRunFull;
      return [
        ...(lacksFull ? [{ subject: "check", attempt: event.attempt, text: texts.fullNotRun } as const] : []),
        { subject: "verdict", attempt: event.attempt, text, tone: accepted ? "good" : "bad" },
        ...(stuck === null ? [] : [warns("verdict", stuck, event.attempt)]),
        ...(kept ? feedbackLines(event, texts) : []),
      ];
    }
    case "question_asked": {
      const isHeld = state.question?.about === "protected";
      const text = isHeld ? texts.room.held : texts.asked(attemptsUsed(state), state.maxLoops);
      return [{ subject: "person", text, tone: "ask" }];
    }
    case "base_checked":
      return [
        { subject: "base", text: withTime(baseCommandText(event, texts), event.process, texts) },
        ...(kept ? quotedText(event.notStarted?.said ?? "", MAX_CLAIM_LINES, texts) : []),
        ...(kept ? processLines(event.process.leaked) : []),
      ];
    default:
      return sharedStatements(event, scene, texts);
  }
}

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
  const onlyWithCandidateTests = check.room?.baseTests ? [texts.room.onlyWithCandidateTests] : [];
  return [what, ...(counts === null ? [] : [counts]), ...onlyWithCandidateTests].join(texts.listSeparator);
}

/** Names of tests are foreign text. */
export function testLines(check: CheckEnded, texts: TerminalTexts): Line[] {
  return testTexts(check, texts).map(quoted);
}

/** `ended: exit 0, said DONE, $0.25 (18m40s)` */
export function turnText(
  { process, agent, claim }: Pick<TurnEnded, "process" | "agent"> & Partial<Pick<TurnEnded, "claim">>,
  texts: TerminalTexts,
  said: readonly string[] = claim ? [saidText(claim, texts)] : [],
): string {
  const parts = [
    endText(process.end, texts),
    ...agentFacts(agent, texts),
    ...said,
    usageText(agent?.usage ?? null, texts),
  ].filter((part) => part !== null);
  return withTime(texts.ended(parts.join(texts.listSeparator)), process, texts);
}

export function feedbackLines({ feedback }: AttemptJudged, texts: TerminalTexts): readonly Line[] {
  const text = texts.feedback(visible(feedback.path), byteSize(feedback.bytes));
  return feedback.bytes === 0 ? [] : [{ text: `  ${text}` }];
}

export function withTime(what: string, process: ProcessRecord, texts: TerminalTexts): string {
  const leaked = process.leaked.length === 0 ? "" : texts.listSeparator + texts.leaked(process.leaked.length);
  return `${what}${leaked} (${duration(process.durationMs)})`;
}

/** Shows the decisive run: the one with the original tests, if the agent's version of them does not count. */
export function resultText(
  check: CheckEnded,
  result: ReturnType<typeof checkResult>,
  texts: TerminalTexts,
): string {
  const baseTests = result === "failed" && checkPassed(check) ? check.room?.baseTests : null;
  if (baseTests) return texts.room.withBaseTests(runText(baseTests, texts));
  return [
    shownText(check, texts),
    ...(check.room?.baseTests ? [texts.room.onlyWithCandidateTests] : []),
  ].join(texts.listSeparator);
}
