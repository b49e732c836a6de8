import { boardTerms } from "./words/terminal.ts";
import { standing } from "./call.ts";
import { decisionIn } from "./user-decisions.ts";
import type { Broken } from "../../core/board/rule.ts";
import { asksLeft, reportIn, roleOf } from "../../core/board/iterations.ts";
import type {
  BoardEdited,
  CheckEnded,
  MainEnded,
  QuestionAnswered,
  TreeChange,
  TurnEnded,
  TurnStarted,
} from "../../core/event.ts";
import type { OrchestrateSettings } from "../../core/settings.ts";
import { succeeded } from "../../platform/process/process-end.ts";
import { checkPassed, endInEvidence } from "../../evidence/verdict.ts";
import { lastAttempt, type Attempt, type RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import { isRed, seenAs } from "./verdict-role.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { agentFacts } from "../../ui/agent-wording.ts";
import {
  boardResumed,
  boardStart,
  changeStatements,
  editStatements,
  inputStatements,
  restoredStatements,
  toolStatements,
} from "./board-statements.ts";
import {
  brief,
  brokenText,
  callText,
  iterationsUsed,
  nextText,
  openCallTexts,
  planText,
  roleSaidText,
  uncompared,
  workerText,
} from "./board-wording.ts";
import { iterationVerdict } from "./board-verdict.ts";
import { outputLines, quotedText } from "../../ui/history.ts";
import type { Describe, Scene } from "../../ui/mode-view.ts";
import { quoted } from "../../ui/output-lines.ts";
import { feedbackLines, plainHistory, testLines, turnText, withTime } from "../../ui/plain-history.ts";
import { shownText } from "../../ui/room-wording.ts";
import {
  leakedStatements,
  leftoverStatements,
  sharedStatements,
  takeoverStatement,
  viaText,
} from "../../ui/shared-history.ts";
import { warns, type Description } from "../../ui/statement.ts";
import { containmentText, endText } from "../../ui/wording.ts";

type BoardScene = Scene<OrchestrateSettings>;

const MAX_SAID_LINES = 5;
const MAX_NOTE_LINES = 5;
const MAX_REASON_LINES = 3;
const MAX_RULES = 8;
/** Output is shown for this many failed commands of an iteration; the report has all of them. */
const MAX_OUTPUTS = 3;

/** A run on a board: one line for MAIN's decision, and one for its result. */
export const boardHistory: Describe<OrchestrateSettings> = (event, scene, texts) => {
  const { state } = scene;
  switch (event.type) {
    case "main_ended":
      return mainLines(event, scene, texts);
    case "turn_ended":
      return workLines(event, scene, texts);
    case "attempt_judged": {
      const attempt = lastAttempt(state);
      return attempt
        ? [iterationVerdict(attempt, state, texts), ...(scene.kept ? feedbackLines(event, texts) : [])]
        : [];
    }
    case "board_edited":
      return editedLines(event, scene, texts);
    case "question_answered":
      return answerLines(event, scene, texts);
    default:
      return scene.kept ? keptLines(event, scene, texts) : liveLines(event, scene, texts);
  }
};

/** For a person who looks back: every command that ran. */
const keptLines: Describe<OrchestrateSettings> = (event, scene, texts) => {
  const { state } = scene;
  switch (event.type) {
    case "run_resumed":
      return [
        { subject: "run", text: resumedText(state, texts) },
        ...restoredStatements(event, texts),
        ...leftoverStatements(event, texts),
      ];
    case "check_ended":
      return isWanted(event, lastAttempt(state))
        ? wantedLines(event, texts)
        : plainHistory(event, scene, texts);
    // The end of the turn names its agent and its time.
    case "turn_started":
      return [];
    case "question_asked":
      return [{ subject: "person", text: askedText(state, texts), tone: "ask" }];
    default:
      return plainHistory(event, scene, texts);
  }
};

/** For terminals, pipes and CI. */
const liveLines: Describe<OrchestrateSettings> = (event, scene, texts) => {
  const { state } = scene;
  switch (event.type) {
    case "run_started":
      return boardStart(event, state, texts);
    case "run_resumed":
      return [...boardResumed(event, state, texts), ...leftoverStatements(event, texts)];
    case "turn_started":
      return takeoverLines(event, state, texts);
    case "check_ended":
      return checkLines(event, scene, texts);
    default:
      return sharedStatements(event, scene, texts);
  }
};

/** Reports that another agent takes over after a failure. Different agents for different roles are not worth a line. */
function takeoverLines(event: TurnStarted, state: RunState, texts: TerminalTexts): Description {
  const failed = state.failures.at(-1)?.event;
  const isAnother =
    event.agent !== null && failed?.turn === event.turn - 1 && failed.agent.name !== event.agent;
  return isAnother ? [takeoverStatement(event, texts)] : [];
}

function mainLines(event: MainEnded, scene: BoardScene, texts: TerminalTexts): Description {
  const { state } = scene;
  const attempt = lastAttempt(state);
  if (!attempt) return [];
  const plan = planMoves(scene, texts);
  const waiver = attempt.call?.order?.redWaiver ?? null;
  // An answer that is refused because MAIN changed files says so itself.
  const isBlamed = event.broken.some(({ rule }) => rule === "main_changed_files");
  return [
    ...toolStatements(event, state, texts),
    ...failureLines(event, attempt, "MAIN", scene, texts),
    ...decisionLines(event, attempt, scene, texts),
    ...plan.map((text) => ({ subject: "agent", attempt: event.attempt, text, isDetail: true }) as const),
    ...(waiver === null ? [] : [warns("agent", boardTerms[texts.lang].waived(brief(waiver)), event.attempt)]),
    ...(isBlamed ? [] : changeStatements("MAIN", event.changed, event, state, texts)),
    ...endLines(event, event.changed, scene, texts),
  ];
}

/** Lines at the end of every turn. */
function endLines(
  event: MainEnded | TurnEnded,
  changed: TreeChange,
  { state }: BoardScene,
  texts: TerminalTexts,
): Description {
  // Reported once, because it does not change during the run.
  const isNew = changed === null && uncompared(state) === 1;
  return [
    ...(isNew ? [warns("agent", boardTerms[texts.lang].notCompared)] : []),
    ...inputStatements(event, state.settings, texts),
    ...leakedStatements(event.process.leaked, texts),
  ];
}

/** How the event changed the plan; empty: not at all. */
function planMoves({ state, before }: Scene, texts: TerminalTexts): readonly string[] {
  const was = before?.board;
  const plan = was && state.board ? planText(was.plan, state.board.plan, texts) : null;
  return plan === null ? [] : [plan];
}

function decisionLines(
  event: MainEnded,
  attempt: Attempt,
  { state, kept }: BoardScene,
  texts: TerminalTexts,
): Description {
  const { answer, broken } = event;
  const board = boardTerms[texts.lang];
  const { index } = attempt;
  const why = kept ? quotedText(answer?.reason ?? "", MAX_REASON_LINES, texts) : [];
  if (attempt.call && !attempt.call.finishRefused && state.board)
    return [
      { subject: "agent", attempt: index, text: callText(attempt.call, state.board.plan, texts) },
      ...why,
    ];
  const then =
    standing(event) === "plan" ? "plan_taken" : asksLeft(state, attempt) > 0 ? "asked_again" : "person_asked";
  const [first] = broken;
  const rule = first && broken.length === 1 && !kept ? brokenText(first, texts) : board.rules(broken.length);
  const after = texts.partSeparator + board.afterwards[then];
  const head =
    answer === null
      ? `MAIN ${board.answerRefused}${texts.colon}${rule}${after}`
      : nextText(answer, board.refused(rule) + after);
  const left = broken.length - MAX_RULES;
  const named = (one: Broken): string => `${kept ? `${one.rule}: ` : ""}${brokenText(one, texts)}`;
  const rules = broken.length < 2 && !kept ? [] : broken.slice(0, MAX_RULES).map((one) => quoted(named(one)));
  return [
    { subject: "agent", attempt: index, text: head, tone: "warn" },
    ...rules,
    ...(left > 0 ? [quoted(texts.moreLines(left))] : []),
    ...(kept && then === "person_asked"
      ? openCallTexts(state, texts).map((text) => ({ text: `  ${text}` }))
      : []),
    ...why,
  ];
}

function workLines(event: TurnEnded, scene: BoardScene, texts: TerminalTexts): Description {
  const { state } = scene;
  const attempt = lastAttempt(state);
  const report = attempt && reportIn(attempt);
  if (!report) return [];
  const who = workerText(attempt, state);
  const { changed } = report;
  return [
    ...failureLines(event, attempt, who, scene, texts, [roleSaidText(report.said, texts)]),
    ...changeStatements(who, changed, event, state, texts),
    ...endLines(event, changed, scene, texts),
  ];
}

/** A turn that succeeded needs no line on a screen, because its result comes next. */
function failureLines(
  { agent, process }: Pick<MainEnded | TurnEnded, "agent" | "process">,
  { index }: Attempt,
  who: string,
  { failed, kept }: Scene,
  texts: TerminalTexts,
  said: readonly string[] = [],
): Description {
  const message = agent?.failure?.message ?? "";
  if (kept) {
    const how = turnText({ agent, process }, texts, said);
    return [
      { subject: "agent", attempt: index, text: `${who} ${visible(agent?.name ?? "")} ${how}` },
      ...quotedText(message, MAX_SAID_LINES, texts),
      ...(failed ? outputLines(failed, texts) : []),
    ];
  }
  const facts = agentFacts(agent, texts);
  if (succeeded(process.end) && agent?.failure == null)
    return facts.map((fact) => warns("agent", `${who}${texts.colon}${fact}`, index));
  const how = succeeded(process.end) ? facts : [...facts, endText(process.end, texts)];
  const text = boardTerms[texts.lang].turnFailed(who, how.join(texts.listSeparator));
  return [
    { subject: "agent", sign: "✗", attempt: index, text, tone: "bad" },
    ...quotedText(how.includes(message) ? "" : message, MAX_SAID_LINES, texts),
    ...(failed ? outputLines(failed, texts) : []),
  ];
}

/** Failures show at once. Tests that TEST has to leave red are not failures. */
function checkLines(check: CheckEnded, { state, failed }: Scene, texts: TerminalTexts): Description {
  const { process, output } = check;
  const attempt = lastAttempt(state);
  const end = endInEvidence(check);
  const leaked = leakedStatements(process.leaked, texts);
  const flaky = check.room?.flaky == null ? [] : testLines(check, texts);
  if (!attempt || succeeded(end)) return [...flaky, ...leaked];
  if (isWanted(check, attempt)) return leaked;
  const red = attempt.checks.filter((one) => !checkPassed(one)).length;
  const shown = red > MAX_OUTPUTS ? [] : outputLines(failed ?? { lines: [], path: output.path }, texts);
  const notRun = seenAs(end) === "not_run" ? `  ${boardTerms[texts.lang].didNotRun}` : "";
  const text = `${visible(process.command)}  ${shownText(check, texts)}${notRun}`;
  return [
    { subject: "check", sign: "✗", attempt: attempt.index, text, tone: "bad" },
    ...testLines(check, texts),
    ...shown,
    ...leaked,
  ];
}

function isWanted(check: CheckEnded, attempt: Attempt | undefined): boolean {
  return attempt !== undefined && roleOf(attempt) === "TEST" && isRed(endInEvidence(check));
}

/** A test that has to fail before the work, and does. */
function wantedLines(check: CheckEnded, texts: TerminalTexts): Description {
  const { attempt, process } = check;
  const facts = [visible(process.command), shownText(check, texts), boardTerms[texts.lang].wanted];
  return [
    { subject: "check", attempt, text: withTime(facts.join(texts.listSeparator), process, texts) },
    ...leakedStatements(process.leaked, texts),
  ];
}

function resumedText(state: RunState, texts: TerminalTexts): string {
  const used = boardTerms[texts.lang].iterationsUsed(iterationsUsed(state), state.maxLoops);
  const how = [used, containmentText(state.containment, texts)].join(texts.listSeparator);
  return `${texts.resumed}${texts.colon}${how}`;
}

function askedText(state: RunState, texts: TerminalTexts): string {
  const about = state.question?.about ?? "limit";
  const { asked, endWaiting } = boardTerms[texts.lang];
  if (about === "protected") return texts.room.held;
  return about === "limit" ? endWaiting(iterationsUsed(state), state.maxLoops) : asked[about];
}

function editedLines(event: BoardEdited, scene: Scene, texts: TerminalTexts): Description {
  return [...editStatements(event, texts), ...planMoves(scene, texts).map((plan) => ({ text: `  ${plan}` }))];
}

function answerLines(event: QuestionAnswered, scene: Scene, texts: TerminalTexts): Description {
  const { state } = scene;
  const attempt = lastAttempt(state);
  const about = state.decisions.at(-1)?.about;
  const { answer, note } = event;
  if (!attempt || about === "limit" || about === "protected" || answer.kind !== "option")
    return sharedStatements(event, scene, texts);
  const board = boardTerms[texts.lang];
  const words = Object.entries(board.mainOption).find(([option]) => option === answer.option)?.[1];
  const means = about === "user" ? decisionIn(state, attempt)?.description : words;
  const meaning = means === undefined ? "" : `: ${brief(means)}`;
  const chose = board.chose(visible(answer.option) + meaning) + viaText(event, scene);
  return [
    { subject: "person", attempt: attempt.index, text: `USER ${chose}`, tone: "ask" },
    ...quotedText(note ?? "", MAX_NOTE_LINES, texts),
  ];
}
