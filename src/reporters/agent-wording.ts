import type { AgentRecord, TurnFailed, WaitStarted } from "../domain/event.ts";
import type { AgentFailure, RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { TerminalTexts } from "../i18n/terminal.ts";
import { clockTime, duration, stopwatch } from "./format.ts";

const SOON_MS = 10 * 60_000;

/** When it will be, as short as it can be told: a time today, to the second if it is soon, else day and time. */
function moment(at: string, now: number): string {
  const date = new Date(at);
  const soon = Math.abs(date.getTime() - now) < SOON_MS;
  const time = soon ? clockTime(at) : clockTime(at).slice(0, 5);
  const today = new Date(now).toDateString() === date.toDateString();
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return today ? time : `${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ${time}`;
}

/** `claude is out of quota until 11:00` */
export function failureText({ agent }: TurnFailed, now: number, texts: TerminalTexts): string {
  const { class: kind, retryAt } = agent.failure;
  const until = retryAt === null ? "" : texts.until(moment(retryAt, now));
  return `${visible(agent.name)} ${texts.failure[kind]}${until}`;
}

/** `claude: waits until 11:00`; why was said before. */
export function waitText(wait: WaitStarted, now: number, texts: TerminalTexts): string {
  return `${visible(wait.agent)}${texts.colon}${texts.waitsUntil(moment(wait.until, now))}`;
}

/** `claude is out of quota until 11:00`, `claude is overloaded, again at 11:00:10` */
function waitedForText(wait: WaitStarted, now: number, texts: TerminalTexts): string {
  const what = `${visible(wait.agent)} ${texts.failure[wait.class]}`;
  const when = moment(wait.until, now);
  return what + (wait.class === "quota" ? texts.until(when) : texts.listSeparator + texts.againAt(when));
}

/** A limit as a person would give it. */
export function limitText(ms: number): string {
  return ms === 0 ? "0" : duration(ms);
}

/** The wait as a countdown. */
export function countdown(state: RunState, now: number, texts: TerminalTexts): string | null {
  const { wait, limits } = state;
  if (!wait) return null;
  const left = stopwatch(Math.max(0, Date.parse(wait.until) - now));
  return `${waitedForText(wait, now, texts)}${texts.listSeparator}${texts.timeLeft(left, limitText(limits.waitMs))}`;
}

/** What the turn's agent had to say beyond its claim. */
export function agentFacts(agent: AgentRecord | null, texts: TerminalTexts): string[] {
  if (!agent) return [];
  return [
    ...(agent.failure ? [`${visible(agent.name)} ${texts.failure[agent.failure.class]}`] : []),
    ...(agent.denials.length > 0 ? [texts.denied(agent.denials.length)] : []),
  ];
}

/** The last failure of each agent since a person last saw to the run: why nobody can go on. */
export function lastFailures({ failures }: RunState): readonly AgentFailure[] {
  const recent = failures.filter(({ old }) => !old);
  return recent.filter(
    ({ event }, index) =>
      !recent.slice(index + 1).some((later) => later.event.agent.name === event.agent.name),
  );
}
