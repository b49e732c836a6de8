import type { Captured, ProcessRecord } from "../process-end.ts";

/** What happens in a terminal where a person works with an agent themselves, and what the foreman does about it. */
export type ChatEvent =
  | LiveStarted
  | InputGiven
  | InputTakenBack
  | LiveTurnEnded
  | FeedbackSent
  | ReviewDropped
  | ReviewsSet
  | LiveEnded;

/** The agent was started in the person's terminal. */
export interface LiveStarted {
  readonly type: "live_started";
  /** The session that it goes on with; null: a new one. */
  readonly resumes: string | null;
}
/** The person told the agent something: a new task. Never what the foreman typed. */
export interface InputGiven {
  readonly type: "input_given";
  /** From 1. */
  readonly task: number;
  readonly text: Captured;
  readonly session: string | null;
}
/** The agent put the last input back into its box before it worked at it: the person may change it, so it is no task yet. */
export interface InputTakenBack {
  readonly type: "input_taken_back";
  readonly task: number;
}
/** The agent has stopped and waits for the person: an attempt that can be reviewed. */
export interface LiveTurnEnded {
  readonly type: "live_turn_ended";
  readonly attempt: number;
  readonly session: string | null;
  /** What it said last; null: nobody can tell. */
  readonly message: Captured | null;
}
/** What the review said stands in the conversation as a message of the person's. */
export interface FeedbackSent {
  readonly type: "feedback_sent";
  readonly attempt: number;
}
/** Where a reviewer judges a task as a whole, the markers in its last words; in other modes neither. */
export interface ReviewMarkers {
  readonly completed?: boolean;
  /** The agent waits for an answer of the user. */
  readonly waiting?: boolean;
}
/** Nothing more comes of the attempt, and it is not accepted. */
export interface ReviewDropped {
  readonly type: "review_dropped";
  readonly attempt: number;
  readonly why: DropReason;
  /** Of the person's wish; null where nobody wished it. */
  readonly messageId: string | null;
}
export type DropReason =
  /** The person told the agent something else meanwhile. */
  | "new_input"
  /** The agent went on by itself. */
  | "went_on"
  | "skipped"
  /** No reviewer was to be had. */
  | "unavailable"
  | "budget_reached"
  /** The reviewer broke off or said nothing. */
  | "review_failed"
  /** It was called completed, but somebody changed the files meanwhile: the reviewer, or the person. */
  | "tree_changed"
  /** The reviewer found that the agent has asked the person something. */
  | "waiting_for_user"
  /** As many reviews as a task may have. */
  | "limit_reached"
  /** The agent did not take what was typed. */
  | "not_taken";
/** A person wants reviews to pause, to go on, or no more of them. */
export interface ReviewsSet {
  readonly type: "reviews_set";
  readonly to: Reviews;
  readonly messageId: string | null;
}
export type Reviews = "on" | "paused" | "stopped";
/** The agent is gone from the terminal. */
export interface LiveEnded {
  readonly type: "live_ended";
  readonly process: ProcessRecord;
}
