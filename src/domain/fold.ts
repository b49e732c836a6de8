import type {
  AgentVersions,
  MainEnded,
  ReviewEnded,
  RunEvent,
  TurnEnded,
  TurnFailed,
  TurnStarted,
} from "./event.ts";
import { withAgentsWord, withUsage } from "./fold-agent.ts";
import { firstChat, goneOnWith, withChat, withVerdict } from "./fold-chat.ts";
import { isHeld, withOracleDecided, withRoomEvent } from "./fold-room.ts";
import { withoutMissing } from "./room/set-ups.ts";
import { isWaiting } from "./run-time.ts";
import {
  untouched,
  withEdits,
  withFaultsForgiven,
  withReview,
  withStep,
  withVerifiers,
} from "./fold-steps.ts";
import {
  firstBoard,
  questionAbout,
  settled,
  whileWorking,
  withMain,
  withPersonsEdits,
} from "./fold-board.ts";
import { whyImpossible } from "./legality.ts";
import {
  COMMAND_AGENT,
  lastAttempt,
  newAttempt,
  withAttempt,
  withLastAttempt,
  type Attempt,
  type RunState,
} from "./state.ts";
import { DOING } from "./step.ts";

export class ImpossibleEvent extends Error {}

export function begin(event: RunEvent, at: string): RunState {
  if (event.type !== "run_started")
    throw new ImpossibleEvent(`a journal starts with run_started, not ${event.type}`);
  return {
    runId: event.runId,
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
    steps: event.settings.mode === "run" ? event.settings.steps.map(untouched) : [],
    step: null,
    written: null,
    board: firstBoard(event),
    chat: firstChat(event, at),
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
      untoldTokens: 0,
      untoldCost: 0,
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
  switch (event.type) {
    case "run_resumed":
      return {
        ...goneOnWith(withoutMissing(withFaultsForgiven(state))),
        settings: withVerifiers(state.settings, event.verifiers),
        interactive: event.interactive,
        containment: event.containment,
        agentVersions: withVersions(state.agentVersions, event.agentVersions),
        outputs: event.outputs ?? [],
        limits: event.limits,
        maxLoops: event.maxLoops ?? state.maxLoops,
        // Who grants more has answered what is asked at the limit.
        question: event.maxLoops !== undefined && state.question?.about === "limit" ? null : state.question,
        stopped: null,
        changes: null,
        idleMs: 0,
        // Decided anew: an agent that a person has seen to meanwhile need not wait for another.
        wait: null,
        failures: state.failures.map((failure) => ({
          ...failure,
          old: true,
          settled: failure.settled || event.askNow,
        })),
        openTurn: state.openTurn && { ...state.openTurn, lost: true },
        // Whoever only answers the question starts nothing; otherwise a command may be next, which no event announces.
        board: state.question ? state.board : settled(state.board, false),
      };
    case "run_stopped":
      return {
        ...state,
        stopped: event.by,
        changes: event.changes ?? null,
        board: settled(state.board, true),
      };
    case "turn_started": {
      const { type: _, ...turn } = event;
      const last = lastAttempt(state);
      const known = last?.index === event.attempt && last.judged === null;
      const opened = {
        ...state,
        turns: event.turn,
        openTurn: { ...turn, startedAt: at, lost: false },
        board: whileWorking(state.board, event),
      };
      const begun = known ? opened : withAttempt(opened, beginning(opened, event.attempt, at));
      return withTree(begun, event);
    }
    case "turn_ended":
      return { ...withLastAttempt(withTurn(state, event), { turn: event }), openTurn: null, idleMs: 0 };
    case "review_ended":
      return { ...withReview(withTurn(state, event), event), openTurn: null, idleMs: 0 };
    case "main_ended":
      return { ...withMain(withTurn(state, event), event), openTurn: null, idleMs: 0 };
    case "board_edited":
      return withPersonsEdits(state, event);
    case "turn_failed":
      return {
        ...withAgentsWord(state, event.agent),
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
        // Up to `run_resumed` nobody was there to count the time of a lost turn.
        activeMs: state.activeMs + (lost ? (ranMs ?? 0) : 0),
        openTurn: null,
        interruptedTurns: [...state.interruptedTurns, { attempt, turn, lost, durationMs }],
      };
    }
    case "check_ended":
      return withLastAttempt(state, {
        checks: [...(lastAttempt(state)?.checks ?? []), event],
      });
    case "attempt_judged":
      return withVerdict(state, event);
    case "step_started": {
      const { step, regression } = event;
      const begun = { ...state, step, maxLoops: state.settings.maxLoops };
      return regression ? withAttempt(begun, newAttempt(step, 0, at)) : begun;
    }
    case "step_marked": {
      const { step, status, unitTest, sha256, edited } = event;
      const marked = withStep(state, step, (known) => ({
        status,
        unitTest,
        sha256,
        edited: known.edited || edited,
      }));
      const last = lastAttempt(state);
      const begins = status === DOING && (last?.step !== step || last.judged !== null);
      if (!begins) return marked;
      return withAttempt(marked, newAttempt(step, (last?.step === step ? last.index : 0) + 1, at));
    }
    case "step_refused":
      return { ...withStep(state, event.step, () => ({ refused: event })), step: event.step };
    case "steps_written":
      return { ...state, written: event };
    case "live_started":
    case "input_given":
    case "input_taken_back":
    case "live_turn_ended":
    case "feedback_sent":
    case "review_dropped":
    case "reviews_set":
    case "live_ended":
      return {
        ...withChat(state, event, at),
        messagesSeen: seen(state, "messageId" in event ? event.messageId : null),
      };
    case "base_taken":
    case "base_checked":
    case "candidate_taken":
    case "candidate_confirmed":
      return withRoomEvent(state, event);
    case "question_asked":
      return {
        ...state,
        question: { id: event.id, about: isHeld(state) ? "oracle" : questionAbout(state) },
        board: settled(state.board, true),
        questionsAsked: state.questionsAsked + 1,
      };
    case "question_answered": {
      const { answer, note, via } = event;
      const decided =
        answer.kind === "mark_pass" ? withStep(state, state.step, () => ({ markedDone: true })) : state;
      return {
        ...withOracleDecided(decided, answer),
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
  }
}

/** Where a script asks, whatever is done is done for its one task. */
function beginning({ chat }: RunState, index: number, at: string): Attempt {
  return { ...newAttempt(null, index, at), chat: chat && { task: 1, said: null, settled: null } };
}

/** Up to this moment nobody supervised the run, or a person was awaited. */
function endsAbsence({ type }: RunEvent): boolean {
  return type === "run_resumed" || type === "board_edited";
}

/** An agent that worked until its quota was used up has not kept the run waiting, nor has a look for a session that is gone. */
function wasInVain({ agent }: TurnFailed): boolean {
  const worked = agent.filesTouched.length > 0 || (agent.usage?.output ?? 0) > 0;
  return !worked && agent.failure.class !== "session_lost";
}

function between(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

/** The tree is kept as it was before anybody touched it: an interrupted turn is followed by another. */
function withTree(state: RunState, { role, tree }: TurnStarted): RunState {
  const last = lastAttempt(state);
  return role === "worker"
    ? withLastAttempt(state, { treeBefore: last?.treeBefore ?? tree })
    : withLastAttempt(state, { treeReviewed: last?.treeReviewed ?? tree });
}

function withTurn(state: RunState, event: TurnEnded | ReviewEnded | MainEnded): RunState {
  return withEdits(withWork(state, event), event.changedInputs);
}

/** A turn in which the agent was available. */
function withWork(state: RunState, event: TurnEnded | ReviewEnded | MainEnded): RunState {
  const name = event.agent?.name ?? COMMAND_AGENT;
  return {
    ...withAgentsWord(state, event.agent),
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
