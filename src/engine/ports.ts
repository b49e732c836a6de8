import type { Adapter, AgentOptions } from "../agents/adapter.ts";
import type { AgentProfile } from "../domain/agent-profile.ts";
import type { Answer, BoardEdited } from "../domain/event.ts";
import type { Redactor } from "../domain/redact.ts";
import type { RunState } from "../domain/state.ts";
import type { Inbox } from "../journal/inbox.ts";
import type { Journal } from "../journal/journal.ts";
import type { RunPaths } from "../journal/run-store.ts";
import type { Machine } from "../process/run-command.ts";
import type { Reporter } from "../reporters/reporter.ts";
import type { Attention } from "./attention.ts";
import type { Live } from "./live.ts";
import type { Rooms } from "./rooms.ts";
import type { Stop } from "./stop.ts";
import type { WorkTree } from "../workspace/tree.ts";
import type { RunFiles } from "./files.ts";
import type { Digests } from "../files/digests.ts";

/** A person's answer at the terminal, or null when they left without deciding. */
export type AskPerson = (
  state: RunState,
  abort: AbortSignal,
) => Promise<{ readonly answer: Answer; readonly note: string | null } | null>;

/** An agent as this process can start it: environment references are resolved. */
export interface ReadyAgent {
  readonly profile: AgentProfile;
  readonly adapter: Adapter;
  readonly options: AgentOptions;
}

/** Everything a run touches outside itself. */
export interface RunContext {
  readonly paths: RunPaths;
  readonly journal: Journal;
  readonly inbox: Inbox;
  readonly files: RunFiles;
  readonly tree: WorkTree;
  readonly digests: Digests;
  /** What this process has kept itself, by path: an agent in a terminal is alive all the time, and can change files. */
  readonly texts: Map<string, string>;
  readonly machine: Machine;
  readonly rooms: Rooms;
  readonly agents: ReadonlyMap<string, ReadyAgent>;
  /** What agents, programs and people wrote goes through here before it is recorded or shown. */
  readonly redactor: Redactor;
  readonly reporter: Reporter;
  readonly stop: Stop;
  readonly attention: Attention;
  /** The agent in the person's terminal; null: there is none in this run. */
  readonly live: Live | null;
  readonly askPerson: AskPerson;
  /** What a person has made of the board while nothing of an agent was alive; null: nothing, or there is none. */
  readonly editedBoard: () => BoardEdited | null;
  readonly now: () => Date;
}
