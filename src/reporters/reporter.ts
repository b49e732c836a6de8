import type { RunEvent } from "../domain/event.ts";
import type { ExcerptLine } from "../domain/excerpt.ts";
import type { StopSignal } from "../domain/outcome.ts";
import type { StreamName } from "../domain/protocol/write-turns.ts";
import type { RunState } from "../domain/state.ts";
import type { LivePhase } from "../i18n/live-phase.ts";

/** What happens between two durable events; shown, never recorded. */
export type LiveEvent =
  | {
      readonly type: "phase_started";
      readonly attempt: number;
      readonly phase: LivePhase;
      readonly command: string;
      /** The output is an agent's own protocol: nothing to show to a person as it is. */
      readonly encoded: boolean;
    }
  /** `chunk` is reused after the call: copy what is kept. */
  | { readonly type: "output"; readonly stream: StreamName; readonly chunk: Buffer }
  /** The telling part of a failed check's output; comes right before its `check_ended`. */
  | { readonly type: "check_output"; readonly lines: readonly ExcerptLine[]; readonly path: string }
  /** The telling part of the errors of a failed turn, on a board or of a command; comes right before the event of its end. */
  | { readonly type: "turn_output"; readonly lines: readonly ExcerptLine[]; readonly path: string }
  /** What the reviewer of a conversation said, without the marker; comes right before its `review_ended`. */
  /** The reviewer's words; `question`: the end of the agent's message where it waits for the user. */
  | { readonly type: "review_words"; readonly words: string; readonly question: string | null }
  /** What moved although nothing may have been written. */
  | { readonly type: "life"; readonly sign: "output" | "cpu" | "tree" }
  /** What a named agent does at the moment, in its own words. */
  | { readonly type: "activity"; readonly text: string }
  /** The run waits as its state says. */
  | { readonly type: "waiting" }
  | { readonly type: "stopping"; readonly signal: StopSignal }
  | { readonly type: "killing" };

/** What is known besides the run's state when the foreman leaves it. */
export interface Parting {
  /** What a person can do about an agent that needs them, by its name. */
  readonly mending?: ReadonlyMap<string, AgentMending>;
  /** The end of the output that the last failure left, where no test says why. */
  readonly said?: readonly ExcerptLine[];
}

export interface AgentMending {
  readonly install: string;
  readonly login: string;
}

/** Shows a run to somebody. The engine never prints; a reporter may fail, and never stops a run. */
export interface Reporter {
  readonly event: (event: RunEvent, state: RunState) => void;
  readonly live: (event: LiveEvent) => void;
  /** The foreman leaves the run, for whatever reason. */
  readonly leave: (state: RunState, parting?: Parting) => void;
  /** Gives the terminal back, also before a question is put; the reporter may be used again afterwards. */
  readonly pause: () => void;
}
