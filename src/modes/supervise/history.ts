import type { CheckEnded, CheckPhase } from "../../core/event.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { passedOnlyWithAgentTests } from "../../evidence/verdict.ts";
import { attemptMs } from "../../core/run-time.ts";
import { lastAttempt, type Attempt, type RunState } from "../../core/state.ts";
import { splitLines, visible } from "../../text/text.ts";
import { superviseWords } from "./words/supervise-words.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { agentFacts } from "../../ui/agent-wording.ts";
import { duration } from "../../text/time-text.ts";
import { quotedText } from "../../ui/history.ts";
import type { Describe, FailedOutput } from "../../ui/mode-view.ts";
import type { Line } from "../../ui/page.ts";
import { countsText, failureOf, testTexts, treeFacts } from "../../ui/room-wording.ts";
import {
  agentStatements,
  leftoverStatements,
  sharedStatements,
  takeoverStatement,
} from "../../ui/shared-history.ts";
import { isStatement, warns } from "../../ui/statement.ts";
import {
  agentNames,
  headLine,
  endText,
  failedCheck,
  attemptsUsed,
  leakedIn,
  saidText,
  takesOver,
  stuckAtStep,
  stuckText,
} from "../../ui/wording.ts";

const MAX_EXCERPT_LINES = 8;
const MAX_NOTE_LINES = 3;

/** One line per attempt, after its verdict. The redrawn lines show the work in between. */
export const liveHistory: Describe = (event, scene, texts) => {
  const { state, failed } = scene;
  switch (event.type) {
    case "run_started":
      return [
        headLine(state, [agentNames(state.settings), texts.upTo(state.maxLoops)], texts),
        taskLine(state, texts),
        ...agentStatements(event, state, texts),
      ];
    case "run_resumed": {
      const used = texts.attemptsUsed(attemptsUsed(state), state.maxLoops);
      return [
        headLine(state, [agentNames(state.settings), texts.resumed, used], texts),
        taskLine(state, texts),
        ...leftoverStatements(event, texts).map((part) => (isStatement(part) ? part : unbarred(part))),
      ];
    }
    case "turn_started":
      return takesOver(event.agent, state) ? [takeoverStatement(event, texts)] : [];
    case "attempt_judged": {
      const attempt = lastAttempt(state);
      if (!attempt) return [];
      const said = attempt.turn?.agent?.failure?.message ?? "";
      const stuck = stuckText(stuckAtStep(attempt, state), texts);
      return [
        attemptLine(attempt, texts),
        ...testLines(attempt, texts),
        ...quotedText(said, MAX_NOTE_LINES, texts),
        ...excerptLines(failed, texts),
        ...(stuck === null ? [] : [warns("verdict", stuck, attempt.index)]),
      ];
    }
    // Shown in the redrawn lines.
    case "wait_started":
    case "wait_ended":
      return [];
    default:
      return sharedStatements(event, scene, texts);
  }
};

function taskLine(state: RunState, texts: TerminalTexts): Line {
  const [first = "", ...rest] = splitLines(state.settings.task);
  const more = rest.length === 0 ? "" : ` ${texts.moreLines(rest.length)}`;
  return { text: `  ${visible(first)}${more}`, mayBeCut: true };
}

/** Here foreign text has a deeper indentation in place of the bar. */
function unbarred(line: Line): Line {
  return { ...line, text: line.text.replace("|", " ") };
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
    return [
      superviseWords[texts.lang].testsFailed(failed.phase, visible(command), failureOf(failed, texts)),
      ...facts,
    ];
  }
  const sound = attempt.checks.filter((check) => !withAgentTests.includes(check));
  const last = sound.at(-1);
  const counts = last ? countsText(last, texts) : null;
  const passed =
    superviseWords[texts.lang].testsPassed(phasesOf(sound)) + (counts === null ? "" : texts.colon + counts);
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
