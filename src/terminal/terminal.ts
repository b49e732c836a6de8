import type { EnteredText } from "../domain/chat/typed-inputs.ts";
import type { ProcessEnd } from "../domain/process-end.ts";
import type { Screen } from "./screen.ts";
import type { Draft } from "./typed.ts";

/** A program and its arguments. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

export interface TerminalRequest {
  /** The agent's program and its arguments. */
  readonly words: readonly string[];
  /** Whole: nothing is added to it. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /**
   * `/bin/sh -c script sh ...args`, put into containment. Descriptors 0 to 4 must reach the script, and it must stay in the session
   * that it is started in.
   */
  readonly contain: (script: string, args: readonly string[]) => Command;
  /** Only asked for its size: keys are read from, and output is written to, /dev/tty. Nobody else may read the keys meanwhile. */
  readonly stdout: Sized;
}

/** What is used of `process.stdout`. */
export interface Sized {
  readonly columns: number;
  readonly rows: number;
  readonly on: (event: "resize", listener: () => void) => unknown;
  readonly off: (event: "resize", listener: () => void) => unknown;
}

export interface TerminalProblem {
  readonly problem:
    | "no_pty_support" /** The optional native module is absent or does not work here. */
    | "no_terminal" /** No controlling terminal, or it cannot be set up. */
    | "pty_failed" /** The system gave no pty. */
    | "not_runnable" /** The agent's program cannot be found or may not be executed. */;
  readonly detail: string;
}

/** The agent at work in the user's terminal. */
export interface Terminal {
  /** Of a process that everything of the agent hangs under. */
  readonly pid: number | undefined;
  /** Every chunk that the agent wrote, before it is shown. */
  readonly onOutput: (observe: (chunk: Buffer) => void) => void;
  /** Every chunk that the user typed, before it is passed on. */
  readonly onKeys: (observe: (chunk: Buffer) => void) => void;
  /** To the agent as if it were typed. Done when the kernel has all of it. The user's keys are not held: see `hold`. */
  readonly type: (bytes: string) => Promise<void>;
  /**
   * What the user types waits from now on. False, and nothing is held, in the middle of a paste or of a key's sequence: what is
   * typed then would end up in it.
   */
  readonly hold: () => boolean;
  readonly release: () => void;
  /**
   * A title of ours while it is needed; null: the title as it was. `notify`: a notification with the same words, for terminals that
   * show them (OSC 9). Nothing else of ours is ever written.
   */
  readonly hint: (title: string | null, notify: boolean) => void;
  readonly screen: () => Promise<Screen>;
  /** What the user's keys amount to since the last Enter. */
  readonly draft: () => Draft;
  /** The drafts that the user pressed Enter on since this was last asked. */
  readonly takeEntered: () => readonly EnteredText[];
  /** After all that the agent wrote is shown. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** TERM; after a while, KILL. */
  readonly end: () => void;
  /** The user's terminal as it was before. To be called after `ended`; again: nothing happens. */
  readonly close: () => Promise<void>;
}
