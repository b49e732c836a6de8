import { reviewOf, type Attempt } from "./state.ts";

/** Verifications in a row that fail by the verifier's own fault, before the run stops. */
export const MOST_FAULTS = 3;

/** How many there were since a person last resumed the run; 0: there is a verdict. */
export function faultsInARow(attempt: Attempt): number {
  return reviewOf(attempt) ? 0 : attempt.faultyReviews.length - attempt.faultsForgiven;
}
