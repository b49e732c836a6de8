import type { BaseCommand, CheckPhase } from "./check-phase.ts";
import type { ChatState } from "./chat/state.ts";
import type { Decision } from "./decision.ts";
import type {
  Answer,
  Containment,
  EndReason,
  EvidenceEvent,
  FinalStatus,
  ModeEvent,
  TurnResult,
  ReviewEnded,
  RunEnded,
  RunEvent,
  RunStarted,
  RunStopped,
  StepsWritten,
  TurnStarted,
  WaitStarted,
} from "./event.ts";
import type { RunChanges } from "./evidence/changes.ts";
import type { BaseTaken } from "./evidence/event.ts";
import type { BaseState } from "./evidence/state.ts";
import type { KeptFile, Limits, OutputFile, PromptTemplate, Settings } from "./settings.ts";
import type {
  AgentFailure,
  AgentSession,
  Attempt,
  BoardState,
  InterruptedTurn,
  ManualDecision,
  OpenTurn,
  QuestionAbout,
  Spent,
  StepState,
} from "./state-parts.ts";
import type { Verdict } from "./verdict.ts";

/**
 * The pure half of a mode. `state.mode` holds it, so that no other code has to know the modes. For an omitted function
 * the mode behaves like the others.
 */
export interface ModeRules<S extends Settings = Settings> {
  readonly name: S["mode"];
  /** The kind of result of a worker's turn; null: none. */
  readonly turnResult: TurnResult["kind"] | null;
  /** Whether a worker's turn makes a claim by markers. */
  readonly claims: boolean;
  /** Whether accepted work becomes the base of later attempts. */
  readonly movesBase: boolean;
  /** Whether a person takes part in the run, so that it need not stop to ask for help. */
  readonly hasPerson: boolean;
  /** Whether all test commands are known before any work. */
  readonly knowsTestsAtStart: boolean;
  /** The person's own command that works in place of a named agent. */
  command?(settings: S): string | null;
  /** The attempts whose acceptance still counts, in order; default: the last accepted one. */
  stillAccepted?(accepted: readonly Attempt[]): readonly Attempt[];
  prompts(settings: S): readonly PromptTemplate[];
  /** Files of which the run keeps a copy; a later change has no effect and is reported. */
  inputs?(settings: S): readonly KeptFile[];
  /** Initial state of this mode, besides the common part. */
  begin?(settings: S, at: string): Partial<RunState>;
  next(state: RunState, settings: S): Decision;
  /** This mode's changes to the state after the event was folded. */
  fold?(after: RunState, event: RunEvent, context: FoldContext<S>): RunState;
  verdict(state: RunState, attempt: Attempt, settings: S): Verdict | null;
  /** The test commands that are known before any work, each once. */
  baseCommands(settings: S): readonly BaseCommand[];
  /** All test commands known so far: the files that they run are protected. */
  testCommands(state: RunState, settings: S): readonly string[];
  /** The commands of a phase in the current attempt, in order. */
  commandsDue(state: RunState, phase: CheckPhase, settings: S): readonly string[];
  /** Whether an attempt without a worker's turn may run checks. */
  checksWithoutTurn?(state: RunState, attempt: Attempt): boolean;
  /** Whether the original tests must pass before work is accepted. */
  readonly testsDecide: boolean;
  /** Whether tests must stay unchanged unless a person allows a change. */
  protectsTests(state: RunState, attempt: Attempt): boolean;
  /** Whether an attempt that leaves the tree unchanged has done nothing. */
  expectsChange(attempt: Attempt, settings: S): boolean;
  questionAbout?(state: RunState): QuestionAbout;
  readonly evidence: EvidenceRules;
  readonly legality: Legality<S>;
}

