import type { RunEvent } from "../core/event.ts";
import type { ExcerptLine } from "../text/excerpt.ts";
import type { StopSignal } from "../platform/outcome.ts";
import type { StreamName } from "../platform/process/write-turns.ts";
import type { RunState } from "../core/state.ts";
import type { LivePhase } from "./live-phase.ts";

/** Events between two durable ones: shown, never recorded. */
export type LiveEvent =
  | {
      readonly type: "phase_started";
      readonly attempt: number;
      readonly phase: LivePhase;
      readonly command: string;
      /** The output is an agent's own protocol, unreadable for a person. */
      readonly encoded: boolean;
    }
  /** `chunk` is reused after the call: copy what is kept. */
  | { readonly type: "output"; readonly stream: StreamName; readonly chunk: Buffer }
  /** The relevant part of a failed check's output; comes right before its `check_ended`. */
  | { readonly type: "check_output"; readonly lines: readonly ExcerptLine[]; readonly path: string }
  /** The relevant errors of a failed turn, on a board or of a command; comes right before its end event. */
  | { readonly type: "turn_output"; readonly lines: readonly ExcerptLine[]; readonly path: string }
  /**
   * The words of a conversation's reviewer without the marker; comes right before its `review_ended`. `question`: the end of the agent's
   * message if it waits for the user.
   */
  | { readonly type: "review_words"; readonly words: string; readonly question: string | null }
  /** A sign of life, even without output. */
  | { readonly type: "life"; readonly sign: "output" | "cpu" | "tree" }
  /** The current activity of a named agent, in its own words. */
  | { readonly type: "activity"; readonly text: string }
  | { readonly type: "waiting" }
  | { readonly type: "stopping"; readonly signal: StopSignal }
  | { readonly type: "killing" };

/** Further facts when the foreman leaves a run. */
export interface Parting {
  /** How a person can help an agent that needs them, by its name. */
  readonly help?: ReadonlyMap<string, AgentHelp>;
  /** The end of the last failure's output, if no test says why. */
  readonly said?: readonly ExcerptLine[];
}

export interface AgentHelp {
  readonly install: string;
  readonly login: string;
}

/** Shows a run to a person. The engine never prints. A reporter may fail, but never stops a run. */
export interface Reporter {
  readonly event: (event: RunEvent, state: RunState) => void;
  readonly live: (event: LiveEvent) => void;
  /** The foreman leaves the run, for whatever reason. */
  readonly leave: (state: RunState, parting?: Parting) => void;
  /** Restores the terminal, also before a question. The reporter can continue afterwards. */
  readonly pause: () => void;
}
