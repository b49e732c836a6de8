import * as fc from "fast-check";
import type { FailureClass } from "../../src/domain/agent-turn.ts";
import type { ChatEvent } from "../../src/domain/chat/event.ts";
import type { Decision } from "../../src/domain/decision.ts";
import type { ReviewEnded, RunEvent } from "../../src/domain/event.ts";
import { verdictOn } from "../../src/domain/evidence.ts";
import { begin, fold } from "../../src/domain/fold.ts";
import { receive, type Message } from "../../src/domain/message.ts";
import type { RunState } from "../../src/domain/state.ts";
import { next } from "../../src/policies/next.ts";
import { chatStarted } from "./chat-story.ts";
import * as story from "./story.ts";

/** Conversations in which chance decides what the agent, the person, the reviewer, the checks and the machine do. */

type News = "input" | "turn_ended" | "left";

/** What chance decides at one turn of the engine's loop. */
interface Luck {
  readonly crash: boolean;
  readonly interrupted: boolean;
  /** The budget is used up from now on, until a person raises it. */
  readonly overBudget: boolean;
  readonly unavailable: FailureClass | null;
  /** What happens in the person's terminal meanwhile, and what where that is waited for. */
  readonly news: News | null;
  readonly awaited: News;
  readonly message: "skip" | "on" | "paused" | "stopped" | "unreadable" | "cancel" | null;
  readonly session: string | null;
  readonly works: "well" | "exits" | "refuses";
  readonly green: boolean;
  readonly review:
    | "completed"
    | "rejected"
    | "untold"
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
    ...(["completed", "completed", "completed", "rejected", "rejected", "untold"] as const),
    ...(["empty", "exits", "crashes", "cut_off", "meddles"] as const),
  ),
  taken: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  leavesWith: fc.constantFrom(0, 0, 1),
});

/** Where chance is at its end, nothing goes well any more, and the person leaves. */
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
  /** Null: it came from outside. */
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

/** The engine's loop with a world made of luck. */
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
  return goesOn(begin(first, story.AT), lucks);
}

/** From a state to its end. */
export function goesOn(from: RunState, lucks: readonly Luck[] = []): Course {
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
    const told = outside.flatMap((happens) => {
      const event = state.ended ? null : happens(state);
      if (event) add(event, at);
      return event ? [event] : [];
    });
    const decision = next(state);
    if (told.length > 0 || !decision) continue;
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

/** What is recorded before anything is decided: the terminal's news, then a message. */
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

/** As the engine tells it; an agent that stops again when nobody wants anything of it is passed over. */
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

/** What the engine does instead of work that no budget is left for. */
function whyNoWork(decision: Decision, { chat, openTurn, attempts }: RunState): RunEvent | null {
  if (!["open_turn", "take_turn", "run_check", "start_wait", "sit_out"].includes(decision.do)) return null;
  if (chat?.live !== "running") return { type: "run_stopped", by: "budget_reached" };
  if (openTurn) return interruption(openTurn);
  const attempt = attempts.at(-1)?.index ?? 0;
  return { type: "review_dropped", attempt, why: "budget_reached", messageId: null };
}

function performs(decision: Decision, state: RunState, luck: Luck): RunEvent | null {
  switch (decision.do) {
    case "record_interrupted":
      return interruption(decision);
    case "open_turn": {
      const { do: _, ...turn } = decision;
      return { type: "turn_started", ...turn, tree: "tree" };
    }
    case "take_base":
    case "check_base":
    case "take_candidate":
    case "confirm_candidate":
      throw new Error("nobody keeps checks apart in this run");
    case "take_turn":
      return luck.interrupted ? interruption(decision) : takesTurn(decision, state, luck);
    case "run_check": {
      const { attempt, phase, index } = decision;
      return luck.interrupted
        ? null
        : story.checkEnded(attempt, phase, index, story.exited(luck.green ? 0 : 1));
    }
    case "judge": {
      const verdict = verdictOn(state);
      if (!verdict) throw new Error("asked to judge what did not happen");
      return { ...story.judged(decision.attempt), ...verdict };
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
    case "start_wait":
      return { type: "wait_started", agent: decision.agent, class: decision.class, until: decision.until };
    case "sit_out":
      return luck.interrupted ? null : { type: "wait_ended" };
    case "stop":
      return { type: "run_stopped", by: decision.by };
    case "end": {
      const { do: _, ...end } = decision;
      return { type: "run_ended", ...end, messageId: null };
    }
    case "start_step":
    case "mark_step":
    case "write_steps":
    case "ask":
    case "await_answer":
      throw new Error(`not in a conversation: ${decision.do}`);
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
    agent: story.told(name, { failure: luck.works === "refuses" ? failure("refused") : null }),
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
    agent: story.told(name, { failure: review in failed ? failed[review as keyof typeof failed] : null }),
    readOnly: true,
    items: [],
    // What was said before the end went wrong may hold the word.
    completed: review !== "rejected" && review !== "empty",
    problem: review === "empty" ? { kind: "missing" } : null,
    changed: review === "meddles" ? ["src/x.ts"] : review === "untold" ? null : [],
    changedInputs: [],
  };
}

const failure = (kind: FailureClass) => ({ class: kind, message: kind, retryAt: null });

/** What a course comes of, so that a failing one can be made smaller, and told in few words. */
export const anyWorld: fc.Arbitrary<World> = fc.record({
  setting: anySetting,
  lucks: fc.array(anyLuck, { minLength: 20, maxLength: 150, size: "max" }),
});