/** How evidence is kept and judged; the same in every mode. `evidence/rules.ts` implements it. */
export interface EvidenceRules {
  fold(state: RunState, event: EvidenceEvent): RunState;
  /** Why an event cannot follow a state, or null. */
  whyImpossible(state: RunState, event: EvidenceEvent): string | null;
  /** The verdict on the last attempt from its recorded evidence; null: not possible yet. */
  verdict(state: RunState): Verdict | null;
  /** Whether a person has to look at changed protected files before the work is accepted. */
  isHeld(state: RunState): boolean;
  withAnswer(state: RunState, answer: Answer): RunState;
  /** Repeats checks whose failure a person may have fixed before resuming the run. */
  afterResume(state: RunState): RunState;
}

export interface FoldContext<S extends Settings = Settings> {
  readonly before: RunState;
  readonly settings: S;
  readonly at: string;
}

/** Why an event cannot follow a state, or null. */
export interface Legality<S extends Settings = Settings> {
  /** For any event, before all others. */
  any?(state: RunState, event: RunEvent): string | null;
  /** For events that only this mode records. */
  own?(state: RunState, event: ModeEvent, settings: S): string | null;
  turn(state: RunState, event: TurnStarted, settings: S): string | null;
  review?(state: RunState, event: ReviewEnded): string | null;
  question(state: RunState): string | null;
  passed(state: RunState, event: RunEnded): string | null;
  manuallyPassed?(state: RunState): string | null;
  moreLoops?(state: RunState, maxLoops: number): string | null;
}

/** A run's complete state: a pure fold of its journal. */
export interface RunState {
  readonly runId: string;
  readonly mode: ModeRules;
  readonly settings: Settings;
  readonly started: RunStarted;
  readonly startedAt: string;
  readonly updatedAt: string;
  /** Number of events so far, which is the number of the last one. */
  readonly events: number;
  readonly containment: Containment;
  /** All versions of each agent during the run. */
  readonly agentVersions: Readonly<Record<string, readonly string[]>>;
  /** Files of the work tree that received the output of this foreman, or of an earlier one. */
  readonly outputs: readonly OutputFile[];
  readonly interactive: boolean;
  /** The current limit, for each step: it grows when a person grants more attempts. */
  readonly maxLoops: number;
  readonly turns: number;
  /** Only the last one may be unfinished. Those at the same step follow each other. */
  readonly attempts: readonly Attempt[];
  /** In order; empty where the mode has none. */
  readonly steps: readonly StepState[];
  /** The current step, from 1; null: none yet. */
  readonly step: number | null;
  /** The result of an analysis. */
  readonly written: StepsWritten | null;
  /** Null where there is none. */
  readonly board: BoardState | null;
  /** Null where there is none. */
  readonly chat: ChatState | null;
  /** Null: not looked at yet, or checks are not isolated. */
  readonly base: BaseState | null;
  /** The tree before the first turn. Unlike `base`, it does not move on with accepted work. */
  readonly startBase: BaseTaken | null;
  /** From the last stop or end; null: not looked at since the start or the last resume. */
  readonly changes: RunChanges | null;
  readonly openTurn: OpenTurn | null;
  /** Turns that cost no attempt, in order. */
  readonly failures: readonly AgentFailure[];
  /** The agent that last worked, or tried to. */
  readonly lastAgent: string | null;
  /** The last turn of each agent in which it was available. */
  readonly workedIn: Readonly<Record<string, number>>;
  /** The last session of each agent, and its usage; MAIN's separately. */
  readonly sessions: Readonly<Record<string, AgentSession>>;
  readonly wait: (WaitStarted & { readonly startedAt: string }) | null;
  /** Time spent waiting for agents, or trying them in vain, since one last worked. */
  readonly idleMs: number;
  readonly limits: Limits;
  /** How long a process has supervised the run, up to the last event. */
  readonly activeMs: number;
  /** The part of it spent waiting for an agent or a person. */
  readonly waitedMs: number;
  readonly spent: Spent;
  readonly interruptedTurns: readonly InterruptedTurn[];
  readonly question: { readonly id: string; readonly about: QuestionAbout } | null;
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
