import type { Reviews } from "../domain/chat/event.ts";
import type { TreeChange } from "../domain/event.ts";
import type { Captured, ProcessEnd } from "../domain/process-end.ts";
import type { Reason } from "../domain/reason.ts";
import type { ChatSettings } from "../domain/settings.ts";
import { attemptMs } from "../domain/run-time.ts";
import type { Attempt, RunState } from "../domain/state.ts";
import { becameOf, chatTasks, type ChatTask } from "./chat-tasks.ts";
import {
  commonReport,
  promptReport,
  testReport,
  turnReport,
  type CommonReport,
  type PromptReport,
  type TestReport,
  type TurnReport,
} from "./report-parts.ts";
import { candidateReport, type CandidateReport } from "./room-report.ts";
import { sessionCommand, sessionOf } from "./session-command.ts";

/** The report of `chat`. */
export interface ChatReport extends CommonReport {
  readonly mode: "chat";
  /** Whether a person worked with the agent in a terminal, or a script asked. */
  readonly live: boolean;
  /** What a script asked. */
  readonly prompt: string | null;
  readonly worker: string;
  readonly reviewer: string;
  /** Whether the reviewer began where the conversation was, in a fork of its session. */
  readonly forks: boolean;
  readonly marker: string;
  readonly waiting_marker: string;
  readonly checks: readonly string[];
  readonly max_reviews: number;
  readonly inputs: readonly InputReport[];
  readonly tasks: readonly ChatTask[];
  readonly attempts: readonly ChatAttemptReport[];
  readonly reviews: Reviews;
  /** Of the agent; null: nobody named one. */
  readonly session_id: string | null;
  /** To be typed where `chat` was called; null: we do not know how. */
  readonly session_command: string | null;
  /** How the agent left the terminal; null: it was in none, or did not leave. */
  readonly agent_left: ProcessEnd | null;
  readonly prompts: { readonly supervisor: PromptReport };
}

interface InputReport {
  readonly task: number;
  /** Null: what a script asked stands in `prompt`. */
  readonly text: Captured | null;
  readonly session_id: string | null;
  readonly at: string;
}

export interface ChatAttemptReport {
  readonly index: number;
  readonly task: number;
  readonly started_at: string;
  /** Null in a terminal: what the agent did there is its own record. */
  readonly work: TurnReport | null;
  /** What it said last in the terminal. */
  readonly said: Captured | null;
  readonly checks: readonly TestReport[];
  readonly candidate: CandidateReport | null;
  readonly review: ChatReviewReport | null;
  /** Null: it was not judged. */
  readonly decision: "accepted" | "rejected" | null;
  readonly reasons: readonly Reason[];
  readonly settled: NonNullable<Attempt["chat"]>["settled"];
  readonly duration_ms: number;
  readonly changed_inputs: readonly string[];
  readonly feedback: Captured | null;
}

interface ChatReviewReport extends TurnReport {
  readonly read_only: boolean;
  readonly completed: boolean;
  /** The agent waits for an answer of the user. */
  readonly waiting: boolean;
  /** It said nothing. */
  readonly empty: boolean;
  /** Null: nobody can tell. */
  readonly changed_files: TreeChange;
}

export function chatReport(state: RunState, settings: ChatSettings, journal: string): ChatReport {
  const { chat } = state;
  return {
    ...commonReport(state, journal),
    mode: settings.mode,
    live: settings.prompt === null,
    prompt: settings.prompt,
    worker: settings.worker,
    reviewer: settings.reviewer,
    forks: settings.forks,
    marker: settings.marker,
    waiting_marker: settings.waitingMarker,
    checks: settings.checks,
    max_reviews: settings.maxLoops,
    inputs: (chat?.inputs ?? []).map(({ text, session, at }, index) => ({
      task: index + 1,
      text,
      session_id: session,
      at,
    })),
    tasks: chatTasks(state),
    attempts: chatAttempts(state),
    reviews: chat?.reviews ?? "on",
    session_id: sessionOf(state, settings),
    session_command: sessionCommand(state, settings, settings.calledFrom),
    agent_left: typeof chat?.live === "object" ? chat.live.end : null,
    prompts: { supervisor: promptReport(settings.supervisor) },
  };
}

/** All of them: one that nobody judged was asked for as well. */
export function chatAttempts(state: RunState): readonly ChatAttemptReport[] {
  return state.attempts.map((attempt) => attemptReport(attempt, state));
}

function attemptReport(attempt: Attempt, state: RunState): ChatAttemptReport {
  const { index, startedAt, chat, turn, checks, review, judged } = attempt;
  return {
    index,
    task: chat?.task ?? 1,
    started_at: startedAt,
    work: turn && turnReport(turn),
    said: chat?.said ?? null,
    checks: checks.map(testReport),
    candidate: candidateReport(attempt),
    review: review && {
      ...turnReport(review),
      read_only: review.readOnly,
      completed: review.completed === true,
      waiting: review.waiting === true,
      empty: review.problem?.kind === "missing",
      changed_files: review.changed,
    },
    decision: judged?.verdict ?? null,
    reasons: judged?.reasons ?? [],
    settled: becameOf(attempt, state),
    duration_ms: attemptMs(attempt),
    changed_inputs: [...new Set([turn, review].flatMap((part) => part?.changedInputs ?? []))],
    feedback: judged?.feedback ?? null,
  };
}
