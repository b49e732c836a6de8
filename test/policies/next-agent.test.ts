import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isUnavailable, type FailureClass } from "../../src/core/agent-turn.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { SuperviseSettings } from "../../src/core/settings.ts";
import { fold } from "../../src/core/fold.ts";
import type { RunState } from "../../src/core/state.ts";
import { next } from "../../src/engine/next.ts";
import * as story from "../rig/story.ts";

const { after, later, profile, resumed, started, turnFailed, turnStarted } = story;

const TWO: Partial<SuperviseSettings> = { agentCmd: null, agents: [profile("claude"), profile("codex")] };
const ONE: Partial<SuperviseSettings> = { agentCmd: null, agents: [profile("claude")] };
const HOUR = 3600;

const opened = (turn: number, agent: string | null, resumes: string | null = null): Decision => {
  return { do: "open_turn", role: "worker", attempt: 1, turn, agent, resumes };
};
const waits = (agent: string, kind: FailureClass, seconds: number): Decision => {
  return { do: "start_wait", agent, class: kind, until: later(seconds) };
};
/** A failed turn, followed by that many seconds. */
const failed = (
  turn: number,
  agent: string,
  kind: FailureClass,
  retryAt: string | null = null,
): RunEvent[] => [turnStarted(1, turn, agent), turnFailed(1, turn, agent, kind, retryAt)];
const inVainFor = (seconds: number) => ({
  ...turnFailed(1, 1, "x", "quota").process,
  durationMs: seconds * 1000,
});
const inVain = (turn: number, agent: string, seconds: number): RunEvent[] => [
  turnStarted(1, turn, agent),
  { ...turnFailed(1, turn, agent, "overloaded"), process: inVainFor(seconds) },
];
const waited = (until: number): RunEvent[] => [
  { type: "wait_started", agent: "claude", class: "quota", until: later(until) },
];

type Row = [name: string, state: RunState, decision: Decision];

