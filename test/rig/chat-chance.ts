import * as fc from "fast-check";
import type { FailureClass } from "../../src/core/agent-turn.ts";
import type { ChatEvent } from "../../src/core/chat/event.ts";
import type { Decision } from "../../src/core/decision.ts";
import type { ReviewEnded, RunEvent } from "../../src/core/event.ts";
import { fold } from "../../src/core/fold.ts";
import { begin } from "../../src/modes/registry.ts";
import { receive, type Message } from "../../src/core/message.ts";
import type { RunState } from "../../src/core/state.ts";
import { next } from "../../src/engine/next.ts";
import { chatStarted } from "./chat-story.ts";
import * as story from "./story.ts";

/** Random conversations: chance decides what the agent, the person, the reviewer, the checks and the machine do. */

type News = "input" | "turn_ended" | "left";

/** The random choices for one turn of the engine's loop. */
interface Luck {
  readonly crash: boolean;
  readonly interrupted: boolean;
  /** The budget is used up until a person raises it. */
  readonly overBudget: boolean;
  readonly unavailable: FailureClass | null;
  /** The next event of the person's terminal. */
  readonly news: News | null;
  readonly awaited: News;
  readonly message: "skip" | "on" | "paused" | "stopped" | "unreadable" | "cancel" | null;
  readonly session: string | null;
  readonly works: "well" | "exits" | "refuses";
  readonly green: boolean;
  readonly review:
    | "completed"
    | "rejected"
    | "unreported"
    | "empty"
    | "exits"
    | "crashes"
    | "cut_off"
    | "meddles";
  readonly taken: boolean;
  readonly leavesWith: number;
}

