import type { RunEvent, RunResumed } from "../domain/event.ts";
import type { RunState } from "../domain/state.ts";
import type { Digests } from "../files/digests.ts";

/**
 * The files a run leaves where people look for them. All of them are written from the journal and can be rebuilt; agents can reach
 * them, so nothing read back is ever believed.
 */
export interface RunFiles {
  /** Tried before anything is recorded: where they cannot be written no run begins. */
  readonly prepare: () => void;
  /** For a run that never started. */
  readonly discard: () => void;
  readonly prepareTurn: (attempt: number, feedback: string) => void;
  /** What the agent is told about them. */
  readonly environment: (attempt: number) => Readonly<Record<string, string>>;
  /** Files of ours that somebody else has changed. */
  readonly changed: (digests: Digests) => readonly string[];
  /** Before it is recorded that a person may change them: what agents left there would be taken for theirs. */
  readonly settle: (state: RunState) => void;
  /** Files of ours that a killed run left in another state than the journal has; they are put right when it is resumed. */
  readonly filesToRestore?: (state: RunState) => NonNullable<RunResumed["restoredFiles"]>;
  /** Keeps up with the journal. */
  readonly follow: (event: RunEvent, state: RunState) => void;
  /** A run with a result is left. */
  readonly leave: (state: RunState) => void;
}
