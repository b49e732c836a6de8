import type { AgentCommand, AgentOptions } from "./adapter.ts";

/** How an agent is worked with in a person's terminal: how it is started there, and how we know what goes on. */
export interface ChatAdapter {
  /** That of its adapter. */
  readonly name: string;
  /** How the ends of turns are known: its own hooks tell, or its own record does. */
  readonly turns: "hooks" | "record";
  /** Inputs come as news; else what was typed is all that is known of them. */
  readonly tellsInputs: boolean;
  /** A fork of the session while it is live leaves the session as it is; else a review has a session of its own. */
  readonly fork: boolean;
  /** For so long after a paste is to be seen, Enter is still taken for a part of it. */
  readonly pasteMs: number;
  /** Words, environment and files to start it in a terminal. */
  readonly start: (request: ChatStart) => AgentCommand;
  /** What one message of a hook tells, in order; nothing: it is of no interest. */
  readonly hook?: (message: unknown) => readonly ChatNews[];
  /** What its own record tells that was not read before; to be asked again and again. */
  readonly record?: (where: RecordSearch, from: RecordPlace | null) => RecordNews;
  readonly look: (screen: ScreenShot) => Look;
}

export interface ChatStart {
  /** `args` are a profile's and then those the person gave to this chat. */
  readonly options: AgentOptions;
  /** The session to go on with. */
  readonly resume: string | null;
  readonly cwd: string;
  /** The run's own directory, out of the agent's way: for the files of the command. */
  readonly dir: string;
  /** The directory that hooks write to, which is there already: a message is a file `*.json`, whole as soon as it has that name. */
  readonly news: string;
  /** A file that holds a line about the review that runs, or how the last one ended; empty: neither. */
  readonly status: string;
  /** That of the agent, before the command adds to it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type ChatNews =
  /** It works in this session now: at the start, and whenever the person changes to another. */
  | { readonly kind: "session"; readonly id: string }
  /** It was told this: by the person or by us. */
  | { readonly kind: "input"; readonly session: string; readonly text: string }
  /**
   * It has nothing more to do, as far as this tells: with inputs that wait it goes on at once, so the screen has to be looked
   * at as well. `failed`: the person broke it off or the service did not answer, and there is nothing to judge.
   */
  | {
      readonly kind: "turn_ended";
      readonly session: string;
      readonly message: string | null;
      readonly failed: boolean;
    };

/** The screen as text: all its rows from the top, and where the cursor is, from 0. */
export interface ScreenShot {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly col: number };
}

export interface Look {
  /** It works at something, or asks something: it is not the person's turn. */
  readonly busy: boolean;
  /** What stands in its input box; null: there is none to be seen. */
  readonly draft: string | null;
  /** The cursor is at the beginning of the box: what stands there may be a proposal of the agent's, and nobody's draft. */
  readonly atStart: boolean;
  /** Inputs wait for the agent that the person can still take back. */
  readonly queued?: true;
}

/** Without an input box: it asks something, or shows something else. */
export const NO_BOX: Look = { busy: true, draft: null, atStart: false };

export interface RecordSearch {
  readonly cwd: string;
  /** That of the agent. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** When the agent was started. */
  readonly since: Date;
}

/** How far a record has been read, and of what it is. */
export interface RecordPlace {
  readonly path: string;
  readonly offset: number;
  readonly of: string;
}

export interface RecordNews {
  readonly news: readonly ChatNews[];
  /** Null: there is no record yet. */
  readonly place: RecordPlace | null;
}

const PASTE = ["\u001B[200~", "\u001B[201~"] as const;
/** Sent once the paste is seen as a draft: Enter in the same burst would be part of it. */
export const SUBMIT = "\r";

/** A text as a paste. Control characters would end it or be taken for keys, so they are left out. */
export function pasteOf(text: string): string {
  const plain = text.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\P{Cc}\n\t]/gu, "");
  return PASTE.join(plain);
}
