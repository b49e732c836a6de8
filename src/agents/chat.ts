import type { AgentCommand, AgentOptions } from "./adapter.ts";

/** How to start an agent in a person's terminal, and how to follow it there. */
export interface ChatAdapter {
  /** The name of its adapter. */
  readonly name: string;
  /** The source of turn ends: its own hooks or its own record. */
  readonly turns: "hooks" | "record";
  /** Inputs come as news; otherwise only the typed keys are known. */
  readonly reportsInputs: boolean;
  /** A fork of a live session leaves the session unchanged; otherwise a review has its own session. */
  readonly fork: boolean;
  /** How long after a visible paste Enter still counts as part of it. */
  readonly pasteMs: number;
  /** Words, environment and files to start it in a terminal. */
  readonly start: (request: ChatStart) => AgentCommand;
  /** The news in one hook message, in order; empty: irrelevant. */
  readonly hook?: (message: unknown) => readonly ChatNews[];
  /** Unread news in its own record. Call it again and again. */
  readonly record?: (where: RecordSearch, from: RecordPlace | null) => RecordNews;
  readonly look: (screen: ScreenShot) => Look;
}

export interface ChatStart {
  /** `args`: the profile's, then those that the person gave to this chat. */
  readonly options: AgentOptions;
  /** The session to resume. */
  readonly resume: string | null;
  readonly cwd: string;
  /** The run's own directory for the command's files, away from the agent's. */
  readonly dir: string;
  /** The existing directory that hooks write to. A message is a file `*.json`, complete as soon as it has that name. */
  readonly news: string;
  /** A file with a line about the current review or the result of the last one; empty: neither. */
  readonly status: string;
  /** The agent's environment, before the command adds to it. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type ChatNews =
  /** Sent at the start, and whenever the person changes to another session. */
  | { readonly kind: "session"; readonly id: string }
  /** An input from the person or from us. */
  | { readonly kind: "input"; readonly session: string; readonly text: string }
  /**
   * The turn has ended, as far as this source shows. With queued inputs the agent continues at once, so check the screen as
   * well. `failed`: the person interrupted it or the service did not answer, so there is nothing to judge.
   */
  | {
      readonly kind: "turn_ended";
      readonly session: string;
      readonly message: string | null;
      readonly failed: boolean;
    };

/** The screen as text: all rows from the top, and the cursor, counted from 0. */
export interface ScreenShot {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly col: number };
}

export interface Look {
  /** It works or asks something: it is not the person's turn. */
  readonly busy: boolean;
  /** The content of its input box; null: no box is visible. */
  readonly draft: string | null;
  /** The cursor is at the start of the box, so its text may be the agent's suggestion instead of a draft. */
  readonly atStart: boolean;
  /** The agent has queued inputs that the person can still take back. */
  readonly queued?: true;
}

/** Without an input box: it asks something, or shows something else. */
export const NO_BOX: Look = { busy: true, draft: null, atStart: false };

/** The draft in the rows of an input box. */
export function boxText(rows: readonly string[]): string {
  return rows
    .map((row) => row.trimEnd())
    .join("\n")
    .trimEnd();
}

export interface RecordSearch {
  readonly cwd: string;
  /** The agent's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** When the agent was started. */
  readonly since: Date;
}

/** A record, and how far it has been read. */
export interface RecordPlace {
  readonly path: string;
  readonly offset: number;
  readonly of: string;
}

export interface RecordNews {
  readonly news: readonly ChatNews[];
  /** Null: no record yet. */
  readonly place: RecordPlace | null;
}

const PASTE = ["\u001B[200~", "\u001B[201~"] as const;
/** Sent once the paste is visible as a draft: Enter in the same burst would be part of it. */
export const SUBMIT = "\r";

/** A text as a paste. Leaves out control characters, which would end it or count as keys. */
export function pasteOf(text: string): string {
  const plain = text.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\P{Cc}\n\t]/gu, "");
  return PASTE.join(plain);
}
