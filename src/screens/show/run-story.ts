import { isOver, iterationOf } from "../../core/board/iterations.ts";
import type { DevPlan } from "../../core/board/plan.ts";
import { readPlan } from "../../modes/orchestrate/rules/read-plan.ts";
import type { Role, RunEvent } from "../../core/event.ts";
import type { RunTime } from "../../core/run-time.ts";
import { lastAttempt, type Attempt, type QuestionAbout, type RunState } from "../../core/state.ts";
import { splitLines, visible } from "../../text/text.ts";
import { resumedHow } from "../../modes/steps/steps-head.ts";
import { restoredText } from "../../modes/orchestrate/board-inputs.ts";
import { waitText } from "../../ui/agent-wording.ts";
import { clockTime } from "../../ui/format.ts";
import { quotedText } from "../../ui/history.ts";
import { viewOf } from "../../modes/registry.ts";
import type { Line } from "../../ui/page.ts";
import { labelled as row } from "../../ui/summary-parts.ts";
import { summaryLines } from "../summary.ts";
import { answerText, containmentText, stopText, timeText } from "../../ui/wording.ts";
import {
  checkStory,
  INDENT,
  interruptedText,
  MAX_PROCESSES,
  reviewStory,
  roleName,
  turnStory,
  verdictStory,
  type Evidence,
  type StoryView,
  type StoryContext,
} from "./attempt-story.ts";
import { editedStory, mainStory, planAfter, type Plans } from "./board-story.ts";
import { chatReviewStory, chatStory, interruptedReview, liveLine } from "./chat-story.ts";
import { baseCheckStory, baseStory } from "./room-story.ts";
import { STATUS_SIGNS } from "./run-status.ts";
import { stepStory } from "./step-story.ts";
import type { RunStatus } from "../../core/run-status.ts";
import { leftoverStatements, sharedStatements } from "../../ui/shared-history.ts";
import { isStatement, warns, type Description, type Statement } from "../../ui/statement.ts";

/** An event and when it was recorded. */
export interface Moment {
  readonly at: string;
  readonly event: RunEvent;
}

const MAX_TASK_LINES = 10;
const MAX_NOTE_LINES = 5;

/** One line about the run and its agents, then its task. */
export function storyHead(state: RunState, status: RunStatus, time: RunTime, view: StoryView): Line[] {
  const { texts, terms } = view;
  const { cwd, mode } = state.settings;
  const modeView = viewOf(state);
  const lines = splitLines(modeView.task(state, terms));
  const [first = "", ...rest] = lines.slice(0, MAX_TASK_LINES).map((line) => visible(line));
  const left = lines.length - MAX_TASK_LINES;
  return [
    { lead: `${state.runId} ${mode}  `, ...headline(state, status, time, view) },
    cuttable(row(texts.label.task, first)),
    ...rest.map((line) => cuttable(row("", line))),
    ...(left > 0 ? [row("", terms.moreLines(left))] : []),
    ...modeView.about(state, texts, terms),
    row(texts.label.cwd, visible(cwd)),
    ...modeView.facts(state, terms),
  ];
}

function cuttable(line: Line): Line {
  return { ...line, mayBeCut: true };
}

function headline(state: RunState, status: RunStatus, time: RunTime, view: StoryView): Line {
  const { texts, terms } = view;
  const { sign, tone } = STATUS_SIGNS[status];
  if (status === "superseded") return { text: `${sign} ${texts.superseded(view.supersededBy ?? "")}`, tone };
  if (status === "damaged") return { text: `${sign} ${texts.damaged}`, tone };
  if (status === "running" || status === "waiting")
    return { text: `${sign} ${viewOf(state).running(state, texts)}  ${timeText(time, terms)}`, tone };
  const [summary] = summaryLines(state, {}, terms);
  return summary ?? { text: sign };
}

