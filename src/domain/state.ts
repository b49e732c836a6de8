import type { Captured } from "./process-end.ts";
import type {
  Answer,
  AttemptJudged,
  CheckEnded,
  Containment,
  EndReason,
  FinalStatus,
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
  /** How many events the run has had: the number of the last one. */
  readonly events: number;
  readonly containment: Containment;
  readonly interactive: boolean;
  /** The limit now: grows when a person grants more attempts. */
  readonly maxLoops: number;
  readonly turns: number;
  /** The last one may be unfinished; all others are judged. */
  readonly attempts: readonly Attempt[];
  readonly openTurn: { readonly attempt: number; readonly turn: number; readonly lost: boolean } | null;
  readonly interruptedTurns: readonly { readonly attempt: number; readonly turn: number }[];
  readonly question: { readonly id: string } | null;
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

/** Where a turn that went wrong says why: its errors, if it wrote any. */
export function tellingOutput(turn: TurnEnded): Captured {
  return turn.stderr.bytes > 0 ? turn.stderr : turn.stdout;
}

export function lastAttempt(state: RunState): Attempt | undefined {
  return state.attempts.at(-1);
}
