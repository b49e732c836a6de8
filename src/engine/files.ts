import type { RunEvent, RunResumed } from "../core/event.ts";
import type { RunState } from "../core/state.ts";
import type { Digests } from "../platform/files/digests.ts";

/**
 * A run's files for people, besides its report. They are all derived from the journal and can be rebuilt. Agents can modify them, so their
 * content is never trusted.
 */
export interface RunFiles {
  /** Called before anything is recorded: without these files no run begins. */
  readonly prepare?: () => void;
  /** For a run that never started. */
  readonly discard?: () => void;
  readonly prepareTurn?: (attempt: number, feedback: string) => void;
  /** Variables with their paths, for the agent. */
  readonly environment?: (attempt: number) => Readonly<Record<string, string>>;
  /** Our files that another program has changed. */
  readonly changed?: (digests: Digests) => readonly string[];
  /** Called before the journal permits a person's edits: an agent's edits must not be mistaken for them. */
  readonly settle?: (state: RunState) => void;
  /** Our files that differ from the journal after a run was killed. Resuming restores them. */
  readonly filesToRestore?: (state: RunState) => NonNullable<RunResumed["restoredFiles"]>;
  /** Updates the files after each event. */
  readonly follow?: (event: RunEvent, state: RunState) => void;
  /** Called when the foreman leaves a run that has a result, after the report was written. */
  readonly leave?: (state: RunState) => void;
}
