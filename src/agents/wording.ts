import type { FailureClass } from "../domain/agent-turn.ts";

export interface Wording {
  readonly class: FailureClass;
  /** Where it was seen. */
  readonly from: string;
  readonly says: readonly RegExp[];
  /** Programs under test say the same: it counts where it is all that was said, or where the error is known to be the service's. */
  readonly weak?: true;
  /** The same words are used for limits per minute: with a reset that is near, it is `rate_limited`. */
  readonly perMinuteToo?: true;
}
