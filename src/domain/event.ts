import type { AgentProfile } from "./agent-profile.ts";
import type { AgentTurn, FailureClass, TurnFailure } from "./agent-turn.ts";
import type { StopSignal } from "./outcome.ts";
import type { Captured, ProcessRecord } from "./process-end.ts";
import type { Claim } from "./protocol/claim.ts";
import type { Reason } from "./reason.ts";

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
  | QuestionAsked
  | QuestionAnswered
  | AnswerRefused
  | RunEnded;

/**
 * What others may act on once it is recorded, so that not even a power cut may take it back. The rest survives a crash of the
 * foreman all the same, and losing it to a power cut only means that a turn or a check is done again.
 */
export function isCommitment(event: RunEvent): boolean {
  switch (event.type) {
    case "turn_started":
    case "turn_ended":
    case "turn_failed":
    case "turn_interrupted":
    case "wait_ended":
    case "check_ended":
      return false;
    case "run_started":
    case "run_resumed":
    case "run_stopped":
    case "wait_started":
    case "attempt_judged":
    case "question_asked":
    case "question_answered":
    case "answer_refused":
    case "run_ended":
      return true;
  }
}

/** What the person asked for, as it was when the run started; never changed afterwards. */
export interface Settings {
  readonly mode: "supervise";
  readonly task: string;
  readonly planFile: string;
  /** The person's own command; null where agents are named. */
  readonly agentCmd: string | null;
  /** In the order they are tried; empty where there is a command. */
  readonly agents: readonly AgentProfile[];
  readonly session: SessionUse;
  /** What agents are told, as it was when the run started; null: the person's command knows what to say. */
  readonly prompt: PromptTemplate | null;
  /** Names of environment variables whose values are kept secret, besides those that look so. */
  readonly secrets: readonly string[];
  readonly testFast: readonly string[];
  readonly testFull: readonly string[];
  readonly maxLoops: number;
  readonly cwd: string;
  /** The directory the command was called from: run directory and report sit there. */
  readonly calledFrom: string;
  readonly reportPath: string;
  readonly force: boolean;
  readonly agentTimeoutMs: number;
  /** A turn whose output, CPU time and work tree are all still for so long is stuck; 0: never. */
  readonly stallMs: number;
  readonly limits: Limits;
  readonly testTimeoutMs: number;
  readonly maxOutputBytes: number;
  readonly nonce: boolean;
  readonly lang: Lang;
}

export type Lang = "en" | "zh";

/** Whether an attempt starts a session of its own or goes on with the last one of its agent. */
export type SessionUse = "fresh" | "continue";

export interface PromptTemplate {
  readonly text: string;
  readonly sha256: string;
  /** The file it was read from; null: the one that comes with the program. */
  readonly path: string | null;
}

/** What a run may use up; null: no limit. */
export interface Limits {
  readonly costUsd: number | null;
  readonly tokens: number | null;
  readonly timeMs: number | null;
  /** For one stretch of waiting for agents to become available again. */
  readonly waitMs: number;
}

/** A file that the run was started with, or, with a null, without: later changes change nothing, and are told. */
export interface KeptFile {
  readonly path: string;
  readonly sha256: string | null;
}
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

export interface RunStarted {
  readonly type: "run_started";
  readonly runId: string;
  readonly settings: Settings;
  /** Why the plan cannot be used, or its digest. */
  readonly plan:
    | { readonly sha256: string }
    | { readonly problem: "plan_file_missing" | "plan_file_unreadable" };
  readonly config: readonly KeptFile[];
  /** Agents that were named but are not installed: the run goes without them. */
  readonly missingAgents: readonly string[];
  readonly containment: Containment;
  /** Whether a person can be asked by this process. */
  readonly interactive: boolean;
  readonly baseCommit: string | null;
  readonly toolVersion: string;
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
  readonly toolVersion: string;
  /** Processes of the earlier supervisor that were still alive and were ended. */
  readonly ended: readonly { readonly pid: number; readonly command: string }[];
}
/** The run can go on later: stopped by a signal, because nobody answered the open question, or because it cannot go on as it is. */
export interface RunStopped {
  readonly type: "run_stopped";
  readonly by: StopSignal | "undecided" | Impasse;
}
/** What a person has to change before the run can go on. */
export type Impasse = "budget_reached" | "wait_limit_reached" | "no_agent_available";
export interface TurnStarted {
  readonly type: "turn_started";
  readonly attempt: number;
  /** Ordinal over the whole run; an interrupted or failed turn is followed by another one of the same attempt. */
  readonly turn: number;
  /** Which of the named agents takes it; null: the person's command. */
  readonly agent: string | null;
  /** The session that it goes on with, or null. */
  readonly resumes: string | null;
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
  readonly claim: Claim;
  readonly agent: AgentRecord | null;
  /** Files the run was started with that are not as they were: told, and without effect. */
  readonly changedInputs: readonly string[];
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
}
export type CheckPhase = "fast" | "full";
export interface CheckEnded {
  readonly type: "check_ended";
  readonly attempt: number;
  readonly phase: CheckPhase;
  /** From 1, in the order the commands were given. */
  readonly index: number;
  readonly process: ProcessRecord;
  readonly output: Captured;
}
export interface AttemptJudged {
  readonly type: "attempt_judged";
  readonly attempt: number;
  readonly verdict: "accepted" | "rejected";
  readonly reasons: readonly Reason[];
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
export type RefusalReason = "no_open_question" | "wrong_question_id" | "unreadable";

export type FinalStatus = "passed" | "failed" | "manually_passed" | "manually_failed";
export interface RunEnded {
  readonly type: "run_ended";
  readonly status: FinalStatus;
  readonly exitCode: number;
  readonly reason: EndReason;
  readonly messageId: string | null;
}
export type EndReason =
  | "accepted"
  | "limit_reached"
  | "marked_by_person"
  | "plan_file_missing"
  | "plan_file_unreadable"
  | "cancelled";
