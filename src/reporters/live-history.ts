import type { CheckEnded, CheckPhase, RunResumed } from "../domain/event.ts";
import { succeeded } from "../domain/process-end.ts";
import { passedOnlyWithAgentTests } from "../domain/room/verdict.ts";
import { attemptMs } from "../domain/run-time.ts";
import { lastAttempt, type Attempt, type RunState } from "../domain/state.ts";
import { splitLines, visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { agentFacts, failureText } from "./agent-wording.ts";
import { duration } from "../domain/time-text.ts";
import { quotedText, type FailedOutput, type History } from "./history.ts";
import type { Line } from "./page.ts";
import { roomLines } from "./room-history.ts";
import { countsText, failureOf, testTexts, treeFacts } from "./room-wording.ts";
import {
  agentDetails,
  answerText,
  containmentText,
  endText,
  failedCheck,
  attemptsUsed,
  lastDecidedAbout,
  leakedIn,
  saidText,
  takesOver,
  stuckText,
} from "./wording.ts";

const MAX_EXCERPT_LINES = 8;
const MAX_NOTE_LINES = 3;

/** A line an attempt, when it is judged; what happens meanwhile is in the lines that are redrawn. */
export const liveHistory: History = (event, scene, texts) => {
  const { state, failed } = scene;
  switch (event.type) {
    case "run_started":
      return [
        headLine(state, texts.upTo(state.maxLoops), texts),
        taskLine(state, texts),
        ...agentDetails(state).map((text): Line => ({ text: `  ${text}`, mayBeCut: true })),
        ...event.missingAgents.map((name): Line => ({
          text: `! ${texts.passedOver(visible(name))}`,
          tone: "warn",
        })),
      ];
    case "run_resumed": {
      const used = `${texts.resumed}  ${texts.attemptsUsed(attemptsUsed(state), state.maxLoops)}`;
      return [headLine(state, used, texts), taskLine(state, texts), ...leftoverLines(event, texts)];
    }
    case "turn_failed":
      return [
        {
          text: `~ ${event.attempt} ${texts.turnFailed(failureText(event, Date.parse(state.updatedAt), state, texts))}`,
          tone: "warn",
        },
        ...quotedText(event.agent.failure.message, MAX_NOTE_LINES, texts),
      ];
    case "turn_started":
      return takesOver(event.agent, state)
        ? [{ text: `~ ${event.attempt} ${texts.takesOver(visible(event.agent ?? ""))}`, tone: "warn" }]
        : [];
    case "turn_interrupted":
      return [{ text: `! ${event.attempt} ${texts.turnInterrupted}`, tone: "warn" }];
    case "attempt_judged": {
      const attempt = lastAttempt(state);
      if (!attempt) return [];
      const said = attempt.turn?.agent?.failure?.message ?? "";
      const stuck = stuckText(attempt, state, texts);
      return [
        attemptLine(attempt, texts),
        ...testLines(attempt, texts),
        ...quotedText(said, MAX_NOTE_LINES, texts),
        ...excerptLines(failed, texts),
        ...(stuck === null ? [] : [{ text: `! ${attempt.index} ${stuck}`, tone: "warn" as const }]),
      ];
    }
    case "question_answered":
      return [
        { text: `? ${answerText(event.answer, texts, lastDecidedAbout(state))}`, tone: "ask" },
        ...quotedText(event.note ?? "", MAX_NOTE_LINES, texts),
      ];
    case "answer_refused":
      return [
        {
          text: `! ${texts.answerRefused}${texts.colon}${texts.refusal[event.why]} (${event.why})`,
          tone: "warn",
        },
      ];
    case "base_taken":
    case "base_checked":
    case "candidate_taken":
    case "candidate_confirmed":
      return roomLines(event, scene, texts, String);
    // Whoever asks the person shows the question, too.
    case "question_asked":
    case "turn_ended":
    // In the lines that are redrawn.
    case "wait_started":
    case "wait_ended":
    case "check_ended":
    case "run_stopped":
    case "run_ended":
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

function headLine(state: RunState, terms: string, texts: TerminalTexts): Line {
  const agents = state.settings.agents.map(({ name }) => visible(name)).join(", ");
  const who = agents === "" ? "" : `${agents}  `;
  return { text: `supervise ${state.runId}  ${who}${terms}  ${containmentText(state.containment, texts)}` };
}

function taskLine(state: RunState, texts: TerminalTexts): Line {
  const [first = "", ...rest] = splitLines(state.settings.task);
  const more = rest.length === 0 ? "" : ` ${texts.moreLines(rest.length)}`;
  return { text: `  ${visible(first)}${more}`, mayBeCut: true };
}

function leftoverLines(event: RunResumed, texts: TerminalTexts): Line[] {
  if (event.ended.length === 0) return [];
  const processes = event.ended.map(({ pid, command }): Line => ({
    text: `    ${pid} ${visible(command)}`,
    tone: "faint",
  }));
  return [{ text: `! ${texts.endedLeftovers(event.ended.length)}`, tone: "warn" }, ...processes];
}

function attemptLine(attempt: Attempt, texts: TerminalTexts): Line {
  const accepted = attempt.judged?.verdict === "accepted";
  const head = accepted ? `✓ ${attempt.index} ${texts.accepted}` : `✗ ${attempt.index} ${texts.rejected}`;
  const facts = [
    ...turnFacts(attempt, texts),
    ...checkFacts(attempt, texts),
    ...treeFacts(attempt, texts),
  ].join(texts.partSeparator);
  return { text: `${head}  ${duration(attemptMs(attempt))}  ${facts}`, tone: accepted ? "good" : "bad" };
}

function turnFacts({ turn }: Attempt, texts: TerminalTexts): string[] {
  if (!turn) return [];
  const ended = succeeded(turn.process.end) ? [] : [texts.agentEnded(endText(turn.process.end, texts))];
  const changed = turn.changedInputs.map((path) => visible(path));
  return [
    ...ended,
    ...agentFacts(turn.agent, texts),
    ...(turn.claim ? [saidText(turn.claim, texts)] : []),
    ...(changed.length > 0 ? [texts.inputsChanged(changed)] : []),
  ];
}

function checkFacts(attempt: Attempt, texts: TerminalTexts): string[] {
  const failed = failedCheck(attempt);
  const leaked = leakedIn(attempt).length;
  const phasesOf = (checks: readonly CheckEnded[]): readonly CheckPhase[] => [
    ...new Set(checks.map((check) => check.phase)),
  ];
  const withAgentTests = attempt.checks.filter((check) => passedOnlyWithAgentTests(check, attempt));
  const facts = leaked === 0 ? [] : [texts.leaked(leaked)];
  if (failed) {
    const { command } = failed.process;
    return [texts.testsFailed(failed.phase, visible(command), failureOf(failed, texts)), ...facts];
  }
  const sound = attempt.checks.filter((check) => !withAgentTests.includes(check));
  const last = sound.at(-1);
  const counts = last ? countsText(last, texts) : null;
  const passed = texts.testsPassed(phasesOf(sound)) + (counts === null ? "" : texts.colon + counts);
  return [
    ...(sound.length === 0 ? [] : [passed]),
    ...(withAgentTests.length === 0
      ? []
      : [texts.room.passedOnlyWithAgentTests(phasesOf(withAgentTests).map((phase) => texts.phase[phase]))]),
    ...facts,
  ];
}

function testLines({ checks }: Attempt, texts: TerminalTexts): Line[] {
  // Two checks may have the same evidence.
  return [...new Set(checks.flatMap((check) => testTexts(check, texts)))].map((text): Line => ({
    text: `    ${text}`,
    mayBeCut: true,
  }));
}

function excerptLines(failed: FailedOutput | undefined, texts: TerminalTexts): Line[] {
  if (!failed) return [];
  const lines = failed.lines.flatMap((line) =>
    "text" in line && line.text.trim() !== "" ? [visible(line.text)] : [],
  );
  const shown = lines
    .slice(0, MAX_EXCERPT_LINES)
    .map((text): Line => ({ text: `    ${text}`, tone: "faint", mayBeCut: true }));
  return [...shown, { text: `    ${texts.allOutput(visible(failed.path))}`, tone: "faint" }];
}