const once = <T>(outOf: number, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: outOf - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
const seldom = fc.integer({ min: 0, max: 59 }).map((n) => n === 0);

const INPUTS = ["input", "input", "input"] as const;
const TURNS = ["turn_ended", "turn_ended", "turn_ended", "turn_ended"] as const;
const PAUSES = ["paused", "on", "paused", "on"] as const;

const anyLuck: fc.Arbitrary<Luck> = fc.record({
  crash: seldom,
  interrupted: seldom,
  overBudget: seldom,
  unavailable: once(6, fc.constantFrom<FailureClass>("quota", "overloaded", "auth", "session_lost")),
  awaited: fc.constantFrom(...INPUTS, ...TURNS, ...TURNS, "left"),
  news: once(16, fc.constantFrom(...INPUTS, ...TURNS, ...TURNS, "left")),
  message: once(30, fc.constantFrom("skip", "on", ...PAUSES, "stopped", "unreadable", "cancel")),
  session: fc.constantFrom("s1", "s2", null),
  works: fc.constantFrom("well", "well", "well", "exits", "refuses"),
  green: fc.integer({ min: 0, max: 4 }).map((n) => n > 0),
  review: fc.constantFrom(
    ...(["completed", "completed", "completed", "rejected", "rejected", "unreported"] as const),
    ...(["empty", "exits", "crashes", "cut_off", "meddles"] as const),
  ),
  taken: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  leavesWith: fc.constantFrom(0, 0, 1),
});

/** Used after the random choices: everything fails and the person leaves. */
const PLAIN: Luck = {
  crash: false,
  interrupted: false,
  overBudget: false,
  unavailable: null,
  news: null,
  awaited: "left",
  message: null,
  session: null,
  works: "well",
  green: true,
  review: "rejected",
  taken: true,
  leavesWith: 0,
};

interface Setting {
  readonly live: boolean;
  readonly maxLoops: number;
  readonly checks: number;
  readonly forks: boolean;
  readonly reviewer: string;
}

const anySetting: fc.Arbitrary<Setting> = fc.record({
  live: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
  maxLoops: fc.integer({ min: 1, max: 3 }),
  checks: fc.integer({ min: 0, max: 2 }),
  forks: fc.boolean(),
  reviewer: fc.constantFrom("claude", "codex"),
});

export interface Step {
  readonly before: RunState;
  readonly event: RunEvent;
  readonly after: RunState;
  /** Null: the event came from outside. */
  readonly decision: Decision | null;
}

export interface Course {
  readonly steps: readonly Step[];
  readonly last: RunState;
}

interface World {
  readonly setting: Setting;
  readonly lucks: readonly Luck[];
}

const FOREVER = 3000;

/** The engine's loop in a random world. */
export function courseOf({ setting, lucks }: World): Course {
  const { live, maxLoops, checks, forks, reviewer } = setting;
  const first = chatStarted(
    {
      ...(live && { task: "", prompt: null }),
      maxLoops,
      checks: story.testsNamed("check", checks),
      agents: ["claude", "codex"].map((name) => story.profile(name)),
      session: "continue",
      forks,
      reviewer,
    },
    { interactive: live },
  );
  return continueRun(begin(first, story.AT), lucks);
}

/** Continues from a state to the end. */
export function continueRun(from: RunState, lucks: readonly Luck[] = []): Course {
  const steps: Step[] = [];
  let state = from;
  let overBudget = false;
  const add = (event: RunEvent, at: number, decision: Decision | null = null): void => {
    const before = state;
    state = fold(state, event, new Date(Date.parse(from.updatedAt) + at * 600_000).toISOString());
    steps.push({ before, event, after: state, decision });
  };
  for (let at = 0; at < FOREVER; at++) {
    const luck = lucks[at] ?? PLAIN;
    if (state.ended) return { steps, last: state };
    if (luck.crash || state.stopped !== null) {
      add(resumes(state), at);
      overBudget = false;
      continue;
    }
    overBudget ||= luck.overBudget;
    const outside = fromOutside(luck, at);
    const isRunning = state.chat?.live === "running";
    if (isRunning && state.openTurn && outside.length > 0) add(interruption(state.openTurn), at);
    const added = outside.flatMap((happens) => {
      const event = state.ended ? null : happens(state);
      if (event) add(event, at);
      return event ? [event] : [];
    });
    const decision = next(state);
    if (added.length > 0 || !decision) continue;
    const event = (overBudget && whyNoWork(decision, state)) || performs(decision, state, luck);
    if (event) add(event, at, decision);
  }
  throw new Error("the run does not end");
}

export const resumes = ({ interactive, limits }: RunState): RunEvent =>
  story.resumed({ interactive, limits, askNow: true });

const interruption = ({ attempt, turn }: { attempt: number; turn: number }): RunEvent => ({
  type: "turn_interrupted",
  attempt,
  turn,
});

type Outside = (state: RunState) => RunEvent | null;

/** Events recorded before a decision: the terminal's news, then a message. */
function fromOutside(luck: Luck, at: number): readonly Outside[] {
  const { news, message } = luck;
  return [
    ...(news ? [(state: RunState) => (state.chat?.live === "running" ? newsOf(state, luck) : null)] : []),
    ...(message
      ? [(state: RunState) => (state.openTurn?.lost ? null : receive(state, messageOf(message, `m${at}`)))]
      : []),
  ];
}

function messageOf(what: NonNullable<Luck["message"]>, id: string): Message {
  if (what === "cancel" || what === "unreadable") return { kind: what, id };
  return { kind: "reviews", id, to: what };
}

/** News in the engine's notation. Skips an agent that stops again without being addressed. */
function newsOf(state: RunState, { news, session, leavesWith }: Luck): ChatEvent | null {
  const task = state.chat?.inputs.length ?? 0;
  const last = state.attempts.at(-1);
  switch (news) {
    case "input":
      return { type: "input_given", task: task + 1, text: story.NOTHING, session };
    case "turn_ended": {
      const done = ![null, "feedback_sent"].includes(last?.chat?.settled ?? null);
      if (task === 0 || (last?.chat?.task === task && done)) return null;
      return { type: "live_turn_ended", attempt: (last?.index ?? 0) + 1, session, message: null };
    }
    case "left":
      return { type: "live_ended", process: story.ran("claude", story.exited(leavesWith)) };
    case null:
      return null;
  }
}

/** The engine's event if no budget is left for the work. */
function whyNoWork(decision: Decision, { chat, openTurn, attempts }: RunState): RunEvent | null {
  if (!["open_turn", "take_turn", "run_check", "start_wait", "sit_out"].includes(decision.do)) return null;
  if (chat?.live !== "running") return { type: "run_stopped", by: "budget_reached" };
  if (openTurn) return interruption(openTurn);
  const attempt = attempts.at(-1)?.index ?? 0;
  return { type: "review_dropped", attempt, why: "budget_reached", messageId: null };
}

function performs(decision: Decision, state: RunState, luck: Luck): RunEvent | null {
  switch (decision.do) {
    case "take_turn":
      return luck.interrupted ? interruption(decision) : takesTurn(decision, state, luck);
    case "run_check": {
      const { attempt, phase, index } = decision;
      return luck.interrupted
        ? null
        : story.checkEnded(attempt, phase, index, story.exited(luck.green ? 0 : 1));
    }
    case "start_live":
      return { type: "live_started", resumes: decision.resumes };
    case "await_live":
      return newsOf(state, { ...luck, news: luck.awaited });
    case "send_feedback":
      if (luck.interrupted) return null;
      return luck.taken
        ? { type: "feedback_sent", attempt: decision.attempt }
        : { type: "review_dropped", attempt: decision.attempt, why: "not_taken", messageId: null };
    case "drop_review":
      return { type: "review_dropped", attempt: decision.attempt, why: decision.why, messageId: null };
    case "sit_out":
      return luck.interrupted ? null : story.happensAlways(decision, state);
    default:
      return story.happensAlways(decision, state, "tree");
  }
}

function takesTurn(
  { attempt, turn }: { attempt: number; turn: number },
  state: RunState,
  luck: Luck,
): RunEvent {
  const { role, agent, resumes: session } = state.openTurn ?? {};
  const name = agent ?? "";
  // A session that was not to be resumed cannot be lost.
  const kind = luck.unavailable === "session_lost" && session === null ? null : luck.unavailable;
  if (kind) return story.turnFailed(attempt, turn, name, kind);
  if (role === "reviewer") return reviews(attempt, turn, name, luck);
  return {
    ...story.turnEnded(attempt, {}, story.exited(luck.works === "exits" ? 1 : 0), turn),
    claim: null,
    agent: story.agentRecord(name, { failure: luck.works === "refuses" ? failure("refused") : null }),
  };
}

function reviews(attempt: number, turn: number, name: string, { review }: Luck): ReviewEnded {
  const failed = { exits: null, crashes: failure("crashed"), cut_off: failure("cut_off") };
  const end =
    review === "cut_off" ? ({ kind: "over_budget" } as const) : story.exited(review === "exits" ? 1 : 0);
  return {
    type: "review_ended",
    attempt,
    turn,
    process: story.ran(name, end),
    stdout: story.NOTHING,
    stderr: story.NOTHING,
    agent: story.agentRecord(name, {
      failure: review in failed ? failed[review as keyof typeof failed] : null,
    }),
    readOnly: true,
    items: [],
    // A turn that failed late may already have printed the verdict.
    completed: review !== "rejected" && review !== "empty",
    problem: review === "empty" ? { kind: "missing" } : null,
    changed: review === "meddles" ? ["src/x.ts"] : review === "unreported" ? null : [],
    changedInputs: [],
  };
}

const failure = (kind: FailureClass) => ({ class: kind, message: kind, retryAt: null });

/** The seed of a course. It can be shrunk and printed briefly when it fails. */
export const anyWorld: fc.Arbitrary<World> = fc.record({
  setting: anySetting,
  lucks: fc.array(anyLuck, { minLength: 20, maxLength: 150, size: "max" }),
});
