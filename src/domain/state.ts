import type { Usage } from "./agent-turn.ts";
import type { MainAnswer } from "./board/answer.ts";
import type { Order } from "./board/order.ts";
import type { Acceptance, DevPlan } from "./board/plan.ts";
import type { RunChanges } from "./room/changes.ts";
import type { BaseTaken } from "./room/event.ts";
import type { BaseState, CandidateState } from "./room/state.ts";
import type { ProjectEnv } from "./board/project-env.ts";
import type { ChatAttempt, ChatState } from "./chat/state.ts";
import type { Captured } from "./process-end.ts";
import type {
  Answer,
  AttemptJudged,
  CheckEnded,
  Containment,
  EndReason,
  FinalStatus,
  MainEnded,
  ReviewEnded,
  Role,
  RunStarted,
  RunStopped,
  StepRefused,
  StepsWritten,
  TurnEnded,
  TurnFailed,
  WaitStarted,
} from "./event.ts";
import type { Limits, OutputFile, Settings } from "./settings.ts";
import type { Step, StepStatus, UnitTest } from "./step.ts";

/** An attempt that is under way or judged; where MAIN decides, an iteration. */
export interface Attempt {
  /** Which step it is at, from 1; null where there are none. */
  readonly step: number | null;
  /** From 1; 0: a step that was done is put to the test, and nobody works. */
  readonly index: number;
  readonly startedAt: string;
  /** What MAIN answered, until an answer stood; empty where there is no MAIN. */
  readonly main: readonly MainEnded[];
  /** What MAIN decided. */
  readonly call: Call | null;
  readonly turn: TurnEnded | null;
  /** The work tree when the attempt's first turn began. */
  readonly treeBefore: string | null;
  readonly checks: readonly CheckEnded[];
  /** Time spent by checks of a tree that has changed since. */
  readonly outdatedChecksMs: number;
  /** The work tree when the first reviewer, or MAIN, began: whatever became of that turn, the tree has to stay so. */
  readonly treeReviewed: string | null;
  readonly review: ReviewEnded | null;
  /** Verifications of a step that failed by the verifier's own fault, and how many of them were before a person resumed the run. */
  readonly faultyReviews: readonly ReviewEnded[];
  readonly faultsForgiven: number;
  /** The work tree before MAIN changed it, which it may not; null: it did not. */
  readonly meddledWith: string | null;
  /** What the attempt left, as its checks see it; null: not looked at, or nobody keeps checks apart. */
  readonly candidate: CandidateState | null;
  readonly judged: AttemptJudged | null;
  /** Null where there is no conversation. */
  readonly chat: ChatAttempt | null;
}

/** An answer of MAIN that stands. */
export interface Call {
  readonly answer: MainAnswer;
  /** It wanted to finish too early: only its plan was taken over. */
  readonly finishRefused: boolean;
  readonly order: Order | null;
  /** Ids of the tasks it is about. */
  readonly tasks: readonly string[];
  /** The acceptance commands of these tasks, each once. */
  readonly commands: readonly string[];
  /** Ids of the tasks that it records as verified. */
  readonly verified: readonly string[];
}

/** The blackboard as it stands now. */
export interface BoardState {
  /** The text of the plan, and what it says. */
  readonly text: string;
  readonly plan: DevPlan;
  readonly context: string;
  readonly projectEnv: string;
  readonly env: ProjectEnv;
  /** All that the environment has been: a tree on record is compared by the lists it was recorded with. */
  readonly envs: readonly ProjectEnv[];
  /** By task: since which attempt it has its status; 0: since before the first. */
  readonly since: Readonly<Record<string, number>>;
  /** Tasks whose acceptance a person wrote. */
  readonly fromPerson: readonly string[];
  /** What MAIN made of these after a person was asked about it. */
  readonly acceptanceChanges: readonly AcceptanceChange[];
  /** The digest of the tests when the first turn began; null: unknown. */
  readonly testsAtStart: string | null;
  /** Nothing has run since the board was last left in order: what is different there is a person's. */
  readonly settled: boolean;
  /** How often a person has changed the board while no agent was at work. */
  readonly edits: number;
}

/** A task is judged by something else than the person wrote. */
export interface AcceptanceChange {
  readonly attempt: number;
  readonly task: string;
  readonly from: readonly Acceptance[];
  readonly to: readonly Acceptance[];
}

/** A step as it stands now. */
export interface StepState {
  /** As the run was started with it. */
  readonly step: Step;
  readonly status: StepStatus;
  readonly unitTest: UnitTest | null;
  /** Of its file, as far as we know. */
  readonly sha256: string;
  /** Its file was changed by somebody else while the run went on. */
  readonly edited: boolean;
  readonly refused: StepRefused | null;
  /** A person decided that it is done. */
  readonly markedDone: boolean;
}

/**
 * What a person is asked: whether to go on at the limit, what to do about a MAIN that breaks rules, what MAIN wants to know, or
 * whether tests and what decides about them may be as the agent left them.
 */
export type QuestionAbout = "limit" | "main" | "user" | "oracle";

export interface ManualDecision {
  readonly about: QuestionAbout;
  /** In which attempt it was asked. */
  readonly attempt: number;
  /** How many attempts there were, at all steps. */
  readonly attempts: number;
  readonly answer: Answer;
  readonly note: string | null;
  readonly via: "terminal" | "decide";
  readonly at: string;
}

/** What the person's own command goes by where agents have names. */
export const COMMAND_AGENT = "command";

export interface OpenTurn {
  readonly role: Role;
  readonly attempt: number;
  readonly turn: number;
  readonly agent: string | null;
  readonly resumes: string | null;
  readonly tree: string | null;
  readonly startedAt: string;
  /** The process that took it is gone. */
  readonly lost: boolean;
}

