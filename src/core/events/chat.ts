import { captured, turnProcess } from "../../platform/process/process-end.ts";
import { about, codes, foreign, nullable, ordinal, ours, type TypeOf } from "../../text/shape.ts";
import { defineEvent, type EventOf } from "./define-event.ts";

// A person works with an agent in a terminal, and the foreman reviews the agent's work.

/** The agent was started in the person's terminal. */
export const liveStarted = defineEvent("live_started", {
  owner: "chat",
  durable: false,
  shape: {
    /** The session that it continues; null: a new one. */
    resumes: nullable(foreign()),
  },
});
export type LiveStarted = EventOf<typeof liveStarted>;

/** The person gave the agent a new task. Never text that the foreman typed. */
export const inputGiven = defineEvent("input_given", {
  owner: "chat",
  durable: false,
  shape: { task: ordinal, text: captured, session: nullable(foreign()) },
});
export type InputGiven = EventOf<typeof inputGiven>;

/** The agent put the last input back into its box before it started: the person may change it, so it is no task yet. */
export const inputTakenBack = defineEvent("input_taken_back", {
  owner: "chat",
  durable: false,
  shape: { task: ordinal },
});
export type InputTakenBack = EventOf<typeof inputTakenBack>;

/** The agent has stopped and waits for the person: an attempt that can be reviewed. */
export const liveTurnEnded = defineEvent("live_turn_ended", {
  owner: "chat",
  durable: false,
  shape: {
    attempt: ordinal,
    session: nullable(foreign()),
    /** Null: unknown. */
    message: about(nullable(captured), "the agent's last message"),
  },
});
export type LiveTurnEnded = EventOf<typeof liveTurnEnded>;

/** The conversation has the reviewer's words as a message of the person's. */
export const feedbackSent = defineEvent("feedback_sent", {
  owner: "chat",
  durable: true,
  shape: { attempt: ordinal },
});
export type FeedbackSent = EventOf<typeof feedbackSent>;

export const dropReason = codes([
  /** The person gave the agent another input meanwhile. */
  "new_input",
  /** The agent continued by itself. */
  "went_on",
  "skipped",
  /** No reviewer was available. */
  "unavailable",
  "budget_reached",
  /** The reviewer stopped early or said nothing. */
  "review_failed",
  /** The reviewer called it completed, but the reviewer or the person changed the files meanwhile. */
  "tree_changed",
  /** According to the reviewer, the agent has asked the person something. */
  "waiting_for_user",
  /** The task has used all its reviews. */
  "limit_reached",
  /** The agent did not accept the typed text. */
  "not_taken",
]);
export type DropReason = TypeOf<typeof dropReason>;

/** The attempt is over, and it is not accepted. */
export const reviewDropped = defineEvent("review_dropped", {
  owner: "chat",
  durable: true,
  shape: {
    attempt: ordinal,
    why: dropReason,
    /** Of the person's request, if there was one. */
    messageId: nullable(ours()),
  },
});
export type ReviewDropped = EventOf<typeof reviewDropped>;

export const reviews = about(codes(["on", "paused", "stopped"]), "whether the person wants reviews");
export type Reviews = TypeOf<typeof reviews>;

/** A person wants reviews to pause, to continue, or to end. */
export const reviewsSet = defineEvent("reviews_set", {
  owner: "chat",
  durable: true,
  shape: { to: reviews, messageId: nullable(ours()) },
});
export type ReviewsSet = EventOf<typeof reviewsSet>;

/** The agent has left the terminal. */
export const liveEnded = defineEvent("live_ended", {
  owner: "chat",
  durable: true,
  shape: { process: turnProcess },
});
export type LiveEnded = EventOf<typeof liveEnded>;
