import type { AgentProfile } from "./agent-profile.ts";
import type { AgentTurn, FailureClass, TurnFailure } from "./agent-turn.ts";
import type { MainAnswer } from "./board/answer.ts";
import type { RoleReport, TreeChange } from "./board/role-said.ts";
import type { Broken } from "./board/rule.ts";
import type { CheckPhase } from "./check-phase.ts";
import type { ChatEvent, ReviewMarkers } from "./chat/event.ts";
import type { RunChanges } from "./room/changes.ts";
import type { CheckInRoom, RoomEvent } from "./room/event.ts";
import type { StopSignal } from "./outcome.ts";
import type { Captured, ProcessRecord } from "./process-end.ts";
import type { Claim } from "./protocol/claim.ts";
import type { Reason } from "./reason.ts";
import type { KeptFile, Limits, OutputFile, Settings } from "./settings.ts";
import type { ReviewItem, UnitTest } from "./step.ts";
import type { AnalysisProblem } from "./steps/analysis.ts";
import type { StepEvent } from "./steps/event.ts";
import type { NotStarted } from "./tests/not-started.ts";
import type { ReviewProblem } from "./steps/review.ts";
export type { CheckPhase } from "./check-phase.ts";
export type { StepMarked, StepRefused, StepsWritten, StepStarted } from "./steps/event.ts";

/**
 * The durable vocabulary: what the journal holds, and all a run's state is folded from. Output never lies in an event;
 * events hold its path, length and digest.
 */
export type RunEvent =
  | RunStarted
  | RunResumed
  | RunStopped
  | TurnStarted
  | TurnEnded
  | TurnFailed
  | TurnInterrupted
  | WaitStarted
  | WaitEnded
  | CheckEnded
  | AttemptJudged
  | StepEvent
  | ReviewEnded
  | MainEnded
  | BoardEdited
  | ChatEvent
  | RoomEvent
  | QuestionAsked
  | QuestionAnswered
  | AnswerRefused
  | RunEnded;

export type Containment =
  | "pid_namespace"
  | "user_pid_namespace"
  | "bubblewrap"
  | "process_group"
  | "process_tree";

/** Whether a process that took care to hide may outlive its command at this level. */
export function isBestEffort(level: Containment): boolean {
  return level === "process_group" || level === "process_tree";
}

/** By name; who is not in it could not be told, or nobody looked in that version. */
export type AgentVersions = Readonly<Record<string, string>>;

export interface RunStarted {
  readonly type: "run_started";
  readonly runId: string;
  readonly settings: Settings;
  readonly config: readonly KeptFile[];
  /** Agents that were named but are not installed: the run goes without them. */
  readonly missingAgents: readonly string[];
  readonly containment: Containment;
  /** Whether a person can be asked by this process. */
  readonly interactive: boolean;
  readonly baseCommit: string | null;
  readonly agentVersions?: AgentVersions;
  readonly toolVersion: string;
  /** Files of the work tree that the foreman's own output goes to; left out where there are none. */
  readonly outputs?: readonly OutputFile[];
  readonly node: string;
  readonly platform: string;
}
export interface RunResumed {
  readonly type: "run_resumed";
  readonly interactive: boolean;
  readonly containment: Containment;
  /** As they are from now on: a person may have raised them. */
  readonly limits: Limits;
  /** A person wants the agents to be asked at once, whatever they said about when to come back. */
  readonly askNow: boolean;
  /** How many iterations the run may have from now on, where a person says so. */
  readonly maxLoops?: number;
  /** Who verifies steps from now on, where a person says so. */
  readonly verifiers?: readonly AgentProfile[];
  readonly agentVersions?: AgentVersions;
  readonly toolVersion: string;
  readonly outputs?: readonly OutputFile[];
  /** Files of the board that were not as the journal has them, each with a copy of its content; null: it was gone. */
  readonly restoredFiles?: readonly { readonly file: string; readonly kept: string | null }[];
  /** Processes of the earlier supervisor that were still alive and were ended. */
  readonly ended: readonly { readonly pid: number; readonly command: string }[];
}
/** The run can go on later: stopped by a signal, because nobody answered the open question, or because it cannot go on as it is. */
export interface RunStopped {
  readonly type: "run_stopped";
  readonly by: StopSignal | "undecided" | Impasse;
  /** Left out where there is no base to compare with. */
  readonly changes?: RunChanges;
}
/** What a person has to change before the run can go on. */
export type Impasse =
  | "budget_reached"
  | "wait_limit_reached"
  | "no_agent_available"
  | "no_verdict"
  | "steps_dir_exists"
  | "dependencies_missing";
