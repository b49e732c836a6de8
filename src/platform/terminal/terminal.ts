import type { EnteredText } from "./typed-inputs.ts";
import type { ProcessEnd } from "../process/process-end.ts";
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
  /** The complete environment; nothing is added. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /**
   * Contains `/bin/sh -c script sh ...args`. Descriptors 0 to 4 must reach the script, and it must stay in the session
   * in which it starts.
   */
  readonly contain: (script: string, args: readonly string[]) => Command;
  /** Only its size is used: keys and output go through /dev/tty. No other reader may take the keys meanwhile. */
  readonly stdout: Sized;
}

/** The used part of `process.stdout`. */
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
  /** Called with every chunk that the user typed before it is passed on. */
  readonly onKeys: (observe: (chunk: Buffer) => void) => void;
  /** Sends to the agent as if typed. Settles when the kernel has all of it. Does not hold the user's keys; see `hold`. */
  readonly type: (bytes: string) => Promise<void>;
  /**
   * Holds the user's keys from now on. False, and holds nothing, in the middle of a paste or of a key's sequence: typed text
   * would end up inside it.
   */
  readonly hold: () => boolean;
  readonly release: () => void;
  /**
   * Shows our own title while needed; null restores the previous one. `notify`: also sends it as a notification, for terminals that
   * support it (OSC 9). We never write anything else.
   */
  readonly hint: (title: string | null, notify: boolean) => void;
  readonly screen: () => Promise<Screen>;
  /** The user's input since the last Enter. */
  readonly draft: () => Draft;
  /** Drafts submitted with Enter since the last call. */
  readonly takeEntered: () => readonly EnteredText[];
  /** Settles after all the agent's output is shown. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** TERM; after a while, KILL. */
  readonly end: () => void;
  /** Restores the user's terminal. Call it after `ended`; a second call does nothing. */
  readonly close: () => Promise<void>;
}
