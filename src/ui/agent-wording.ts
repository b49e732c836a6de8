import type { AgentRecord, TurnFailed, WaitStarted } from "../core/event.ts";
import type { AgentFailure, RunState } from "../core/state.ts";
import { visible } from "../text/text.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import { duration, twoDigits } from "../text/time-text.ts";
import { clockTime, stopwatch } from "./format.ts";

const SOON_MS = 10 * 60_000;

/** The time as short as possible: today a time of day (with seconds if it is soon), else day and time. */
function moment(at: string, now: number): string {
  const date = new Date(at);
  const soon = Math.abs(date.getTime() - now) < SOON_MS;
  const time = soon ? clockTime(at) : clockTime(at).slice(0, 5);
  const today = new Date(now).toDateString() === date.toDateString();
  return today ? time : `${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${time}`;
}

/** Whether the reviewer failed, and not the agent: in a conversation both usually have the same name. */
export function failedInReview(event: TurnFailed | WaitStarted, { chat, failures }: RunState): boolean {
  const failure =
    event.type === "turn_failed"
      ? failures.find((one) => one.event.turn === event.turn)
      : failures.findLast((one) => one.event.agent.name === event.agent);
  return chat !== null && failure?.role === "reviewer";
}

function nameOf(event: TurnFailed | WaitStarted, state: RunState, texts: TerminalTexts): string {
  const name = visible(event.type === "turn_failed" ? event.agent.name : event.agent);
  return failedInReview(event, state) ? texts.reviewerCalled(name) : name;
}

/** `claude is out of quota until 11:00` */
export function failureText(event: TurnFailed, now: number, state: RunState, texts: TerminalTexts): string {
  const { class: kind, retryAt } = event.agent.failure;
  const until = retryAt === null ? "" : texts.until(moment(retryAt, now));
  return `${nameOf(event, state, texts)} ${texts.failure[kind]}${until}`;
}

/** `tries again at 11:00` */
export function againText({ until }: Pick<WaitStarted, "until">, now: number, texts: TerminalTexts): string {
  return texts.againAt(moment(until, now));
}

/** `claude: tries again at 11:00`; the reason was shown before. */
export function waitText(wait: WaitStarted, now: number, state: RunState, texts: TerminalTexts): string {
  return `${nameOf(wait, state, texts)}${texts.colon}${againText(wait, now, texts)}`;
}

/** `claude is out of quota until 11:00`, or, if the agent did not say until when, `claude is out of quota, tries again at 11:00:10` */
function waitedForText(wait: WaitStarted, state: RunState, now: number, texts: TerminalTexts): string {
  const what = `${nameOf(wait, state, texts)} ${texts.failure[wait.class]}`;
  const when = moment(wait.until, now);
  const failure = state.failures.findLast(({ event }) => event.agent.name === wait.agent);
  const isKnown = wait.class === "quota" && failure?.event.agent.failure.retryAt != null;
  return what + (isKnown ? texts.until(when) : texts.listSeparator + texts.againAt(when));
}

/** A limit in the form in which a person would type it. */
export function limitText(ms: number): string {
  return ms === 0 ? "0" : duration(ms);
}

export function countdown(state: RunState, now: number, texts: TerminalTexts): string | null {
  const { wait, limits } = state;
  if (!wait) return null;
  const left = stopwatch(Math.max(0, Date.parse(wait.until) - now));
  return `${waitedForText(wait, state, now, texts)}${texts.listSeparator}${texts.timeLeft(left, limitText(limits.waitMs))}`;
}

/** Facts about the turn's agent beyond its claim. */
export function agentFacts(agent: AgentRecord | null, texts: TerminalTexts, called?: string): string[] {
  if (!agent) return [];
  return [
    ...(agent.failure ? [`${called ?? visible(agent.name)} ${texts.failure[agent.failure.class]}`] : []),
    ...(agent.denials.length > 0 ? [texts.denied(agent.denials.length)] : []),
  ];
}

/** The last failure of each agent since a person last resumed the run: the reasons why none can go on. */
export function lastFailures({ failures }: RunState): readonly AgentFailure[] {
  const recent = failures.filter(({ old }) => !old);
  return recent.filter(
    ({ event }, index) =>
      !recent.slice(index + 1).some((later) => later.event.agent.name === event.agent.name),
  );
}