export interface AgentFailure {
  readonly event: TurnFailed;
  /** Of the turn. */
  readonly role: Role;
  readonly at: string;
  /** A person has seen to the run since: what they could mend counts no longer. */
  readonly old: boolean;
  /** A person wanted the agent to be asked again at once. */
  readonly settled: boolean;
}

export interface AgentSession {
  readonly id: string;
  readonly totals: Usage | null;
  /** It was compacted after the rules were last sent. */
  readonly compacted: boolean;
}

export interface InterruptedTurn {
  readonly attempt: number;
  readonly turn: number;
  /** The foreman was gone; else somebody broke it off. */
  readonly lost: boolean;
  /** How long it went on; of a lost turn at least so long, or null: nobody knows. */
  readonly durationMs: number | null;
}

/** What the agents' turns have used up. */
export interface Spent {
  readonly usage: Usage;
  /** Turns of which the agent told no tokens, or no cost. */
  readonly untoldTokens: number;
  readonly untoldCost: number;
  /** Turns that worked and of which nobody knows the price: a limit of money cannot be kept any more. */
  readonly unpriced: number;
  /** Completed turns that told no tokens: nor can one of tokens. */
  readonly uncounted: number;
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
  /** Of each agent, all that it had while the run went on. */
  readonly agentVersions: Readonly<Record<string, readonly string[]>>;
  /** Files of the work tree that the output of this foreman, or of one before it, went to. */
  readonly outputs: readonly OutputFile[];
  readonly interactive: boolean;
  /** The limit now, at each step anew: grows when a person grants more attempts. */
  readonly maxLoops: number;
  readonly turns: number;
  /** The last one may be unfinished; all others are judged. Those at the same step follow each other. */
  readonly attempts: readonly Attempt[];
  /** In the order they are taken; none where the mode has none. */
  readonly steps: readonly StepState[];
  /** Which step the run is at, from 1; null: at none yet. */
  readonly step: number | null;
  /** What was made of an analysis. */
  readonly written: StepsWritten | null;
  /** Null where there is none. */
  readonly board: BoardState | null;
  /** Null where there is none. */
  readonly chat: ChatState | null;
  /** Null: not looked at yet, or nobody keeps checks apart. */
  readonly base: BaseState | null;
  /** The tree before the first turn: the base moves on with accepted work, this does not. */
  readonly startBase: BaseTaken | null;
  /** As seen when the run last stopped or ended; null: not looked at since it was started or resumed. */
  readonly changes: RunChanges | null;
  readonly openTurn: OpenTurn | null;
  /** Turns that cost no attempt, in the order they came. */
  readonly failures: readonly AgentFailure[];
  /** Which agent worked last, or tried to. */
  readonly lastAgent: string | null;
  /** The last turn of each agent in which it was available. */
  readonly workedIn: Readonly<Record<string, number>>;
  /** The last session of each agent, and what it had used; MAIN's apart from those of others. */
  readonly sessions: Readonly<Record<string, AgentSession>>;
  readonly wait: (WaitStarted & { readonly startedAt: string }) | null;
  /** How long the run has waited for agents, or tried them in vain, since one last worked. */
  readonly idleMs: number;
  readonly limits: Limits;
  /** How long a process has supervised the run, up to the last event. */
  readonly activeMs: number;
  /** Of that, how long an agent or a person was waited for. */
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

/** Where a turn that went wrong says why: its errors, if it wrote any. */
export function tellingOutput(turn: Pick<TurnEnded, "stdout" | "stderr">): Captured {
  return turn.stderr.bytes > 0 ? turn.stderr : turn.stdout;
}

export function lastAttempt(state: RunState): Attempt | undefined {
  return state.attempts.at(-1);
}

/** The review of an attempt. One that was cut off at the budget says nothing: it is made again. */
export function reviewOf({ review }: Attempt): ReviewEnded | null {
  return review?.process.end.kind === "over_budget" ? null : review;
}

export function attemptsAt(state: RunState, step: number | null): readonly Attempt[] {
  return state.attempts.filter((attempt) => attempt.step === step);
}

/** The step the run is at. */
export function currentStep(state: RunState): StepState | undefined {
  return state.step === null ? undefined : state.steps[state.step - 1];
}

/** Who decides or reviews has a session of its own, also where the same agent works. */
export function sessionKey(role: Role, agent: string): string {
  switch (role) {
    case "main":
      return `${MAINS}${agent}`;
    case "reviewer":
      return `${REVIEWERS}${agent}`;
    case "worker":
      return agent;
  }
}

/** Names of agents hold no space. */
const MAINS = "main ";
const REVIEWERS = "reviewer ";

export function isMains(session: string): boolean {
  return session.startsWith(MAINS);
}

export function newAttempt(step: number | null, index: number, startedAt: string): Attempt {
  return {
    step,
    index,
    startedAt,
    main: [],
    call: null,
    turn: null,
    treeBefore: null,
    checks: [],
    treeReviewed: null,
    review: null,
    outdatedChecksMs: 0,
    faultyReviews: [],
    faultsForgiven: 0,
    meddledWith: null,
    candidate: null,
    judged: null,
    chat: null,
  };
}

export function withAttempt(state: RunState, attempt: Attempt): RunState {
  return { ...state, attempts: [...state.attempts, attempt] };
}

export function withLastAttempt(state: RunState, change: Partial<Attempt>): RunState {
  const last = lastAttempt(state);
  if (!last) return state;
  return { ...state, attempts: [...state.attempts.slice(0, -1), { ...last, ...change }] };
}
