import type { Decision } from "./decision.ts";
import type { FailureClass } from "./agent-turn.ts";
import type { Role } from "./event.ts";
import { sessionKey, type AgentFailure, type RunState } from "./state.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Clocks differ, so a provider's moment gets a margin. */
const MARGIN = 5 * SECOND;
const FIRST_PAUSE = 10 * SECOND;
const LONGEST_PAUSE = 10 * MINUTE;
/** The first pause for a quota without a known reset; it doubles with every failure. */
const FIRST_QUOTA_PAUSE = 5 * MINUTE;
const LONGEST_QUOTA_PAUSE = 60 * MINUTE;
/** A wait may end a little late; that is no reason to give up. */
const LATE = MINUTE;
/** After so many short failures in a row another agent takes over, if there is one. */
const HICCUPS_BEFORE_CHANGE = 3;

/** Agents that stop again and again cost money, if not attempts, even if each of them worked for a while. */
const MAX_FREE_TURNS = 50;

/** A turn that needs an agent. */
export interface Wanted {
  readonly role: Role;
  readonly attempt: number;
  /** Possible agents, the likeliest first. */
  readonly names: readonly string[];
}

/**
 * The agent for the next turn of an attempt, a wait, or the end if none can work. Uses only recorded failures: an
 * unavailable agent costs no attempt, and no wait goes on for ever.
 */
export function nextTurn(state: RunState, { role, attempt, names }: Wanted): Decision {
  const usable = names
    .map((name) => ({ name, ...availability(state, name) }))
    .filter(({ unusable }) => !unusable);
  const now = Date.parse(state.updatedAt);
  const [first] = usable;
  if (first === undefined) return { do: "stop", by: "no_agent_available" };
  if (freeTurnsInARow(state) >= MAX_FREE_TURNS) return { do: "stop", by: "wait_limit_reached" };
  const patient = state.idleMs <= state.limits.waitMs + LATE;
  const ready = usable.find(({ notBefore, streak }) => notBefore <= now && (streak === 0 || patient));
  if (!ready && !patient) return { do: "stop", by: "wait_limit_reached" };
  const staysPut = isWorthAPause(first, state);
  if (ready && (ready === first || !staysPut)) return openTurn(state, { role, attempt }, ready.name);
  const soonest = staysPut ? first : usable.reduce((a, b) => (b.notBefore < a.notBefore ? b : a));
  return waitFor(state, soonest.name, soonest.notBefore, soonest.last);
}

function openTurn(state: RunState, wanted: Omit<Wanted, "names">, name: string): Decision {
  const named = state.settings.agents.length > 0;
  const goesOn = wanted.role === "main" || state.settings.session === "continue";
  const resumes = goesOn ? (state.sessions[sessionKey(wanted.role, name)]?.id ?? null) : null;
  return { do: "open_turn", ...wanted, turn: state.turns + 1, agent: named ? name : null, resumes };
}

function waitFor(state: RunState, agent: string, until: number, failure: AgentFailure | undefined): Decision {
  if (!failure) throw new Error(`${agent} is waited for without a failure`);
  const wait = until - Date.parse(state.updatedAt);
  if (state.idleMs + wait > state.limits.waitMs) return { do: "stop", by: "wait_limit_reached" };
  return {
    do: "start_wait",
    agent,
    class: failure.event.agent.failure.class,
    until: new Date(until).toISOString(),
  };
}

/** The agent that worked last continues as long as it can; the others follow in the person's order. */
export function inTurn(names: readonly string[], { lastAgent }: RunState): readonly string[] {
  const from = Math.max(0, names.indexOf(lastAgent ?? ""));
  return [...names.slice(from), ...names.slice(0, from)];
}

interface Availability {
  readonly unusable: boolean;
  readonly notBefore: number;
  /** How often it failed in a row, and the last time. */
  readonly streak: number;
  readonly last: AgentFailure | undefined;
}

function availability(state: RunState, name: string): Availability {
  const failures = failuresSinceItWorked(state, name);
  const last = failures.at(-1);
  const streak = failures.length;
  if (!last) return { unusable: false, notBefore: 0, streak, last };
  const { class: kind, retryAt } = last.event.agent.failure;
  const said = retryAt === null ? 0 : Date.parse(retryAt) + MARGIN;
  const soonest = Date.parse(last.at) + pauseAfter(kind, streak, retryAt !== null);
  return { unusable: !last.old && needsPerson(kind), notBefore: Math.max(said, soonest), streak, last };
}

/** Whether it may become available without a person's help. */
export function canWork(state: RunState, name: string): boolean {
  return !availability(state, name).unusable;
}

function freeTurnsInARow({ workedIn, failures }: RunState): number {
  const worked = Math.max(0, ...Object.values(workedIn));
  return failures.filter(({ event, old }) => !old && event.turn > worked).length;
}

function failuresSinceItWorked(state: RunState, name: string): readonly AgentFailure[] {
  const worked = state.workedIn[name] ?? 0;
  return state.failures.filter(
    ({ event, settled }) => !settled && event.agent.name === name && event.turn > worked,
  );
}

/** Never zero, even if the agent named a moment: one that keeps naming the past must not cause a busy loop. */
function pauseAfter(kind: FailureClass, streak: number, momentKnown: boolean): number {
  if (kind === "session_lost" || needsPerson(kind)) return 0;
  return kind === "quota" && !momentKnown
    ? Math.min(FIRST_QUOTA_PAUSE * 2 ** (streak - 1), LONGEST_QUOTA_PAUSE)
    : Math.min(FIRST_PAUSE * 2 ** (streak - 1), LONGEST_PAUSE);
}

/** Only a person can make it work again. */
function needsPerson(kind: FailureClass): boolean {
  return kind === "auth" || kind === "permission" || kind === "missing";
}

/** A short failure: changing the agent would cost more than the pause. */
function isWorthAPause({ last, streak, notBefore }: Availability, state: RunState): boolean {
  const kind = last?.event.agent.failure.class;
  if (kind !== "rate_limited" && kind !== "overloaded" && kind !== "unreachable") return false;
  const pause = notBefore - Date.parse(state.updatedAt);
  const { waitMs } = state.limits;
  return streak < HICCUPS_BEFORE_CHANGE && pause <= LONGEST_PAUSE && state.idleMs + pause <= waitMs;
}
