import type { RunEvent } from "../domain/event.ts";
import { lastAttempt, type RunState } from "../domain/state.ts";
import { splitLines, visible } from "../domain/text.ts";
import { failureText, waitText } from "../reporters/agent-wording.ts";
import { clockTime, duration } from "../reporters/format.ts";
import { quotedText } from "../reporters/history.ts";
import type { Line } from "../reporters/page.ts";
import { summaryLines } from "../reporters/summary.ts";
import { answerText, containmentText, stopText } from "../reporters/wording.ts";
import {
  checkLines,
  indented,
  processLines,
  turnLines,
  verdictLines,
  warning,
  type Evidence,
  type StoryView,
} from "./attempt-story.ts";
import { row } from "./run-places.ts";
import type { RunStatus } from "../domain/run-status.ts";
import { STATUS_SIGNS } from "./run-status.ts";

/** An event and when it was recorded. */
export interface Moment {
  readonly at: string;
  readonly event: RunEvent;
}

const MAX_TASK_LINES = 10;
const MAX_NOTE_LINES = 5;

/** Who and what, in a line, then what was asked for. `worked` is how long it has been at work. */
export function storyHead(state: RunState, status: RunStatus, worked: number, view: StoryView): Line[] {
  const { texts, terms } = view;
  const { task, agentCmd, agents, cwd, mode } = state.settings;
  const lines = splitLines(task);
  const [first = "", ...rest] = lines.slice(0, MAX_TASK_LINES).map((line) => visible(line));
  const left = lines.length - MAX_TASK_LINES;
  return [
    { lead: `${state.runId} ${mode}  `, ...headline(state, status, worked, view) },
    cuttable(row(texts.label.task, first)),
    ...rest.map((line) => cuttable(row("", line))),
    ...(left > 0 ? [row("", terms.moreLines(left))] : []),
    row(texts.label.agent, visible(agentCmd ?? agents.map(({ name }) => name).join(", "))),
    row(texts.label.cwd, visible(cwd)),
  ];
}

function cuttable(line: Line): Line {
  return { ...line, mayBeCut: true };
}

function headline(state: RunState, status: RunStatus, worked: number, { texts, terms }: StoryView): Line {
  const { sign, tone } = STATUS_SIGNS[status];
  if (status === "damaged") return { text: `${sign} ${texts.damaged}`, tone };
  if (status === "running" || status === "waiting") {
    const where = texts.runningAt(lastAttempt(state)?.index ?? 0, state.maxLoops);
    return { text: `${sign} ${where}  ${duration(worked)}`, tone };
  }
  const [summary] = summaryLines(state, {}, terms);
  return summary ?? { text: sign };
}

/** What happened, in the order it did, a line a day first. */
export function storyLines(
  moments: readonly Moment[],
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const lines: Line[] = [];
  let day = "";
  let turnStartedAt = state.startedAt;
  for (const told of moments) {
    const { at, event } = told;
    if (event.type === "turn_started") turnStartedAt = at;
    const isTurn = event.type === "turn_ended" || event.type === "turn_failed";
    const shownAt = isTurn ? turnStartedAt : at;
    const added = momentLines(told, `${clockTime(shownAt).slice(0, 5)} `, state, evidence, view);
    if (added.length > 0 && dayOf(shownAt) !== day) {
      day = dayOf(shownAt);
      lines.push({ text: day, tone: "faint" });
    }
    lines.push(...added);
  }
  return lines;
}

function momentLines(
  { event, at: recordedAt }: Moment,
  when: string,
  state: RunState,
  evidence: Evidence,
  view: StoryView,
): Line[] {
  const { terms, texts } = view;
  const at = Date.parse(recordedAt);
  const say = (text: string): Line => ({ lead: `${when}   `, text });
  const warn = (text: string): Line => ({ ...say(`! ${text}`), tone: "warn" });
  switch (event.type) {
    case "run_started": {
      const how = [terms.upTo(event.settings.maxLoops), containmentText(event.containment, terms)];
      return [say(terms.started + texts.detail(how.join(terms.listSeparator)))];
    }
    case "run_resumed":
      return [
        say(terms.resumed + texts.detail(containmentText(event.containment, terms))),
        ...processLines(event.ended, terms.endedLeftovers, view),
      ];
    case "run_stopped":
      return [event.by === "undecided" ? say(terms.undecided) : warn(stopText(event.by, terms))];
    case "turn_started":
      return [];
    case "turn_failed": {
      const what = terms.turnFailed(failureText(event, at, terms));
      return [
        { lead: `${when}${String(event.attempt).padStart(2)} `, text: `~ ${what}`, tone: "warn" },
        ...quotedText(event.agent.failure.message, MAX_NOTE_LINES, terms).map(indented),
      ];
    }
    case "wait_started":
      return [say(`~ ${waitText(event, at, terms)}`)];
    case "wait_ended":
      return [say(terms.waitOver)];
    case "turn_interrupted":
      return [
        {
          lead: `${when}${String(event.attempt).padStart(2)} `,
          text: `! ${texts.agent} ${terms.turnInterrupted}`,
          tone: "warn",
        },
      ];
    case "turn_ended":
      return turnLines(event, when, state, evidence, view);
    case "check_ended":
      return checkLines(event, state, evidence, view);
    case "attempt_judged":
      return verdictLines(event, state, evidence, view);
    case "question_asked":
      return [{ ...say(`? ${texts.asked}`), tone: "ask" }];
    case "question_answered":
      return [
        { ...say(`? ${answerText(event.answer, terms)} (${event.via})`), tone: "ask" },
        ...noteLines(event.note, view),
      ];
    case "answer_refused": {
      const what = event.answer === null ? "" : texts.detail(event.answer.kind);
      return [
        warn(`${terms.answerRefused}${what}${terms.partSeparator}${terms.refusal[event.why]} (${event.why})`),
        ...noteLines(event.note, view),
      ];
    }
    case "run_ended":
      return [say(`${terms.runEnded(event.status, event.exitCode)} (${event.reason})`)];
  }
}

function noteLines(note: string | null, { terms }: StoryView): Line[] {
  return quotedText(note ?? "", MAX_NOTE_LINES, terms).map(indented);
}

/** Where the story stops: what goes on now, or what was cut off. */
export function lastLines(state: RunState, status: RunStatus, { texts }: StoryView): Line[] {
  const attempt = lastAttempt(state);
  const underWay = state.openTurn !== null || (attempt !== undefined && attempt.judged === null);
  if (status === "running" && attempt && underWay) {
    const what = state.openTurn ? texts.turnUnderWay : texts.testsUnderWay;
    return [{ lead: `      ${String(attempt.index).padStart(2)} `, text: `~ ${what}`, tone: "busy" }];
  }
  if (status === "interrupted" && state.openTurn && !state.openTurn.lost && state.stopped === null)
    return [warning(texts.turnCutOff(state.openTurn.attempt))];
  return [];
}

function dayOf(at: string): string {
  const date = new Date(at);
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
