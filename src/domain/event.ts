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
  | TurnInterrupted
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
    case "turn_interrupted":
    case "check_ended":
      return false;
    case "run_started":
    case "run_resumed":
    case "run_stopped":
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
  readonly agentCmd: string;
  readonly testFast: readonly string[];
  readonly testFull: readonly string[];
  readonly maxLoops: number;
  readonly cwd: string;
  /** The directory the command was called from: run directory and report sit there. */
  readonly calledFrom: string;
  readonly reportPath: string;
  readonly force: boolean;
  readonly agentTimeoutMs: number;
  readonly testTimeoutMs: number;
  readonly maxOutputBytes: number;
  readonly nonce: boolean;
  readonly lang: Lang;
}

export type Lang = "en" | "zh";
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
  readonly toolVersion: string;
  /** Processes of the earlier supervisor that were still alive and were ended. */
  readonly ended: readonly { readonly pid: number; readonly command: string }[];
}
/** The run can go on later: by a signal, or because nobody answered the open question. */
export interface RunStopped {
  readonly type: "run_stopped";
  readonly by: StopSignal | "undecided";
}
export interface TurnStarted {
  readonly type: "turn_started";
  readonly attempt: number;
  /** Ordinal over the whole run; an interrupted turn is followed by another one of the same attempt. */
  readonly turn: number;
}
export interface TurnEnded {
  readonly type: "turn_ended";
  readonly attempt: number;
  readonly turn: number;
  readonly process: ProcessRecord;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly claim: Claim;
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
