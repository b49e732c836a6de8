import type { FailureClass } from "../core/agent-turn.ts";

export interface Wording {
  readonly class: FailureClass;
  /** The source of the wording. */
  readonly from: string;
  readonly says: readonly RegExp[];
  /** Programs under test print the same. It counts only as the whole text, or if the error is known to be the service's. */
  readonly weak?: true;
  /** Also used for limits per minute: with a near reset it is `rate_limited`. */
  readonly perMinuteToo?: true;
}
