import type { Failure } from "../../platform/failure.ts";
import type { IntactStatus, RunStatus } from "../../core/run-status.ts";
import type { RunState } from "../../core/state.ts";
import type { Tone } from "../../ui/page.ts";

export type RunEntry =
  | {
      readonly runId: string;
      readonly status: IntactStatus;
      readonly state: RunState;
      /** A foreman supervises the run now. */
      readonly live: boolean;
      /** The first input in a terminal, because the settings do not have it. */
      readonly asked?: string;
      /** The later run that has continued the work. */
      readonly supersededBy?: string;
    }
  | { readonly runId: string; readonly status: "damaged"; readonly problem: Failure };

export const STATUS_SIGNS: Readonly<Record<RunStatus, { readonly sign: string; readonly tone: Tone }>> = {
  asks_you: { sign: "?", tone: "ask" },
  running: { sign: "~", tone: "busy" },
  waiting: { sign: "~", tone: "warn" },
  budget_reached: { sign: "!", tone: "warn" },
  wait_limit_reached: { sign: "!", tone: "warn" },
  no_agent_available: { sign: "!", tone: "warn" },
  no_verdict: { sign: "!", tone: "warn" },
  steps_dir_exists: { sign: "!", tone: "warn" },
  dependencies_missing: { sign: "!", tone: "warn" },
  waiting_for_user: { sign: "?", tone: "ask" },
  interrupted: { sign: "!", tone: "warn" },
  superseded: { sign: "-", tone: "faint" },
  accepted: { sign: "✓", tone: "good" },
  marked_passed: { sign: "✓", tone: "good" },
  rejected: { sign: "✗", tone: "bad" },
  marked_failed: { sign: "✗", tone: "bad" },
  cancelled: { sign: "✗", tone: "bad" },
  not_started: { sign: "✗", tone: "bad" },
  nothing_to_do: { sign: "-", tone: "warn" },
  damaged: { sign: "!", tone: "warn" },
};
