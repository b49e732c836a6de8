import type {
  AgentVersions,
  MainEnded,
  ReviewEnded,
  RunEvent,
  RunStarted,
  TurnEnded,
  TurnFailed,
  TurnStarted,
} from "./event.ts";
import { isOwnedBy, type ModeEvent } from "./events/index.ts";
import { recordAgentTurn, withUsage } from "./fold-agent.ts";
import { isWaiting } from "./run-time.ts";
import { whyImpossible } from "./legality.ts";
import type { ModeRules } from "./mode.ts";
import {
  COMMAND_AGENT,
  lastAttempt,
  newAttempt,
  withAttempt,
  withLastAttempt,
  type QuestionAbout,
  type RunState,
} from "./state.ts";

export class ImpossibleEvent extends Error {}

/** The state after the first event of a journal. The reader of a journal supplies it, because it knows the modes. */
export type Begin = (event: RunEvent, at: string) => RunState;

export function beginIn(mode: ModeRules, event: RunStarted, at: string): RunState {
  return {
    runId: event.runId,
    mode,
    settings: event.settings,
    started: event,
    startedAt: at,
    updatedAt: at,
    events: 1,
    containment: event.containment,
    agentVersions: withVersions({}, event.agentVersions),
    outputs: event.outputs ?? [],
    interactive: event.interactive,
    maxLoops: event.settings.maxLoops,
    turns: 0,
    attempts: [],
    steps: [],
    step: null,
    written: null,
    board: null,
    chat: null,
    base: null,
    startBase: null,
    changes: null,
    openTurn: null,
    failures: [],
    lastAgent: null,
    workedIn: {},
    sessions: {},
    wait: null,
    idleMs: 0,
    limits: event.settings.limits,
    activeMs: 0,
    waitedMs: 0,
    spent: {
      usage: { input: 0, cached: 0, output: 0, costUsd: null },
      unreportedTokens: 0,
      unreportedCost: 0,
      unpriced: 0,
      uncounted: 0,
    },
    interruptedTurns: [],
    question: null,
    questionsAsked: 0,
    decisions: [],
    refusals: 0,
    messagesSeen: new Set(),
    stopped: null,
    ended: null,
    ...mode.begin?.(event.settings, at),
  };
}

export function fold(before: RunState, event: RunEvent, at: string): RunState {
  const why = whyImpossible(before, event);
  if (why !== null) throw new ImpossibleEvent(`${event.type}: ${why}`);
  const passed = endsAbsence(event) ? 0 : between(before.updatedAt, at);
  const state = {
    ...before,
    updatedAt: at,
    events: before.events + 1,
    activeMs: before.activeMs + passed,
    waitedMs: before.waitedMs + (isWaiting(before) ? passed : 0),
  };
  const { mode, settings } = before;
  const after = foldInEveryMode(state, event, at);
  return mode.fold ? mode.fold(after, event, { before, settings, at }) : after;
}

