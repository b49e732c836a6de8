import type { RunEvent } from "./event.ts";

/**
 * What others may act on once it is recorded, so that not even a power cut may take it back. The rest survives a crash of the
 * foreman all the same, and losing it to a power cut only means that a turn or a check is done again.
 */
export function isCommitment(event: RunEvent): boolean {
  switch (event.type) {
    case "turn_ended":
      // Its command is written into the step's file next, which may survive what the journal does not.
      return event.product?.kind === "step_work" && event.product.unitTest !== null;
    case "turn_started":
    case "turn_failed":
    case "turn_interrupted":
    case "wait_ended":
    case "check_ended":
    case "base_checked":
    case "candidate_taken":
    case "candidate_confirmed":
    case "review_ended":
    case "step_started":
    case "step_marked":
    case "steps_written":
    case "live_started":
    case "input_given":
    case "input_taken_back":
    case "live_turn_ended":
      return false;
    case "base_taken":
    case "run_started":
    case "run_resumed":
    case "run_stopped":
    case "wait_started":
    case "attempt_judged":
    case "main_ended":
    case "board_edited":
    case "step_refused":
    case "question_asked":
    case "question_answered":
    case "answer_refused":
    case "live_ended":
    case "feedback_sent":
    case "review_dropped":
    case "reviews_set":
    case "run_ended":
      return true;
  }
}
