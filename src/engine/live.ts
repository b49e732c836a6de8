import type { ProcessRecord } from "../domain/process-end.ts";
import type { LiveHint } from "../reporters/live-hint.ts";

/** The agent in the person's terminal, as the engine sees it. */
export interface Live {
  readonly start: (resumes: string | null) => Promise<void>;
  /** What has happened and is not recorded yet, the oldest first. */
  readonly next: () => LiveNews | undefined;
  readonly hasNews: () => boolean;
  /** Types a message of the foreman's when the person does not type themselves; null: it was called away before it did. */
  readonly say: (text: string, away: AbortSignal) => Promise<"taken" | "not_taken" | null>;
  /** Shows the state of the review behind the conversation; null: there is nothing to show. */
  readonly hint: (hint: LiveHint | null) => void;
  /** Ends the agent, if it is still there, and gives the terminal back. */
  readonly close: () => Promise<void>;
}

export type LiveNews =
  | { readonly kind: "input"; readonly session: string | null; readonly text: string }
  /** The last input is in the box again. */
  | { readonly kind: "taken_back" }
  | { readonly kind: "turn_ended"; readonly session: string | null; readonly message: string | null }
  | { readonly kind: "ended"; readonly process: ProcessRecord };
