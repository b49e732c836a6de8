import { captured } from "../../platform/process/process-end.ts";
import { reason } from "../reason.ts";
import {
  about,
  codes,
  count,
  foreign,
  list,
  nullable,
  object,
  oneOf,
  optional,
  ordinal,
  ours,
  type TypeOf,
} from "../../text/shape.ts";
import { defineEvent, type EventOf } from "./define-event.ts";

export const verdict = codes(["accepted", "rejected"]);

export const attemptJudged = defineEvent("attempt_judged", {
  durable: true,
  shape: {
    attempt: count,
    verdict,
    reasons: list(reason),
    changedByChecks: optional(
      about(list(foreign()), "`orchestrate` only: test files that the acceptance commands changed"),
    ),
    feedback: captured,
  },
});
export type AttemptJudged = EventOf<typeof attemptJudged>;

export const questionAsked = defineEvent("question_asked", {
  durable: true,
  shape: {
    /** Not guessable, and made only when no process of the agent is alive. */
    id: ours(),
  },
});
export type QuestionAsked = EventOf<typeof questionAsked>;

export const answer = oneOf("kind", [
  object({ kind: codes(["continue_n"]), n: ordinal }),
  object({ kind: codes(["mark_pass"]) }),
  object({ kind: codes(["mark_fail"]) }),
  object({ kind: codes(["option"]), option: foreign() }),
]);
export type Answer = TypeOf<typeof answer>;

export const via = codes(["terminal", "decide"]);

export const questionAnswered = defineEvent("question_answered", {
  durable: true,
  shape: {
    id: ours(),
    answer,
    note: nullable(foreign()),
    via,
    messageId: nullable(ours()),
  },
});
export type QuestionAnswered = EventOf<typeof questionAnswered>;

const refusalReason = codes(["no_open_question", "wrong_question_id", "not_an_option", "unreadable"]);
export type RefusalReason = TypeOf<typeof refusalReason>;

export const answerRefused = defineEvent("answer_refused", {
  durable: true,
  shape: {
    messageId: ours(),
    why: refusalReason,
    answer: nullable(answer),
    note: nullable(foreign()),
  },
});
export type AnswerRefused = EventOf<typeof answerRefused>;
