import type { Usage } from "./agent-turn.ts";
import type { MainAnswer, Order } from "./board/answer.ts";
import type { Acceptance, DevPlan } from "./board/plan.ts";
import type { TestRunEnded } from "./evidence/event.ts";
import type { CandidateState } from "./evidence/state.ts";
import type { ProjectEnv } from "./board/project-env.ts";
import type { ChatAttempt } from "./chat/state.ts";
import type {
  Answer,
  AttemptJudged,
  CheckEnded,
  MainEnded,
  ReviewEnded,
  Role,
  StepRefused,
  TurnEnded,
  TurnFailed,
  TurnInterrupted,
  TurnStarted,
} from "./event.ts";
import type { Step, StepStatus, UnitTest } from "./step.ts";

/** A current or judged attempt; where MAIN decides, an iteration. */
export interface Attempt {
  /** Its step, from 1; null where there are none. */
  readonly step: number | null;
  /** From 1; 0: checks a step that was done, without work. */
  readonly index: number;
  readonly startedAt: string;
  /** MAIN's answers, up to the first valid one; empty without MAIN. */
  readonly main: readonly MainEnded[];
  /** MAIN's decision. */
  readonly call: Call | null;
  readonly turn: TurnEnded | null;
  /** The work tree when the attempt's first turn began. */
  readonly treeBefore: string | null;
  readonly checks: readonly CheckEnded[];
  /** Runs of these checks in the room, and of the current check. */
  readonly runs: readonly TestRunEnded[];
  /** Time spent by checks of a tree that has changed since. */
  readonly outdatedChecksMs: number;
  /** The work tree when the first reviewer, or MAIN, began. The tree has to stay the same, whatever happened to that turn. */
  readonly treeReviewed: string | null;
  readonly review: ReviewEnded | null;
  /** Verifications of a step that failed by the verifier's own fault, and how many of them were before a person resumed the run. */
  readonly faultyReviews: readonly ReviewEnded[];
  readonly faultsForgiven: number;
  /** The work tree before a forbidden change by MAIN; null: it changed nothing. */
  readonly meddledWith: string | null;
  /** The result of the attempt as its checks see it; null: not looked at, or checks are not isolated. */
  readonly candidate: CandidateState | null;
  readonly judged: AttemptJudged | null;
  /** Null without a conversation. */
  readonly chat: ChatAttempt | null;
}

/** A valid answer of MAIN. */
export interface Call {
  readonly answer: MainAnswer;
  /** It tried to finish too early, so only its plan was used. */
  readonly finishRefused: boolean;
  readonly order: Order | null;
  /** Ids of its tasks. */
  readonly tasks: readonly string[];
  /** The acceptance commands of these tasks, each once. */
  readonly commands: readonly string[];
  /** Ids of the tasks that it records as verified. */
  readonly verified: readonly string[];
}

/** The current board. */
export interface BoardState {
  /** The text of the plan, and its parsed form. */
  readonly text: string;
  readonly plan: DevPlan;
  readonly context: string;
  readonly projectEnv: string;
  readonly env: ProjectEnv;
  /** All versions of the environment: a recorded tree is compared by the lists of its own time. */
  readonly envs: readonly ProjectEnv[];
  /** By task: the attempt in which it got its status; 0: before the first. */
  readonly since: Readonly<Record<string, number>>;
  /** Tasks with an acceptance that a person wrote. */
  readonly fromPerson: readonly string[];
  /** MAIN's changes to these after a person was asked about it. */
  readonly acceptanceChanges: readonly AcceptanceChange[];
  /** The digest of the tests when the first turn began; null: unknown. */
  readonly testsAtStart: string | null;
  /** No command has run since the board was last in order, so a person made any difference. */
  readonly settled: boolean;
  /** How often a person has changed the board while no agent was at work. */
  readonly edits: number;
}

/** A task is no longer judged by the person's own acceptance. */
export interface AcceptanceChange {
  readonly attempt: number;
  readonly task: string;
  readonly from: readonly Acceptance[];
  readonly to: readonly Acceptance[];
}

/** A step's current state. */
export interface StepState {
  /** The step from the start of the run. */
  readonly step: Step;
  readonly status: StepStatus;
  readonly unitTest: UnitTest | null;
  /** Of its file, as far as we know. */
  readonly sha256: string;
  /** Another program or person changed its file during the run. */
  readonly edited: boolean;
  readonly refused: StepRefused | null;
  /** A person decided that it is done. */
  readonly markedDone: boolean;
}

/**
 * The subject of a question: whether to continue at the limit, how to handle a MAIN that breaks rules, MAIN's own question, or
 * whether to allow the agent's changes to protected files.
 */
export type QuestionAbout = "limit" | "main" | "user" | "protected";

export interface ManualDecision {
  readonly about: QuestionAbout;
  /** The attempt that raised it. */
  readonly attempt: number;
  /** Number of attempts so far, at all steps. */
  readonly attempts: number;
  readonly answer: Answer;
  readonly note: string | null;
  readonly via: "terminal" | "decide";
  readonly at: string;
}

/** The name of the person's own command, where agents have names. */
export const COMMAND_AGENT = "command";

export interface OpenTurn extends Omit<TurnStarted, "type"> {
  readonly startedAt: string;
  /** Its process is gone. */
  readonly lost: boolean;
}

export interface AgentFailure {
  readonly event: TurnFailed;
  /** Of the turn. */
  readonly role: Role;
  readonly at: string;
  /** A person has handled the run since, so problems that they could fix no longer count. */
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

export interface InterruptedTurn extends Pick<TurnInterrupted, "attempt" | "turn"> {
  /** The foreman was gone; otherwise the turn was interrupted. */
  readonly lost: boolean;
  /** Its duration; for a lost turn a lower bound, or null: unknown. */
  readonly durationMs: number | null;
}

/** The usage of the agents' turns. */
export interface Spent {
  readonly usage: Usage;
  /** Turns without reported tokens or cost. */
  readonly unreportedTokens: number;
  readonly unreportedCost: number;
  /** Turns that worked at an unknown price: a limit of money cannot be kept any more. */
  readonly unpriced: number;
  /** Completed turns without reported tokens: a limit of tokens cannot be kept either. */
  readonly uncounted: number;
}
