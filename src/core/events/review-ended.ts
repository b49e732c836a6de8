import { treeChange } from "../board/role-said.ts";
import { about, count, flag, nullable, optional } from "../../text/shape.ts";
import { reviewItems } from "../step.ts";
import { reviewProblem } from "./answer-problem.ts";
import { defineEvent, type EventOf } from "./define-event.ts";
import { agentRecord, changedInputs, ranTurn } from "./turn.ts";

/** A reviewer's turn with its findings, item by item. */
export const reviewEnded = defineEvent("review_ended", {
  durable: false,
  shape: {
    attempt: count,
    ...ranTurn,
    agent: agentRecord,
    readOnly: flag,
    items: reviewItems,
    // The markers in the final message of a reviewer that judges a task as a whole.
    completed: optional(about(flag, "`chat` only: whether the reviewer called the task completed")),
    waiting: optional(about(flag, "`chat` only: the agent waits for the user's answer")),
    /** Why there is no verdict. */
    problem: nullable(reviewProblem),
    changed: treeChange,
    changedInputs,
  },
});
export type ReviewEnded = EventOf<typeof reviewEnded>;
