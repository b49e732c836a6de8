import type { EndReason, Impasse, RunEvent } from "../core/event.ts";
import type { ExcerptLine } from "../text/excerpt.ts";
import type { Artifact } from "../platform/process/process-end.ts";
import type { Settings } from "../core/settings.ts";
import type { Attempt, RunState } from "../core/state.ts";
import type { Stuck } from "../evidence/stuck.ts";
import type { CommandTexts } from "./words/commands.ts";
import type { LivePhase } from "../engine/live-phase.ts";
import type { TerminalTexts } from "./words/terminal.ts";
import type { Line } from "./page.ts";
import type { Parting } from "../engine/reporter.ts";
import type { Description } from "./statement.ts";
import type { End } from "./summary-parts.ts";

/** The state of a run with a known mode. */
export type RunOf<S extends Settings> = RunState & { readonly settings: S };

/** An excerpt of the output of the check or turn that failed in the current attempt. */
export interface FailedOutput {
  readonly lines: readonly ExcerptLine[];
  readonly path: string;
}

/** A kept file, compared with its journal entry. */
export type FileCondition = "same" | "gone" | "changed";

/** The files that a recorded run left. */
export interface KeptFiles {
  readonly conditionOf: (output: Artifact) => FileCondition;
  readonly excerptOf: (output: Artifact) => readonly ExcerptLine[];
  /** The first line with content, made safe; empty: there is none, or the file has changed. */
  readonly firstLineOf: (text: Artifact) => string;
}

/** The context of an event to describe. */
export interface Scene<S extends Settings = Settings> {
  /** After the event. */
  readonly state: RunOf<S>;
  /** Before the event; undefined at the first event that is shown. */
  readonly before: RunState | undefined;
  readonly failed: FailedOutput | undefined;
  /** The reviewer's words in the current attempt. */
  readonly words: string | undefined;
  readonly verbose: boolean;
  /** Redrawn lines below the history show the work under way, so the history needs results only. */
  readonly isRedrawn: boolean;
  /** Set if a person looks back: every turn and check is described, with its time and cost, and files can be quoted. */
  readonly kept?: KeptFiles;
}

/** Returns the lines that an event adds to the history. */
export type Describe<S extends Settings = Settings> = (
  event: RunEvent,
  scene: Scene<S>,
  texts: TerminalTexts,
) => Description;

/** Renders the runs of one mode. Methods, so that a view of one mode is also a view of any. */
export interface ModeView<S extends Settings = Settings> {
  /** Whether lines of history begin with time and subject. Others begin with a sign, in a log with a time before it. */
  hasSubjects(isRedrawn: boolean): boolean;
  /** How a line without a subject names an attempt. */
  lineStart(state: RunState, attempt: number): string;
  /** Replaces common words by the mode's own. */
  words(texts: TerminalTexts): TerminalTexts;
  describe(event: RunEvent, scene: Scene<S>, texts: TerminalTexts): Description;
  /** The endings of a run that has ended, asks a person, or was interrupted. */
  ended(reason: EndReason, state: RunOf<S>, parting: Parting, texts: TerminalTexts): End;
  asked(state: RunOf<S>, parting: Parting, texts: TerminalTexts): End;
  interrupted(state: RunOf<S>, texts: TerminalTexts): End;
  /** An impasse that only this mode reaches; null: one of every mode. */
  impasse(impasse: Impasse, state: RunOf<S>, texts: TerminalTexts): End | null;
  /** `2/6`: the number of the attempt. */
  place(state: RunState, attempt: number): string;
  /** The same, as short as a window title. */
  title(state: RunState, attempt: number): string;
  /** The work under way. */
  phase(phase: LivePhase, state: RunState, texts: TerminalTexts): string;
  /** The line at the beginning of a phase; null: the previous event says enough. */
  phaseStarts(phase: LivePhase, command: string, texts: TerminalTexts): string | null;
  /** The lines that remain below a terminal that the agent had; `words`: the last reviewer's. */
  afterTerminal(state: RunState, words: string, texts: TerminalTexts): readonly Line[];
  /** Whether nothing more is to be done in an attempt. */
  isOver(attempt: Attempt, state: RunState): boolean;
  /** Whether an attempt repeated an earlier failure. */
  stuck(attempt: Attempt, state: RunState): Stuck | null;

  /** The first lines of `show`: the task, its agents, and facts about the work. A summary has the facts, too. */
  task(state: RunOf<S>, texts: TerminalTexts): string;
  about(state: RunOf<S>, labels: CommandTexts["show"], texts: TerminalTexts): readonly Line[];
  facts(state: RunOf<S>, texts: TerminalTexts): readonly Line[];
  running(state: RunState, labels: CommandTexts["show"]): string;
  /** The current action of a run, shown below its history; null: its open turn shows it. */
  doing(state: RunState, texts: TerminalTexts): string | null;

  /** The command that starts the same work again; null: unknown. */
  startAgain(state: RunOf<S>, here: string): string | null;
  /** The next command after an ended run; null: look at the changes. */
  next(state: RunOf<S>, here: string): string | null;
  /** Fields of `runs --json`. */
  listed(state: RunOf<S>): ListedWork;
  /** Fields of `show --json` before the run has a report. */
  unfinished(state: RunOf<S>): UnfinishedWork;
}

/** Fields of `runs --json` beyond the common ones. */
export interface ListedWork {
  /** For a run of steps: the current one, from 1 (0: none yet), of how many. */
  readonly step?: number;
  readonly steps?: number;
  /** On a board: the iteration's number there, which continues from run to run. */
  readonly iteration?: number;
  /** In a conversation: the last task, from 1; 0: none yet. */
  readonly task_number?: number;
}

/** Fields of `show --json` for a run without a final report. */
export interface UnfinishedWork {
  /** Judged attempts only, except in a conversation. Attempts at steps are in `steps`. */
  readonly attempts: readonly object[];
  readonly [field: string]: unknown;
}