/** The events in their order, with a line before each day. */
export function storyLines(
  moments: readonly Moment[],
  state: RunState,
  evidence: Evidence,
  { terms, ...rest }: StoryView,
): Line[] {
  const view = { ...rest, terms: viewOf(state).words(terms) };
  const lines: Line[] = [];
  let day = "";
  let turnStartedAt = state.startedAt;
  let step: number | null = null;
  let plan = firstPlan(state);
  let questions = 0;
  let bases = 0;
  const attempts = new Map(state.attempts.map((attempt) => [`${attempt.step}/${attempt.index}`, attempt]));
  for (const { at, event } of moments) {
    if (event.type === "turn_started") turnStartedAt = at;
    const isTurn = event.type === "turn_ended" || event.type === "turn_failed" || event.type === "main_ended";
    const shownAt = isTurn ? turnStartedAt : at;
    if (event.type === "step_started") step = event.step;
    const attempt = "attempt" in event ? attempts.get(`${step}/${event.attempt}`) : undefined;
    if (event.type === "question_asked") questions += 1;
    // Questions are answered one by one.
    const about = state.decisions[questions - 1]?.about ?? state.question?.about ?? "limit";
    const plans = { before: plan, after: planAfter(event, plan) };
    plan = plans.after;
    if (event.type === "base_taken") bases += 1;
    const context = { ...view, state, evidence, now: Date.parse(at), attempt, about };
    const added = describe(event, context, plans, bases === 1);
    if (added.length > 0 && dayOf(shownAt) !== day) {
      day = dayOf(shownAt);
      lines.push({ text: day, tone: "faint" });
    }
    const when = `${clockTime(shownAt).slice(0, 5)} `;
    lines.push(...added.map((part) => (isStatement(part) ? laidOut(part, when, state) : below(part))));
  }
  return lines;
}

/** `09:12  1 ✓ claude  18m40s`; details are below their statement. */
function laidOut(statement: Statement, when: string, state: RunState): Line {
  const { sign, attempt, text, tone, isDetail = false, mayBeCut = false } = statement;
  const number = attempt === undefined ? "" : String(iterationOf(state, attempt));
  const lead = isDetail ? INDENT : `${when}${number.padStart(2)} `;
  return { lead, text: sign === undefined ? text : `${sign} ${text}`, tone, mayBeCut };
}

function below(line: Line): Line {
  return line.lead === undefined ? { ...line, text: INDENT + line.text } : line;
}

/** The board's plan at the start of the run. */
function firstPlan({ settings }: RunState): DevPlan {
  const read = "boardDir" in settings ? readPlan(settings.plan) : null;
  return read && "plan" in read ? read.plan : { milestones: [] };
}

