import type { ChatSettings } from "../../core/settings.ts";
import { attemptMs } from "../../core/run-time.ts";
import { type Attempt, type RunState, taskOf } from "../../core/state.ts";
import { commonReport, promptReport, testReport, turnReport } from "../report/report-parts.ts";
import type { Described } from "../../core/report/described.ts";
import { candidateReport } from "../../evidence/report/room-report.ts";
import type { chatReportSchema } from "./schema-chat-report.ts";
import { sessionCommand, sessionOf } from "./session-command.ts";
import { atTerminal, brokenReviews, reviewsOf } from "./reviews.ts";
import type { TaskOutcome } from "./chat-parts.ts";

export type ChatReport = Described<typeof chatReportSchema>;

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

/** Includes attempts without a verdict, because they were asked for as well. */
export function chatAttempts(state: RunState): ChatReport["attempts"] {
  return state.attempts.map((attempt) => attemptReport(attempt, state));
}

function attemptReport(attempt: Attempt, state: RunState): ChatReport["attempts"][number] {
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
    settled: outcomeOfAttempt(attempt, state),
    duration_ms: attemptMs(attempt),
    changed_inputs: [...new Set([turn, review].flatMap((part) => part?.changedInputs ?? []))],
    feedback: judged?.feedback ?? null,
  };
}

export function chatTasks(state: RunState): Described<typeof chatReportSchema>["tasks"] {
  return Array.from({ length: taskOf(state) }, (_, index) => {
    const task = index + 1;
    const reviews = reviewsOf(state, task);
    const last = state.attempts.findLast(({ chat }) => chat?.task === task);
    const broken = atTerminal(state) ? brokenReviews(state, task) : 0;
    return { task, outcome: outcomeOf(last, reviews, state), reviews, broken_off: broken };
  });
}

function outcomeOf(last: Attempt | undefined, reviews: number, state: RunState): TaskOutcome {
  const became = last && outcomeOfAttempt(last, state);
  if (became === "accepted" || became === "limit_reached" || became === "waiting_for_user") return became;
  return reviews === 0 ? "not_reviewed" : "not_accepted";
}

/** The outcome of an attempt. For a script the next attempt or the end of the run shows it; in a terminal it is recorded. */
function outcomeOfAttempt(
  { index, chat, judged }: Attempt,
  { settings, attempts, ended }: RunState,
): NonNullable<Attempt["chat"]>["settled"] {
  if (!chat || chat.settled !== null) return chat?.settled ?? null;
  if (settings.mode !== "chat" || settings.prompt === null) return null;
  const reason = ended?.reason;
  if (reason === "waiting_for_user" && index === attempts.length) return reason;
  if (judged?.verdict !== "rejected") return null;
  if (attempts.some((later) => later.index > index)) return "feedback_sent";
  return reason === "limit_reached" || reason === "review_failed" ? reason : null;
}
