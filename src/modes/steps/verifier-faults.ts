import { reviewOf, type Attempt } from "../../core/state.ts";

/** The run stops after this many verifications in a row that fail by the verifier's own fault. */
export const MAX_FAULTS_IN_A_ROW = 3;

/** The number of faults since a person last resumed the run; 0: there is a verdict. */
export function faultsInARow(attempt: Attempt): number {
  return reviewOf(attempt) ? 0 : attempt.faultyReviews.length - attempt.faultsForgiven;
}