const ROWS: Row[] = [
  ["the first agent begins", after(started(TWO)), opened(1, "claude")],
  [
    "out of quota, another agent there: it takes over at once",
    after(started(TWO), ...failed(1, "claude", "quota", later(HOUR / 2))),
    opened(2, "codex"),
  ],
  [
    "out of quota, alone: wait for the reset",
    after(started(ONE), ...failed(1, "claude", "quota", later(HOUR / 2))),
    waits("claude", "quota", HOUR / 2 + 5),
  ],
  [
    "out of quota, until an unknown time: look again in a while",
    after(started(ONE), ...failed(1, "claude", "quota")),
    waits("claude", "quota", 300),
  ],
  [
    "both out of quota: wait for the one that is back first",
    after(
      started(TWO),
      ...failed(1, "claude", "quota", later(HOUR / 2)),
      ...failed(2, "codex", "quota", later(HOUR / 4)),
    ),
    waits("codex", "quota", HOUR / 4 + 5),
  ],
  [
    "a reset beyond --max-wait is not waited for",
    after(started(ONE), ...failed(1, "claude", "quota", later(2 * HOUR))),
    { do: "stop", by: "wait_limit_reached" },
  ],
  [
    "a reset in the past does not spin: a pause all the same",
    after(started(ONE), ...failed(1, "claude", "quota", later(-HOUR))),
    waits("claude", "quota", 10),
  ],
  [
    "overloaded: the same agent after a pause, although another is there",
    after(started(TWO), ...failed(1, "claude", "overloaded")),
    waits("claude", "overloaded", 10),
  ],
  [
    "the pause doubles",
    after(started(ONE), ...failed(1, "claude", "overloaded"), ...failed(2, "claude", "rate_limited")),
    waits("claude", "rate_limited", 20),
  ],
  [
    "what the provider says about a rate limit goes before the pause",
    after(started(ONE), ...failed(1, "claude", "rate_limited", later(90))),
    waits("claude", "rate_limited", 95),
  ],
  [
    "the third hiccup in a row: the next agent takes over",
    after(
      started(TWO),
      ...failed(1, "claude", "overloaded"),
      ...failed(2, "claude", "overloaded"),
      ...failed(3, "claude", "overloaded"),
    ),
    opened(4, "codex"),
  ],
  [
    "a hiccup that takes long: the next agent, not a long pause",
    after(started(TWO), ...failed(1, "claude", "rate_limited", later(HOUR / 2))),
    opened(2, "codex"),
  ],
  [
    "a hiccup that must not be waited for: the next agent",
    after(
      started({ ...TWO, limits: { ...started().settings.limits, waitMs: 0 } }),
      ...failed(1, "claude", "overloaded"),
    ),
    opened(2, "codex"),
  ],
  [
    "turns in vain count as waiting, however long they take",
    after(started(ONE), ...inVain(1, "claude", 2 * HOUR)),
    { do: "stop", by: "wait_limit_reached" },
  ],
  [
    "two agents that keep each other busy in vain come to an end, too",
    after(
      started(TWO),
      ...[1, 2, 3].flatMap((turn) => inVain(turn, "claude", 600)),
      ...[4, 5, 6].flatMap((turn) => inVain(turn, "codex", 660)),
      3600,
    ),
    { do: "stop", by: "wait_limit_reached" },
  ],
  ["not logged in: the next agent", after(started(TWO), ...failed(1, "claude", "auth")), opened(2, "codex")],
  [
    "not logged in, alone: stop",
    after(started(ONE), ...failed(1, "claude", "auth")),
    { do: "stop", by: "no_agent_available" },
  ],
  [
    "denied, and the other is missing: stop",
    after(started(TWO), ...failed(1, "claude", "permission"), ...failed(2, "codex", "missing")),
    { do: "stop", by: "no_agent_available" },
  ],
  [
    "after a resume an agent that a person had to see to is tried again",
    after(started(ONE), ...failed(1, "claude", "auth"), resumed()),
    opened(2, "claude"),
  ],
  [
    "after a resume a quota is still out",
    after(started(ONE), ...failed(1, "claude", "quota", later(HOUR / 2)), resumed()),
    waits("claude", "quota", HOUR / 2 + 5),
  ],
  [
    "a wait that a stop cut short goes on to the same moment",
    after(started(ONE), ...failed(1, "claude", "quota", later(600)), ...waited(605), 60, resumed()),
    waits("claude", "quota", 605),
  ],
  [
    "after the wait the agent is tried again",
    after(started(ONE), ...failed(1, "claude", "quota", later(600)), ...waited(605), 606, {
      type: "wait_ended",
    }),
    opened(2, "claude"),
  ],
  [
    "the agent that worked last goes on, not the first",
    after(
      started(TWO),
      ...failed(1, "claude", "quota", later(10)),
      turnStarted(1, 2, "codex"),
      {
        ...story.turnEnded(1, { status: "NEEDS_WORK" }, story.exited(0), 2),
        agent: story.agentRecord("codex"),
      },
      story.checkEnded(1, "fast"),
      story.judged(1, "agent_needs_work"),
      HOUR,
    ),
    { do: "open_turn", role: "worker", attempt: 2, turn: 3, agent: "codex", resumes: null },
  ],
  [
    "a session goes on where it should",
    after(
      started({ ...ONE, session: "continue" }),
      turnStarted(1, 1, "claude"),
      { ...story.turnEnded(1, { status: "NEEDS_WORK" }), agent: story.agentRecord("claude") },
      story.checkEnded(1, "fast"),
      story.judged(1, "agent_needs_work"),
    ),
    { do: "open_turn", role: "worker", attempt: 2, turn: 2, agent: "claude", resumes: "session of claude" },
  ],
  [
    "a lost session: at once again, without it",
    after(started({ ...ONE, session: "continue" }), ...failed(1, "claude", "session_lost")),
    opened(2, "claude"),
  ],
  [
    "the person's own command waits, too",
    after(started(), turnStarted(1), turnFailed(1, 1, "command", "quota", later(60))),
    waits("command", "quota", 65),
  ],
];

describe("the agent of the next turn", () => {
  test.each(ROWS)("%s", (_, state, decision) => {
    expect(next(state)).toEqual(decision);
  });
});

const CLASSES: readonly FailureClass[] = [
  "quota",
  "rate_limited",
  "overloaded",
  "auth",
  "permission",
  "missing",
  "session_lost",
];

const anyLuck = fc.record({
  kind: fc.constantFrom(...CLASSES),
  retryIn: fc.option(fc.integer({ min: -100, max: 4000 })),
});

