import type { Adapter, AgentOptions } from "../agents/adapter.ts";
import type { AgentProfile } from "../core/agent-profile.ts";
import type { Answer, AttemptJudged, BoardEdited, Role, RunEvent } from "../core/event.ts";
import type { Decision, ModeDecision } from "../core/decision.ts";
import type { Settings } from "../core/settings.ts";
import type { Attempt, RunState } from "../core/state.ts";
import type { Judgement } from "../core/verdict.ts";
import type { Inbox } from "../core/journal/inbox.ts";
import type { RunPaths } from "../core/journal/run-store.ts";
import type { Reporter } from "./reporter.ts";
import type { Assignment } from "./assignment.ts";
import type { EvidenceContext, OwnFiles } from "../evidence/checks/evidence-context.ts";
import type { Live, LiveNews } from "./live.ts";
import type { RunFiles } from "./files.ts";
import type { Digests } from "../platform/files/digests.ts";

/** The person's answer at the terminal, or null if they left without deciding. */
export type AskPerson = (
  state: RunState,
  abort: AbortSignal,
) => Promise<{ readonly answer: Answer; readonly note: string | null } | null>;

/** An agent ready to start, with resolved environment references. */
export interface ReadyAgent {
  readonly profile: AgentProfile;
  readonly adapter: Adapter;
  readonly options: AgentOptions;
}

/** The acting half of a mode. The other half, its rules, is pure. */
export interface ModeWork<S extends Settings = Settings> extends OwnFiles<S> {
  /** Files outside the journal that a turn reads. */
  inputFiles(settings: S): readonly string[];
  /** Paths of the work tree that are not part of the work. */
  ownPaths?(settings: S): readonly string[];
  /** Inputs that changed, although the run uses its own copy. */
  changedInputs?(state: RunState, settings: S, context: RunContext): readonly string[];
  /** Why a turn cannot begin; null if it can. */
  refuseTurn?(state: RunState): RunEvent | null;
  /** A digest to compare with the tree after the turn; null for no comparison. */
  treeBefore(role: Role, state: RunState, settings: S, context: RunContext): string | null;
  /** Whether a worker may change only part of the tree, or nothing. */
  readonly restrictsWorker: boolean;
  /** Whether a reviewer starts from a fork of the worker's session. */
  readonly forksReview: boolean;
  assignment(attempt: number, state: RunState, settings: S, context: RunContext): Assignment;
  /** Runs a turn for which no agent was chosen. */
  takeCommandTurn?(
    decision: Decision & { do: "take_turn" },
    state: RunState,
    context: RunContext,
  ): Promise<RunEvent>;
  /** Carries out this mode's own decisions, as `perform` does for the others. */
  perform?(decision: ModeDecision, state: RunState, context: RunContext): Promise<RunEvent | null>;
  /** Records news from the person's terminal; null if it changes nothing. */
  newsEvent?(news: LiveNews, state: RunState, context: RunContext): RunEvent | null;
  readonly feedback: WriteFeedback;
  /** Adds to a verdict what only the files show. */
  afterChecks?(state: RunState, context: RunContext): Pick<AttemptJudged, "changedByChecks">;
  /** Default: none but the report. */
  files?(settings: S, runId: string, paths: RunPaths, superseded: boolean): RunFiles;
  report(state: RunState, settings: S, journal: string): object;
  /** The directory in the project with the files of a run. */
  runDir?(settings: S, runId: string): string;
}

/** Feedback about this attempt for the next one. Without `safe`, which redacts quotes, it quotes nothing. */
export type WriteFeedback = (
  state: RunState,
  attempt: Attempt,
  verdict: Judgement,
  safe: ((text: string) => string) | null,
) => string;

/** Everything outside itself that a run uses. */
export interface RunContext extends EvidenceContext {
  readonly mode: ModeWork;
  readonly inbox: Inbox;
  readonly files: RunFiles;
  readonly digests: Digests;
  /** Artifacts of this process by path, because a live agent in a terminal could modify the files. */
  readonly texts: Map<string, string>;
  readonly agents: ReadonlyMap<string, ReadyAgent>;
  readonly reporter: Reporter;
  /** The agent in the person's terminal; null if the run has none. */
  readonly live: Live | null;
  readonly askPerson: AskPerson;
  /** A person's edits of the board while no agent was alive; null if there are none, or no board. */
  readonly editedBoard: () => BoardEdited | null;
}