/** The description of an event for a person who looks back. */
function describe(event: RunEvent, context: StoryContext, plans: Plans, isFirstBase: boolean): Description {
  const { terms, texts, state, about, now } = context;
  switch (event.type) {
    case "run_started": {
      const limit = viewOf(event).limit(event.settings.maxLoops, terms);
      const how = [limit, containmentText(event.containment, terms)];
      return [{ subject: "run", text: terms.started + texts.detail(how.join(terms.listSeparator)) }];
    }
    case "run_resumed": {
      const restored = restoredText(event, terms);
      return [
        { subject: "run", text: terms.resumed + texts.detail(resumedHow(event, terms)) },
        ...(restored === null ? [] : [{ ...warns("run", restored), isDetail: false }]),
        ...leftoverStatements(event, terms, MAX_PROCESSES),
      ];
    }
    case "run_stopped":
      if (event.by === "undecided") return [{ subject: "run", text: terms.undecided }];
      return [{ ...warns("run", stopText(event.by, terms)), isDetail: false }];
    case "wait_started":
      return [{ subject: "agent", sign: "~", text: waitText(event, now, state, terms) }];
    case "wait_ended":
      return [{ subject: "agent", text: terms.waitOver }];
    case "turn_interrupted": {
      const text = interruptedReview(event, context) ?? interruptedText(event, context);
      return [{ ...warns("agent", text, event.attempt), isDetail: false }];
    }
    case "turn_ended":
      return turnStory(event, context);
    case "main_ended":
      return mainStory(event, plans, context);
    case "board_edited":
      return editedStory(event, plans, context);
    case "check_ended":
      return checkStory(event, context);
    case "attempt_judged":
      return verdictStory(event, context);
    case "review_ended":
      return (state.chat ? chatReviewStory : reviewStory)(event, context);
    case "question_asked":
      return [{ subject: "person", sign: "?", text: askedText(about, context), tone: "ask" }];
    case "question_answered": {
      const text = `${answerText(event.answer, terms, about)} (${event.via})`;
      return [{ subject: "person", sign: "?", text, tone: "ask" }, ...noteLines(event.note, context)];
    }
    case "answer_refused": {
      const what = event.answer === null ? "" : texts.detail(event.answer.kind);
      const why = `${terms.refusal[event.why]} (${event.why})`;
      const text = `${terms.answerRefused}${what}${terms.partSeparator}${why}`;
      return [{ ...warns("person", text), isDetail: false }, ...noteLines(event.note, context)];
    }
    case "step_started":
    case "step_marked":
    case "step_refused":
    case "steps_written":
      return stepStory(event, context);
    case "live_started":
    case "input_given":
    case "input_taken_back":
    case "live_turn_ended":
    case "feedback_sent":
    case "review_dropped":
    case "reviews_set":
    case "live_ended":
      return chatStory(event, context);
    case "base_taken":
      return baseStory(event, isFirstBase, context);
    case "base_checked":
      return baseCheckStory(event, context);
    case "run_ended":
      return [{ subject: "run", text: `${terms.runEnded(event)} (${event.reason})` }];
    default:
      return sharedStatements(event, { ...context, verbose: true }, terms);
  }
}

function askedText(about: QuestionAbout, { terms, texts }: StoryView): string {
  if (about === "protected") return terms.room.asked;
  return about === "limit" ? texts.asked : terms.board.asked[about];
}

function noteLines(note: string | null, { terms }: StoryView): Line[] {
  return quotedText(note ?? "", MAX_NOTE_LINES, terms);
}

/** The end of the story: the current work, or the interrupted work. */
export function lastLines(state: RunState, status: RunStatus, view: StoryView): Line[] {
  const { texts, terms } = view;
  if (status === "running" && state.chat?.live === "running") return [liveLine(state, view)];
  const attempt = lastAttempt(state);
  const isDone = attempt !== undefined && (state.board ? isOver(attempt, state) : attempt.judged !== null);
  const underWay = state.openTurn !== null || (attempt !== undefined && !isDone);
  if (status === "running" && attempt && underWay) {
    const review = state.chat ? terms.chat.story.reviewUnderWay : texts.reviewUnderWay;
    const what = state.openTurn
      ? turnUnderWay(state.openTurn.role, attempt, review, view)
      : texts.testsUnderWay;
    const index = attempt.index === 0 ? "" : String(iterationOf(state, attempt.index));
    return [{ lead: `      ${index.padStart(2)} `, text: `~ ${what}`, tone: "busy" }];
  }
  if (status === "interrupted" && state.openTurn && !state.openTurn.lost && state.stopped === null)
    return [
      {
        lead: INDENT,
        text: `! ${(state.board ? terms.board : texts).turnCutOff(iterationOf(state, state.openTurn.attempt))}`,
        tone: "warn",
      },
    ];
  return [];
}

function turnUnderWay(role: Role, attempt: Attempt, review: string, { texts, terms }: StoryView): string {
  switch (role) {
    case "worker":
      return `${roleName(attempt)}${texts.turnUnderWay}`;
    case "reviewer":
      return review;
    case "main":
      return terms.phase.main;
  }
}

function dayOf(at: string): string {
  const date = new Date(at);
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