test("agents that are never available: the run stops, within its wait limit, and costs no attempt", () => {
  fc.assert(
    fc.property(
      fc.array(anyLuck, { minLength: 1, maxLength: 30 }),
      fc.constantFrom(ONE, TWO),
      (lucks, settings) => {
        const stopped = untilStopped(after(started(settings)), lucks);
        expect(stopped.idleMs).toBeLessThanOrEqual(stopped.limits.waitMs);
        expect(stopped.attempts).toHaveLength(1);
      },
    ),
  );
});

interface Luck {
  readonly kind: FailureClass;
  readonly retryIn: number | null;
}

function untilStopped(first: RunState, lucks: readonly Luck[]): RunState {
  let now = Date.parse(story.AT);
  let state = first;
  let lost = 0;
  for (let step = 0; step < 2000; step++) {
    const decision = next(state);
    if (!decision) throw new Error("it ended");
    if (decision.do === "stop") return state;
    if (decision.do === "sit_out") now = Math.max(now, Date.parse(decision.until));
    const luck = lucks[step % lucks.length] ?? { kind: "auth", retryIn: null };
    // A session can be lost only once.
    const kind = luck.kind === "session_lost" && lost++ > 0 ? "overloaded" : luck.kind;
    state = happens(state, decision, kind, luck.retryIn, now);
  }
  throw new Error("the run does not stop");
}

function happens(
  state: RunState,
  decision: Decision,
  kind: FailureClass,
  retryIn: number | null,
  now: number,
): RunState {
  const at = new Date(now).toISOString();
  switch (decision.do) {
    case "open_turn":
      return fold(state, turnStarted(decision.attempt, decision.turn, decision.agent), at);
    case "take_turn": {
      const agent = state.openTurn?.agent ?? "";
      const retryAt = retryIn === null ? null : new Date(now + retryIn * 1000).toISOString();
      return fold(state, turnFailed(decision.attempt, decision.turn, agent, kind, retryAt), at);
    }
    case "start_wait": {
      const { agent, class: waitedFor, until } = decision;
      return fold(state, { type: "wait_started", agent, class: waitedFor, until }, at);
    }
    case "sit_out":
      return fold(state, { type: "wait_ended" }, at);
    default:
      throw new Error(`unexpected: ${decision.do}`);
  }
}

test("after a resume an agent that a person has seen to need not wait for another", () => {
  const quota = failed(1, "claude", "quota", later(HOUR / 2));
  const state = after(started(TWO), ...quota, ...failed(2, "codex", "auth"), ...waited(1805), 60, resumed());
  expect(next(state)).toEqual(opened(3, "codex"));
});

test("agents that work for a while and break off, turn by turn, come to an end as well", () => {
  const usage = { input: 1, cached: 0, output: 1, costUsd: 1 };
  const brokeOff = (turn: number, agent: string): (RunEvent | number)[] => {
    const event = turnFailed(1, turn, agent, "overloaded");
    return [turnStarted(1, turn, agent), { ...event, agent: { ...event.agent, usage } }, 3600];
  };
  const turns = Array.from({ length: 50 }, (_, n) => brokeOff(n + 1, n % 2 === 0 ? "claude" : "codex"));
  expect(next(after(started(TWO), ...turns.slice(0, 49).flat()))?.do).toBe("open_turn");
  expect(next(after(started(TWO), ...turns.flat()))).toEqual({
    do: "stop",
    by: "wait_limit_reached",
  });
});

test("a turn that worked until its quota was used up is no waiting", () => {
  const event = { ...turnFailed(1, 1, "claude", "quota"), process: inVainFor(2 * HOUR) };
  const usage = { input: 1, cached: 0, output: 1, costUsd: null };
  const worked = { ...event, agent: { ...event.agent, usage } };
  const idle = (turn: RunEvent): number => after(started(ONE), turnStarted(1, 1, "claude"), turn).idleMs;
  expect([idle(event), idle(worked)]).toEqual([2 * HOUR * 1000, 0]);
});

test("only failures that say nothing about the work cost no attempt", () => {
  expect(CLASSES.every((kind) => isUnavailable(kind))).toBe(true);
  const own: FailureClass[] = [
    "question",
    "refused",
    "own_limit",
    "crashed",
    "timeout",
    "no_output",
    "protocol",
  ];
  expect(own.some((kind) => isUnavailable(kind))).toBe(false);
});
