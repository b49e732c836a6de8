import { isOver, iterationOf, roleOf } from "../domain/board/iterations.ts";
import type { DevPlan } from "../domain/board/plan.ts";
import { readPlan } from "../domain/board/read-plan.ts";
import type { Role, RunEvent } from "../domain/event.ts";
import type { RunTime } from "../domain/run-time.ts";
import { lastAttempt, type Attempt, type QuestionAbout, type RunState } from "../domain/state.ts";
import { splitLines, visible } from "../domain/text.ts";
import { resumedHow } from "../reporters/steps-head.ts";
import { restoredText } from "../reporters/board-inputs.ts";
import { failureText, waitText } from "../reporters/agent-wording.ts";
import { rolesOf } from "../reporters/board-head.ts";
import { clockTime } from "../reporters/format.ts";
import { quotedText } from "../reporters/history.ts";
import type { Line } from "../reporters/page.ts";
import { labelled as row } from "../reporters/summary-parts.ts";
import { planFacts } from "../reporters/summary-orchestrate.ts";
import { stepFacts } from "../reporters/summary-steps.ts";
import { summaryLines } from "../reporters/summary.ts";
import {
  answerText,
  attemptPlace,
  containmentText,
  currentAttempt,
  stopText,
  termsFor,
  timeText,
} from "../reporters/wording.ts";
import {
  checkLines,
  interruptedText,
  reviewLines,
  indented,
  processLines,
  turnLines,
  verdictLines,
  warning,
  type Evidence,
  type StoryView,
} from "./attempt-story.ts";
import { editedLines, mainLines, planAfter, type Plans } from "./board-story.ts";
import {
  chatAbout,
  chatLines,
  chatReviewLines,
  chatTask,
  interruptedReview,
  liveLine,
  saidLines,
} from "./chat-story.ts";
import { roomStory } from "./room-story.ts";
import { stepLines } from "./step-story.ts";
import type { RunStatus } from "../domain/run-status.ts";
import { STATUS_SIGNS } from "./run-status.ts";

/** An event and when it was recorded. */
export interface Moment {
  readonly at: string;
  readonly event: RunEvent;
}

const MAX_TASK_LINES = 10;
const MAX_NOTE_LINES = 5;

/** Who and what, in a line, then what was asked for. */
export function storyHead(state: RunState, status: RunStatus, time: RunTime, view: StoryView): Line[] {
  const { texts, terms } = view;
  const { settings } = state;
  const { cwd, mode } = settings;
  const lines = splitLines(settings.mode === "chat" ? chatTask(state, settings, view) : settings.task);
  const [first = "", ...rest] = lines.slice(0, MAX_TASK_LINES).map((line) => visible(line));
  const left = lines.length - MAX_TASK_LINES;
  return [
    { lead: `${state.runId} ${mode}  `, ...headline(state, status, time, view) },
    cuttable(row(texts.label.task, first)),
    ...rest.map((line) => cuttable(row("", line))),
    ...(left > 0 ? [row("", terms.moreLines(left))] : []),
    ...aboutLines(state, view),
    row(texts.label.cwd, visible(cwd)),
    ...(settings.mode === "run" ? stepFacts(state, settings, terms) : []),
    ...(settings.mode === "orchestrate" ? planFacts(state, settings, terms) : []),
  ];
}

/** Who works, and from what. */
function aboutLines(state: RunState, view: StoryView): Line[] {
  const { settings } = state;
  const { texts } = view;
  const names = (agents: readonly string[]): string => visible(agents.join(", "));
  const all = settings.agents.map(({ name }) => name);
  switch (settings.mode) {
    case "supervise":
      return [row(texts.label.agent, visible(settings.agentCmd ?? all.join(", ")))];
    case "run": {
      const { workers, verifiers } = settings;
      const others = verifiers.length > 0 ? [row(texts.verifier, names(verifiers))] : [];
      return [row(texts.label.agent, names(workers)), ...others];
    }
    case "analyze":
      return [
        row(texts.label.agent, names(all)),
        row(texts.requirements, visible(settings.requirements.path)),
      ];
    case "orchestrate":
      return rolesOf(settings).map(([role, agents]) => row(role, agents));
    case "chat":
      return chatAbout(state, settings, view);
  }
}

