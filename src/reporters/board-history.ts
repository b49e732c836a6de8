import { BOARD } from "../board/names.ts";
import { standing } from "../domain/board/call.ts";
import { decisionIn } from "../domain/board/decided.ts";
import { asksLeft, reportIn, roleOf } from "../domain/board/iterations.ts";
import type {
  BoardEdited,
  CheckEnded,
  MainEnded,
  QuestionAnswered,
  TurnEnded,
  TurnStarted,
} from "../domain/event.ts";
import { succeeded, type ProcessEnd } from "../domain/process-end.ts";
import { checkPassed, endInEvidence } from "../domain/room/verdict.ts";
import { lastAttempt, type Attempt, type RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import { isRed, seenAs } from "../domain/verdict-role.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { agentFacts } from "./agent-wording.ts";
import { boardResumed, boardStart } from "./board-head.ts";
import { changedText, inputTexts } from "./board-inputs.ts";
import { iterationVerdict } from "./board-verdict.ts";
import {
  brief,
  brokenText,
  callText,
  isFirstWithTools,
  iterationPlace,
  nextText,
  planText,
  uncompared,
  workerText,
} from "./board-wording.ts";
import { outputLines, quotedText, type History, type Scene } from "./history.ts";
import { quoted } from "./output-lines.ts";
import type { Line } from "./page.ts";
import { testLines } from "./plain-history.ts";
import { shownText } from "./room-wording.ts";
import { leakedLines, leftoverLines, sharedLines, warning } from "./shared-history.ts";
import { endText } from "./wording.ts";

const MAX_SAID_LINES = 5;
const MAX_NOTE_LINES = 5;
const MAX_RULES = 8;
/** Of so many commands that fail in an iteration the output is shown; the report has that of all. */
const MAX_OUTPUTS = 3;

/** A run on a board, for terminals, pipes and CI alike: a line for what MAIN decided, and one for what came of it. */
export const boardHistory: History = (event, scene, texts) => {
  const { state } = scene;
  switch (event.type) {
    case "run_started":
      return boardStart(event, state, texts);
    case "run_resumed":
      return [...boardResumed(event, state, texts), ...leftoverLines(event, texts)];
    case "turn_started":
      return takeoverLines(event, state, texts);
    case "main_ended":
      return mainLines(event, scene, texts);
    case "turn_ended":
      return workLines(event, scene, texts);
    case "check_ended":
      return checkLines(event, scene, texts);
    case "attempt_judged": {
      const attempt = lastAttempt(state);
      return attempt ? [iterationVerdict(attempt, state, texts)] : [];
    }
    case "board_edited":
      return editedLines(event, scene, texts);
    case "question_answered":
      return answerLines(event, scene, texts);
    // Of runs that have steps.
    case "step_started":
    case "step_marked":
    case "step_refused":
    case "review_ended":
    case "steps_written":
      return [];
    default:
      return sharedLines(event, scene, texts);
  }
};

/** Another agent tries what the last one could not; that each role has its own is nothing to tell. */
function takeoverLines({ agent, attempt, turn }: TurnStarted, state: RunState, texts: TerminalTexts): Line[] {
  const failed = state.failures.at(-1)?.event;
  if (agent === null || failed?.turn !== turn - 1 || failed.agent.name === agent) return [];
  return [{ text: `~ ${iterationPlace(state, attempt)} ${texts.takesOver(visible(agent))}`, tone: "warn" }];
}

function mainLines(event: MainEnded, scene: Scene, texts: TerminalTexts): Line[] {
  const { state, before } = scene;
  const attempt = lastAttempt(state);
  if (!attempt) return [];
  const place = iterationPlace(state, attempt.index);
  const { board } = texts;
  const was = before?.board;
  const plan = was && state.board ? planText(was.plan, state.board.plan, texts) : null;
  const waiver = attempt.call?.order?.redWaiver ?? null;
  return [
    ...toolLines(event, state, texts),
    ...failureLines(event, place, "MAIN", scene, texts),
    ...decisionLines(event, attempt, state, texts),
    ...(plan === null ? [] : [{ text: `${place} ${plan}` }]),
    ...(waiver === null ? [] : [warning(`${place} ${board.waived(brief(waiver))}`)]),
    ...changedByLines(event, place, state, texts),
    ...comparisonLines(event.changed === null, state, texts),
    ...inputLines(event, state, texts),
    ...leakedLines(event.process, texts),
  ];
}

/** An answer is refused for files that MAIN changed, which says so; after a turn that was cut off it is not known who did. */
function changedByLines(event: MainEnded, place: string, state: RunState, texts: TerminalTexts): Line[] {
  const changed = event.changed ?? [];
  const isRefused = event.broken.some(({ rule }) => rule === "main_changed_files");
  if (changed.length === 0 || isRefused) return [];
  return [warning(`${place} ${changedText("MAIN", changed, event, state, texts)}`)];
}

/** Said before what it decided with them. */
function toolLines(event: MainEnded, state: RunState, { board }: TerminalTexts): Line[] {
  return event.tools !== "none" && isFirstWithTools(event, state)
    ? [warning(board.mainTools(visible(event.agent.name), event.tools))]
    : [];
}

function decisionLines(event: MainEnded, attempt: Attempt, state: RunState, texts: TerminalTexts): Line[] {
  const { answer, broken } = event;
  const { board } = texts;
  const place = iterationPlace(state, attempt.index);
  if (attempt.call && !attempt.call.finishRefused && state.board)
    return [{ text: `${place} ${callText(attempt.call, state.board.plan, texts)}` }];
  const then =
    standing(event) === "plan" ? "plan_taken" : asksLeft(state, attempt) > 0 ? "asked_again" : "person_asked";
  const [first] = broken;
  const why = first && broken.length === 1 ? brokenText(first, texts) : board.rules(broken.length);
  const after = texts.partSeparator + board.afterwards[then];
  const head =
    answer === null
      ? `MAIN ${board.answerRefused}${texts.colon}${why}${after}`
      : nextText(answer, board.refused(why) + after);
  const left = broken.length - MAX_RULES;
  const rules =
    broken.length < 2 ? [] : broken.slice(0, MAX_RULES).map((rule) => quoted(brokenText(rule, texts)));
  return [
    { text: `${place} ${head}`, tone: "warn" },
    ...rules,
    ...(left > 0 ? [quoted(texts.moreLines(left))] : []),
  ];
}

function workLines(event: TurnEnded, scene: Scene, texts: TerminalTexts): Line[] {
  const { state } = scene;
  const attempt = lastAttempt(state);
  const report = attempt && reportIn(attempt);
  if (!report) return [];
  const place = iterationPlace(state, event.attempt);
  const who = workerText(attempt, state);
  const { changed } = report;
  return [
    ...failureLines(event, place, who, scene, texts),
    ...(changed !== null && changed.length > 0
      ? [warning(`${place} ${changedText(who, changed, event, state, texts)}`)]
      : []),
    ...comparisonLines(changed === null, state, texts),
    ...inputLines(event, state, texts),
    ...leakedLines(event.process, texts),
  ];
}

/** Of a turn that went well there is nothing to tell: what it is worth is seen next. */
function failureLines(
  { agent, process }: Pick<MainEnded | TurnEnded, "agent" | "process">,
  place: string,
  who: string,
  { failed }: Scene,
  texts: TerminalTexts,
): Line[] {
  const facts = agentFacts(agent, texts);
  if (succeeded(process.end) && agent?.failure == null)
    return facts.map((fact) => warning(`${place} ${who}${texts.colon}${fact}`));
  const message = agent?.failure?.message ?? "";
  const how = succeeded(process.end) ? facts : [...facts, endText(process.end, texts)];
  return [
    { text: `✗ ${place} ${texts.board.turnFailed(who, how.join(texts.listSeparator))}`, tone: "bad" },
    ...quotedText(how.includes(message) ? "" : message, MAX_SAID_LINES, texts),
    ...(failed ? outputLines(failed, texts) : []),
  ];
}

/** Said once: where it is so it stays so. */
function comparisonLines(isUnknown: boolean, state: RunState, { board }: TerminalTexts): Line[] {
  return isUnknown && uncompared(state) === 1 ? [warning(board.notCompared)] : [];
}

function inputLines(event: MainEnded | TurnEnded, { settings }: RunState, texts: TerminalTexts): Line[] {
  return settings.mode === "orchestrate" ? inputTexts(event, settings, texts).map(warning) : [];
}

/** What fails shows at once; what TEST has to leave red is no failure. */
function checkLines(check: CheckEnded, { state, failed }: Scene, texts: TerminalTexts): Line[] {
  const { process, output } = check;
  const attempt = lastAttempt(state);
  const end = endInEvidence(check);
  const leaked = leakedLines(process, texts);
  const flaky = check.room?.flaky == null ? [] : testLines(check, texts);
  if (!attempt || succeeded(end)) return [...flaky, ...leaked];
  if (isWanted(end, attempt)) return leaked;
  const place = iterationPlace(state, attempt.index);
  const red = attempt.checks.filter((one) => !checkPassed(one)).length;
  const shown = red > MAX_OUTPUTS ? [] : outputLines(failed ?? { lines: [], path: output.path }, texts);
  const notRun = seenAs(end) === "not_run" ? `  ${texts.board.didNotRun}` : "";
  return [
    { text: `✗ ${place} ${visible(process.command)}  ${shownText(check, texts)}${notRun}`, tone: "bad" },
    ...testLines(check, texts),
    ...shown,
    ...leaked,
  ];
}

function isWanted(end: ProcessEnd, attempt: Attempt): boolean {
  return roleOf(attempt) === "TEST" && isRed(end);
}

function editedLines(event: BoardEdited, { state, before }: Scene, texts: TerminalTexts): Line[] {
  const names = [
    ...(event.plan === null ? [] : [BOARD.plan]),
    ...(event.context === null ? [] : [BOARD.context]),
    ...(event.projectEnv === null ? [] : [BOARD.env]),
  ];
  const was = before?.board;
  const plan = was && state.board ? planText(was.plan, state.board.plan, texts) : null;
  return [warning(texts.board.edited(names.join(", "))), ...(plan === null ? [] : [{ text: `  ${plan}` }])];
}

function answerLines(event: QuestionAnswered, scene: Scene, texts: TerminalTexts): Line[] {
  const { state } = scene;
  const attempt = lastAttempt(state);
  const about = state.decisions.at(-1)?.about;
  const { answer, note } = event;
  if (!attempt || about === "limit" || about === "oracle" || answer.kind !== "option")
    return sharedLines(event, scene, texts);
  const { board } = texts;
  const place = iterationPlace(state, attempt.index);
  const words = Object.entries(board.mainOption).find(([option]) => option === answer.option)?.[1];
  const means = about === "user" ? decisionIn(state, attempt)?.description : words;
  const chose = board.chose(`${visible(answer.option)}${means === undefined ? "" : `: ${brief(means)}`}`);
  return [{ text: `${place} USER ${chose}`, tone: "ask" }, ...quotedText(note ?? "", MAX_NOTE_LINES, texts)];
}