/** Who does the work, who looks at it independently afterwards, or who decides what work there is. */
export type Role = "worker" | "reviewer" | "main";
export interface TurnStarted {
  readonly type: "turn_started";
  readonly role: Role;
  readonly attempt: number;
  /** Ordinal over the whole run; an interrupted or failed turn is followed by another one of the same attempt. */
  readonly turn: number;
  /** Which of the named agents takes it; null: the person's command. */
  readonly agent: string | null;
  /** The session that it goes on with, or null. */
  readonly resumes: string | null;
  /** What the work tree is when it begins, as a digest; null: nobody asks, or it cannot be told. */
  readonly tree: string | null;
}
/** What a named agent told about its turn, and its final message. */
export interface AgentRecord extends AgentTurn {
  readonly name: string;
  readonly message: Captured | null;
}
export interface TurnEnded {
  readonly type: "turn_ended";
  readonly attempt: number;
  readonly turn: number;
  readonly process: ProcessRecord;
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** Null where the mode asks for none. */
  readonly claim: Claim | null;
  /** What else the mode reads from a turn. */
  readonly product: Product | null;
  readonly agent: AgentRecord | null;
  /** Files the run was started with that are not as they were: told, and without effect. */
  readonly changedInputs: readonly string[];
  /** Of the person's own command, by its output; left out where it started. */
  readonly notStarted?: NotStarted;
}
export type { RoleReport, TreeChange };
export type Product = StepWork | Analysis | RoleReport;
/** What the turn at a step left. */
export interface StepWork {
  readonly kind: "step_work";
  /** How the step is to be tested by the agent's word; null: it named nothing, or a person has said it already. */
  readonly unitTest: UnitTest | null;
  /** Why the command that it named is not run. */
  readonly refused: string | null;
  /** The work tree after the turn, without the steps directory. */
  readonly tree: string | null;
}
/** Whether the answer can be used as steps. */
export interface Analysis {
  readonly kind: "analysis";
  readonly problem: AnalysisProblem | null;
  /** Where the steps belong; null: there are none. */
  readonly dir: string | null;
  readonly changed: TreeChange;
}
/** A turn that says nothing about the work: the agent was not available. It costs no attempt. */
export interface TurnFailed {
  readonly type: "turn_failed";
  readonly attempt: number;
  readonly turn: number;
  readonly process: ProcessRecord;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly agent: AgentRecord & { readonly failure: TurnFailure };
}
/** Nothing is to be done until then. */
export interface WaitStarted {
  readonly type: "wait_started";
  readonly agent: string;
  readonly class: FailureClass;
  readonly until: string;
}
export interface WaitEnded {
  readonly type: "wait_ended";
}
export interface TurnInterrupted {
  readonly type: "turn_interrupted";
  readonly attempt: number;
  readonly turn: number;
  /** How long a turn went on whose foreman was killed, as far as that is known; left out where the foreman was there. */
  readonly ranMs?: number;
}
/** A reviewer's turn: what it found, item by item. */
export interface ReviewEnded extends ReviewMarkers {
  readonly type: "review_ended";
  readonly attempt: number;
  readonly turn: number;
  readonly process: ProcessRecord;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly agent: AgentRecord;
  readonly readOnly: boolean;
  readonly items: readonly ReviewItem[];
  /** Why there is no verdict. */
  readonly problem: ReviewProblem | null;
  readonly changed: TreeChange;
  readonly changedInputs: readonly string[];
}
/** MAIN's turn: what it decided, and which rules that breaks. Nothing of an answer that breaks a rule is carried out. */
export interface MainEnded {
  readonly type: "main_ended";
  readonly attempt: number;
  readonly turn: number;
  readonly process: ProcessRecord;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly agent: AgentRecord;
  /** What it could have used. */
  readonly tools: Tools;
  /** Null: it cannot be read as one. */
  readonly answer: MainAnswer | null;
  readonly broken: readonly Broken[];
  /** New acceptance commands that are not run. */
  readonly refusedCommands: readonly string[];
  readonly changed: TreeChange;
  readonly changedInputs: readonly string[];
}
/** What an agent may use in a turn: all tools, those that read, or none. */
export type Tools = "all" | "read" | "none";
/** A person has changed the board while no agent was at work; null: that file is as it was. */
export interface BoardEdited {
  readonly type: "board_edited";
  readonly plan: string | null;
  readonly context: string | null;
  readonly projectEnv: string | null;
}
export interface CheckEnded {
  readonly type: "check_ended";
  readonly attempt: number;
  readonly phase: CheckPhase;
  /** From 1, in the order the commands were given. */
  readonly index: number;
  readonly process: ProcessRecord;
  readonly output: Captured;
  /** Absent where it ran in the work tree itself. */
  readonly room?: CheckInRoom;
}
export interface AttemptJudged {
  readonly type: "attempt_judged";
  readonly attempt: number;
  readonly verdict: "accepted" | "rejected";
  readonly reasons: readonly Reason[];
  /** Test files that the acceptance commands themselves have changed. */
  readonly changedByChecks?: readonly string[];
  readonly feedback: Captured;
}
export interface QuestionAsked {
  readonly type: "question_asked";
  /** Not guessable, and made only when no process of the agent is alive. */
  readonly id: string;
}
export type Answer =
  | { readonly kind: "continue_n"; readonly n: number }
  | { readonly kind: "mark_pass" }
  | { readonly kind: "option"; readonly option: string }
  | { readonly kind: "mark_fail" };
export interface QuestionAnswered {
  readonly type: "question_answered";
  readonly id: string;
  readonly answer: Answer;
  readonly note: string | null;
  readonly via: "terminal" | "decide";
  readonly messageId: string | null;
}
export interface AnswerRefused {
  readonly type: "answer_refused";
  readonly messageId: string;
  readonly why: RefusalReason;
  readonly answer: Answer | null;
  readonly note: string | null;
}
export type RefusalReason = "no_open_question" | "wrong_question_id" | "not_an_option" | "unreadable";
export type FinalStatus = "passed" | "failed" | "manually_passed" | "manually_failed";
export interface RunEnded {
  readonly type: "run_ended";
  readonly status: FinalStatus;
  readonly exitCode: number;
  readonly reason: EndReason;
  readonly messageId: string | null;
  /** Left out where there is no base to compare with. */
  readonly changes?: RunChanges;
}
export type EndReason =
  | "accepted"
  | "limit_reached"
  | "marked_by_person"
  | "plan_file_missing"
  | "plan_file_unreadable"
  | "test_cannot_start"
  | "agent_cannot_start"
  | "setup_failed"
  | "stuck"
  | "step_file_changed"
  | "step_file_invalid"
  | "step_write_failed"
  | "cancelled"
  | "review_failed"
  | "nothing_asked"
  | "nothing_to_do"
  | "left_unaccepted"
  | "waiting_for_user"
  | "live_agent_failed";