function cuttable(line: Line): Line {
  return { ...line, mayBeCut: true };
}

function headline(state: RunState, status: RunStatus, time: RunTime, view: StoryView): Line {
  const { texts, terms } = view;
  const { sign, tone } = STATUS_SIGNS[status];
  if (status === "superseded") return { text: `${sign} ${texts.superseded(view.supersededBy ?? "")}`, tone };
  if (status === "damaged") return { text: `${sign} ${texts.damaged}`, tone };
  if (status === "running" || status === "waiting") {
    const { mode } = state.settings;
    const where =
      mode === "run" || mode === "orchestrate" || mode === "chat"
        ? texts.runningStep(attemptPlace(state, currentAttempt(state)))
        : texts.runningAt(lastAttempt(state)?.index ?? 0, state.maxLoops);
    return { text: `${sign} ${where}  ${timeText(time, terms)}`, tone };
  }
  const [summary] = summaryLines(state, {}, terms);
  return summary ?? { text: sign };
}

/** What happened, in the order it did, a line a day first. */
export function storyLines(
  moments: readonly Moment[],
  state: RunState,
  evidence: Evidence,
  { terms, ...rest }: StoryView,
): Line[] {
  const view = { ...rest, terms: termsFor(state, terms) };
  const lines: Line[] = [];
  let day = "";
  let turnStartedAt = state.startedAt;
  let step: number | null = null;
  let plan = firstPlan(state);
  let questions = 0;
  let bases = 0;
  const attempts = new Map(state.attempts.map((attempt) => [`${attempt.step}/${attempt.index}`, attempt]));
  for (const told of moments) {
    const { at, event } = told;
    if (event.type === "turn_started") turnStartedAt = at;
    const isTurn = event.type === "turn_ended" || event.type === "turn_failed" || event.type === "main_ended";
    const shownAt = isTurn ? turnStartedAt : at;
    if (event.type === "step_started") step = event.step;
    const attempt = "attempt" in event ? attempts.get(`${step}/${event.attempt}`) : undefined;
    const when = `${clockTime(shownAt).slice(0, 5)} `;
    if (event.type === "question_asked") questions += 1;
    // They are answered one by one.
    const about = state.decisions[questions - 1]?.about ?? state.question?.about ?? "limit";
    const plans = { before: plan, after: planAfter(event, plan) };
    plan = plans.after;
    if (event.type === "base_taken") bases += 1;
    const added = momentLines({ ...told, when, attempt, plans, about, bases }, state, evidence, view);
    if (added.length > 0 && dayOf(shownAt) !== day) {
      day = dayOf(shownAt);
      lines.push({ text: day, tone: "faint" });
    }
    lines.push(...added);
  }
  return lines;
}

/** As the board was when the run began. */
function firstPlan({ settings }: RunState): DevPlan {
  const read = settings.mode === "orchestrate" ? readPlan(settings.plan) : null;
  return read && "plan" in read ? read.plan : { milestones: [] };
}

interface Told extends Moment {
  /** What the line begins with. */
  readonly when: string;
  /** The one that the event is about. */
  readonly attempt: Attempt | undefined;
  readonly plans: Plans;
  /** What the last question was about. */
  readonly about: QuestionAbout;
  /** How often the base was taken. */
  readonly bases: number;
}

