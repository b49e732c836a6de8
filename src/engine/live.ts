import type { ProcessRecord } from "../platform/process/process-end.ts";
import type { RunState } from "../core/state.ts";

/** The engine's view of the agent in the person's terminal. */
export interface Live {
  readonly start: (resumes: string | null) => Promise<void>;
  /** The oldest event that is not recorded yet. */
  readonly next: () => LiveNews | undefined;
  readonly hasNews: () => boolean;
  /** Types a message of the foreman once the person stops typing. Null: interrupted before that. */
  readonly say: (text: string, away: AbortSignal) => Promise<"taken" | "not_taken" | null>;
  /** Shows the state of the review behind the conversation. */
  readonly follow: (state: RunState) => void;
  /** Ends the agent if it still runs, and restores the terminal. */
  readonly close: () => Promise<void>;
}

export type LiveNews =
  | { readonly kind: "input"; readonly session: string | null; readonly text: string }
  /** The last input is back in the input box. */
  | { readonly kind: "taken_back" }
  | { readonly kind: "turn_ended"; readonly session: string | null; readonly message: string | null }
  | { readonly kind: "ended"; readonly process: ProcessRecord };
