import type {
  Answer,
  AttemptJudged,
  CheckEnded,
  Containment,
  EndReason,
  FinalStatus,
  RunEvent,
  RunStarted,
  RunStopped,
  Settings,
  TurnEnded,
} from "./event.ts";

/** An attempt that is under way or judged. */
export interface Attempt {
  readonly index: number;
  readonly startedAt: string;
  readonly turn: TurnEnded | null;
  readonly checks: readonly CheckEnded[];
  readonly judged: AttemptJudged | null;
}

export interface ManualDecision {
  readonly answer: Answer;
  readonly note: string | null;
  readonly via: "terminal" | "decide";
  readonly at: string;
}

/** All that is known of a run; a pure fold of its journal. */
export interface RunState {
  readonly runId: string;
  readonly settings: Settings;
  readonly started: RunStarted;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly containment: Containment;
  readonly interactive: boolean;
  /** The limit now: grows when a person grants more attempts. */
  readonly maxLoops: number;
  readonly turns: number;
  /** The last one may be unfinished; all others are judged. */
  readonly attempts: readonly Attempt[];
  readonly openTurn: { readonly attempt: number; readonly turn: number; readonly lost: boolean } | null;
  readonly interruptedTurns: readonly { readonly attempt: number; readonly turn: number }[];
  readonly question: { readonly id: string; readonly askedAt: string } | null;
  readonly questionsAsked: number;
  readonly decisions: readonly ManualDecision[];
  readonly refusals: number;
  readonly messagesSeen: ReadonlySet<string>;
  readonly stopped: RunStopped["by"] | null;
  readonly ended: {
    readonly status: FinalStatus;
    readonly exitCode: number;
    readonly reason: EndReason;
    readonly at: string;
  } | null;
}

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
    containment: event.containment,
    interactive: event.interactive,
    maxLoops: event.settings.maxLoops,
    turns: 0,
    attempts: [],
    openTurn: null,
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
  if (before.ended) throw new ImpossibleEvent(`${event.type} after the run has ended`);
  const state = { ...before, updatedAt: at };
  switch (event.type) {
    case "run_started":
      throw new ImpossibleEvent("run_started twice");
    case "run_resumed":
      return {
        ...state,
        interactive: event.interactive,
        containment: event.containment,
        stopped: null,
        openTurn: state.openTurn && { ...state.openTurn, lost: true },
      };
    case "run_stopped":
      return { ...state, stopped: event.by };
    case "turn_started": {
      const { attempt, turn } = event;
      const isRetry = lastAttempt(state)?.index === attempt;
      const attempts = isRetry
        ? state.attempts
        : [...state.attempts, { index: attempt, startedAt: at, turn: null, checks: [], judged: null }];
      return { ...state, attempts, turns: turn, openTurn: { attempt, turn, lost: false } };
    }
    case "turn_ended":
      return { ...withLastAttempt(state, event.attempt, { turn: event }), openTurn: null };
    case "turn_interrupted": {
      const { attempt, turn } = event;
      return { ...state, openTurn: null, interruptedTurns: [...state.interruptedTurns, { attempt, turn }] };
    }
    case "check_ended":
      return withLastAttempt(state, event.attempt, {
        checks: [...(lastAttempt(state)?.checks ?? []), event],
      });
    case "attempt_judged":
      return withLastAttempt(state, event.attempt, { judged: event });
    case "question_asked":
      return { ...state, question: { id: event.id, askedAt: at }, questionsAsked: state.questionsAsked + 1 };
    case "question_answered": {
      const { answer, note, via } = event;
      return {
        ...state,
        question: null,
        maxLoops: answer.kind === "continue_n" ? state.maxLoops + answer.n : state.maxLoops,
        decisions: [...state.decisions, { answer, note, via, at }],
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
        stopped: null,
        ended: { status, exitCode, reason, at },
        messagesSeen: seen(state, event.messageId),
      };
    }
    default:
      throw unknownEvent(event);
  }
}

/** No code can make one; a journal can hold one. */
function unknownEvent(event: never): ImpossibleEvent {
  return new ImpossibleEvent(`an event that nobody knows: ${JSON.stringify(event)}`);
}

export function lastAttempt(state: RunState): Attempt | undefined {
  return state.attempts.at(-1);
}

function withLastAttempt(state: RunState, index: number, change: Partial<Attempt>): RunState {
  const last = lastAttempt(state);
  if (last?.index !== index || last.judged) throw new ImpossibleEvent(`attempt ${index} is not under way`);
  return { ...state, attempts: [...state.attempts.slice(0, -1), { ...last, ...change }] };
}

function seen(state: RunState, messageId: string | null): ReadonlySet<string> {
  return messageId === null ? state.messagesSeen : new Set([...state.messagesSeen, messageId]);
}