function momentLines(
  { event, at: recordedAt, when, attempt, plans, about, bases }: Told,
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { terms, texts } = view;
  const at = Date.parse(recordedAt);
  const say = (text: string): Line => ({ lead: `${when}   `, text });
  const warn = (text: string): Line => ({ ...say(`! ${text}`), tone: "warn" });
  const numbered = (index: number): string => `${when}${String(iterationOf(state, index)).padStart(2)} `;
  switch (event.type) {
    case "run_started": {
      const { mode, maxLoops } = event.settings;
      const { upTo } = mode === "orchestrate" ? terms.board : mode === "chat" ? terms.chat : terms;
      const how = [upTo(maxLoops), containmentText(event.containment, terms)];
      return [say(terms.started + texts.detail(how.join(terms.listSeparator)))];
    }
    case "run_resumed":
      return [
        say(terms.resumed + texts.detail(resumedHow(event, terms))),
        ...[restoredText(event, terms)].flatMap((text) => (text === null ? [] : [warn(text)])),
        ...processLines(event.ended, terms.endedLeftovers, view),
      ];
    case "run_stopped":
      return [event.by === "undecided" ? say(terms.undecided) : warn(stopText(event.by, terms))];
    case "turn_started":
      return [];
    case "turn_failed": {
      const what = terms.turnFailed(failureText(event, at, state, terms));
      return [
        { lead: numbered(event.attempt), text: `~ ${what}`, tone: "warn" },
        ...quotedText(event.agent.failure.message, MAX_NOTE_LINES, terms).map(indented),
      ];
    }
    case "wait_started":
      return [say(`~ ${waitText(event, at, state, terms)}`)];
    case "wait_ended":
      return [say(terms.waitOver)];
    case "turn_interrupted":
      return [
        {
          lead: numbered(event.attempt),
          text: `! ${interruptedReview(event, state, view) ?? interruptedText(event, state, view)}`,
          tone: "warn",
        },
      ];
    case "turn_ended":
      return [
        ...turnLines(
          event,
          { lead: numbered(event.attempt), role: roleName(attempt) },
          attempt,
          state,
          evidence,
          view,
        ),
        ...(state.chat ? saidLines(event, evidence) : []),
      ];
    case "main_ended":
      return mainLines(event, numbered(event.attempt), attempt, plans, state, evidence, view);
    case "board_edited":
      return editedLines(event, say, plans, view);
    case "check_ended":
      return checkLines(event, attempt, state, evidence, view);
    case "attempt_judged":
      return verdictLines(event, attempt, state, evidence, view);
    case "question_asked":
      return [{ ...say(`? ${askedText(about, view)}`), tone: "ask" }];
    case "question_answered":
      return [
        { ...say(`? ${answerText(event.answer, terms, about)} (${event.via})`), tone: "ask" },
        ...noteLines(event.note, view),
      ];
    case "answer_refused": {
      const what = event.answer === null ? "" : texts.detail(event.answer.kind);
      return [
        warn(`${terms.answerRefused}${what}${terms.partSeparator}${terms.refusal[event.why]} (${event.why})`),
        ...noteLines(event.note, view),
      ];
    }
    case "review_ended":
      if (state.chat) return chatReviewLines(event, state, evidence, view);
      return reviewLines(event, state.steps[(attempt?.step ?? 0) - 1], state, evidence, view);
    case "step_started":
    case "step_marked":
    case "step_refused":
    case "steps_written":
      return stepLines(event, say, state, view);
    case "live_started":
    case "input_given":
    case "input_taken_back":
    case "live_turn_ended":
    case "feedback_sent":
    case "review_dropped":
    case "reviews_set":
    case "live_ended":
      return chatLines(event, say, numbered, evidence, view);
    case "base_taken":
    case "base_checked":
    case "candidate_taken":
    case "candidate_confirmed":
      return roomStory(event, say, { attempt, isFirst: bases === 1 }, state, evidence, view);
    case "run_ended":
      return [say(`${terms.runEnded(event)} (${event.reason})`)];
  }
}

function askedText(about: QuestionAbout, { terms, texts }: StoryView): string {
  if (about === "oracle") return terms.room.asked;
  return about === "limit" ? texts.asked : terms.board.asked[about];
}

/** Where roles work, whose turn it was. */
function roleName(attempt: Attempt | undefined): string {
  const role = attempt && roleOf(attempt);
  return role ? `${role} ` : "";
}

function noteLines(note: string | null, { terms }: StoryView): Line[] {
  return quotedText(note ?? "", MAX_NOTE_LINES, terms).map(indented);
}

/** Where the story stops: what goes on now, or what was cut off. */
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
      warning((state.board ? terms.board : texts).turnCutOff(iterationOf(state, state.openTurn.attempt))),
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