function foldInEveryMode(state: RunState, event: RunEvent, at: string): RunState {
  switch (event.type) {
    case "run_resumed":
      return {
        ...state.mode.evidence.afterResume(state),
        interactive: event.interactive,
        containment: event.containment,
        agentVersions: withVersions(state.agentVersions, event.agentVersions),
        outputs: event.outputs ?? [],
        limits: event.limits,
        maxLoops: event.maxLoops ?? state.maxLoops,
        // Raising the limit answers the question that is asked at the limit.
        question: event.maxLoops !== undefined && state.question?.about === "limit" ? null : state.question,
        stopped: null,
        changes: null,
        idleMs: 0,
        // Decided again: an agent that a person has repaired meanwhile need not wait for another.
        wait: null,
        failures: state.failures.map((failure) => ({
          ...failure,
          old: true,
          settled: failure.settled || event.askNow,
        })),
        openTurn: state.openTurn && { ...state.openTurn, lost: true },
      };
    case "run_stopped":
      return { ...state, stopped: event.by, changes: event.changes ?? null };
    case "turn_started": {
      const { type: _, ...turn } = event;
      const last = lastAttempt(state);
      const known = last?.index === event.attempt && last.judged === null;
      const opened = {
        ...state,
        turns: event.turn,
        openTurn: { ...turn, startedAt: at, lost: false },
      };
      const begun = known ? opened : withAttempt(opened, newAttempt(null, event.attempt, at));
      return withTree(begun, event);
    }
    case "turn_ended":
      return { ...withLastAttempt(withWork(state, event), { turn: event }), openTurn: null, idleMs: 0 };
    case "review_ended":
      return { ...withLastAttempt(withWork(state, event), { review: event }), openTurn: null, idleMs: 0 };
    case "main_ended":
      return { ...withWork(state, event), openTurn: null, idleMs: 0 };
    case "turn_failed":
      return {
        ...recordAgentTurn(state, event.agent),
        openTurn: null,
        idleMs: state.idleMs + (wasInVain(event) ? event.process.durationMs : 0),
        failures: [
          ...state.failures,
          { event, role: state.openTurn?.role ?? "worker", at, old: false, settled: false },
        ],
      };
    case "wait_started":
      return { ...state, wait: { ...event, startedAt: at } };
    case "wait_ended":
      return {
        ...state,
        wait: null,
        idleMs: state.idleMs + between(state.wait?.startedAt ?? at, at),
      };
    case "turn_interrupted": {
      const { attempt, turn, ranMs = null } = event;
      const { agent = null, lost = false, startedAt = at } = state.openTurn ?? {};
      const durationMs = lost ? ranMs : between(startedAt, at);
      return {
        ...state,
        spent: agent === null ? state.spent : withUsage(state.spent, null, false),
        // Until `run_resumed`, no process counted the time of a lost turn.
        activeMs: state.activeMs + (lost ? (ranMs ?? 0) : 0),
        openTurn: null,
        interruptedTurns: [...state.interruptedTurns, { attempt, turn, lost, durationMs }],
      };
    }
    case "attempt_judged":
      return withLastAttempt(state, { judged: event });
    case "question_asked":
      return {
        ...state,
        question: { id: event.id, about: questionAbout(state) },
        questionsAsked: state.questionsAsked + 1,
      };
    case "question_answered": {
      const { answer, note, via } = event;
      return {
        ...state.mode.evidence.withAnswer(state, answer),
        question: null,
        maxLoops: answer.kind === "continue_n" ? state.maxLoops + answer.n : state.maxLoops,
        decisions: [
          ...state.decisions,
          {
            about: state.question?.about ?? "limit",
            attempt: lastAttempt(state)?.index ?? 0,
            attempts: state.attempts.length,
            answer,
            note,
            via,
            at,
          },
        ],
        messagesSeen: seen(state, event.messageId),
      };
    }
    case "answer_refused":
      return { ...state, refusals: state.refusals + 1, messagesSeen: seen(state, event.messageId) };
    case "run_ended": {
      const { status, exitCode, reason } = event;
      return {
        ...state,
        question: null,
        openTurn: null,
        wait: null,
        stopped: null,
        ended: { status, exitCode, reason, at },
        changes: event.changes ?? null,
        messagesSeen: seen(state, event.messageId),
      };
    }
    case "run_started":
      return state;
    default:
      return isOwnedBy("evidence", event)
        ? state.mode.evidence.fold(state, event)
        : withMessageOf(state, event);
  }
}

/** The mode folds the rest of its events. */
function withMessageOf(state: RunState, event: ModeEvent): RunState {
  return "messageId" in event ? { ...state, messagesSeen: seen(state, event.messageId) } : state;
}

function questionAbout(state: RunState): QuestionAbout {
  return state.mode.evidence.isHeld(state) ? "protected" : (state.mode.questionAbout?.(state) ?? "limit");
}

/** Until this event no process supervised the run, or it waited for a person. */
function endsAbsence({ type }: RunEvent): boolean {
  return type === "run_resumed" || type === "board_edited";
}

/** An agent that worked until its quota ran out has not kept the run waiting, nor has a look for a missing session. */
function wasInVain({ agent }: TurnFailed): boolean {
  const worked = agent.filesTouched.length > 0 || (agent.usage?.output ?? 0) > 0;
  return !worked && agent.failure.class !== "session_lost";
}

function between(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

/** Keeps the tree from before the first turn, because another turn follows an interrupted one. */
function withTree(state: RunState, { role, tree }: TurnStarted): RunState {
  const last = lastAttempt(state);
  return role === "worker"
    ? withLastAttempt(state, { treeBefore: last?.treeBefore ?? tree })
    : withLastAttempt(state, { treeReviewed: last?.treeReviewed ?? tree });
}

/** A turn in which the agent was available. */
function withWork(state: RunState, event: TurnEnded | ReviewEnded | MainEnded): RunState {
  const name = event.agent?.name ?? COMMAND_AGENT;
  return {
    ...recordAgentTurn(state, event.agent),
    workedIn: { ...state.workedIn, [name]: event.turn },
  };
}

function seen(state: RunState, messageId: string | null): ReadonlySet<string> {
  return messageId === null ? state.messagesSeen : new Set([...state.messagesSeen, messageId]);
}

function withVersions(known: RunState["agentVersions"], now: AgentVersions = {}): RunState["agentVersions"] {
  const versions = { ...known };
  for (const [name, version] of Object.entries(now))
    versions[name] = [...new Set([...(known[name] ?? []), version])];
  return versions;
}
