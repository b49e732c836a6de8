import { isAnswerToIt } from "./question-options.ts";
import type { Reviews } from "./chat/event.ts";
import type { Answer, RefusalReason, RunEvent } from "./event.ts";
import { exitCodeOfEnd } from "./end.ts";
import { lastAttempt, type RunState } from "./state.ts";

/** A message from another process to a run. */
export type Message =
  | { readonly kind: "cancel"; readonly id: string }
  /** About the reviews of a conversation. Any sender, even an agent, can only reduce them. */
  | { readonly kind: "reviews"; readonly id: string; readonly to: Reviews | "skip" }
  | {
      readonly kind: "answer";
      readonly id: string;
      readonly questionId: string | null;
      readonly answer: Answer;
      readonly note: string | null;
    }
  | { readonly kind: "unreadable"; readonly id: string };

/** An agent that floods its own run's inbox must not flood the journal. */
const MAX_RECORDED_REFUSALS = 50;

/**
 * The event for a message. An answer counts only for the open question, named by its id. An id exists only once no
 * process of the agent is alive, so an agent cannot answer for the person. Null: drop it unrecorded.
 */
export function receive(state: RunState, message: Message): RunEvent | null {
  if (state.messagesSeen.has(message.id)) return null;
  if (message.kind === "cancel")
    return {
      type: "run_ended",
      status: "failed",
      exitCode: exitCodeOfEnd("failed", "cancelled"),
      reason: "cancelled",
      messageId: message.id,
    };
  if (message.kind === "reviews") return aboutReviews(state, message);
  const isItsAnswer =
    message.kind === "answer" && state.question !== null && state.question.id === message.questionId;
  if (isItsAnswer && isAnswerToIt(state, message.answer)) {
    const { answer, note } = message;
    return {
      type: "question_answered",
      id: state.question?.id ?? "",
      answer,
      note,
      via: "decide",
      messageId: message.id,
    };
  }
  if (state.refusals >= MAX_RECORDED_REFUSALS) return null;
  const answer = message.kind === "answer" ? message.answer : null;
  const note = message.kind === "answer" ? message.note : null;
  return { type: "answer_refused", messageId: message.id, why: refusalReason(state, message), answer, note };
}

/** Whether the message interrupts a current review. */
export function concernsReview({ chat }: RunState, message: Message | undefined): boolean {
  if (!chat || message?.kind !== "reviews") return false;
  return message.to === "skip" || (message.to !== chat.reviews && chat.reviews !== "stopped");
}

function aboutReviews(state: RunState, { id, to }: Message & { kind: "reviews" }): RunEvent | null {
  const { chat } = state;
  const attempt = lastAttempt(state);
  if (!chat || chat.live !== "running") return null;
  if (to !== "skip")
    return chat.reviews === to || chat.reviews === "stopped"
      ? null
      : { type: "reviews_set", to, messageId: id };
  if (attempt?.chat?.settled !== null || state.openTurn) return null;
  return { type: "review_dropped", attempt: attempt.index, why: "skipped", messageId: id };
}

function refusalReason(state: RunState, message: Message): RefusalReason {
  if (message.kind === "unreadable") return "unreadable";
  if (!state.question) return "no_open_question";
  const isAsked = message.kind === "answer" && message.questionId === state.question.id;
  return isAsked ? "not_an_option" : "wrong_question_id";
}
