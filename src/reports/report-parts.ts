import type { AdapterName } from "../domain/agent-profile.ts";
import { totalTokens, type Denial, type FailureClass, type Usage } from "../domain/agent-turn.ts";
import { outcomeOf } from "../domain/end.ts";
import {
  isBestEffort,
  type AgentRecord,
  type CheckEnded,
  type CheckPhase,
  type Containment,
  type EndReason,
  type FinalStatus,
  type Impasse,
  type TurnEnded,
} from "../domain/event.ts";
import { exitCodeOf, type Captured, type Leaked, type ProcessEnd } from "../domain/process-end.ts";
import { checkPassed } from "../domain/room/verdict.ts";
import { runTime } from "../domain/run-time.ts";
import type { KeptFile, PromptTemplate } from "../domain/settings.ts";
import type { ManualDecision, RunState } from "../domain/state.ts";
import { interruptedTurns, type InterruptedTurnReport } from "./interrupted-turns.ts";
import { roomOfTest, roomReports, type RoomOfTest, type RoomReports } from "./room-report.ts";

/** Version of the reports' format. */
const REPORT_VERSION = 1;

/** What the report of every mode says. */
export interface CommonReport extends RoomReports {
  readonly schema_version: typeof REPORT_VERSION;
  readonly run_id: string;
  readonly task: string;
  readonly agents: readonly AgentNamed[];
  /** Named, but not installed. */
  readonly missing_agents: readonly string[];
  readonly cwd: string;
  readonly final_status: FinalStatus;
  readonly end_reason: EndReason | Impasse;
  /** The run can go on once a person has changed what stopped it. */
  readonly resumable: boolean;
  readonly exit_code: number;
  readonly started_at: string;
  readonly finished_at: string;
  /** Without waiting, and without the time in which no foreman was at work. */
  readonly duration_ms: number;
  readonly waited_ms: number;
  readonly manual_decision: ManualDecisionReport | null;
  readonly manual_decision_history: readonly ManualDecisionReport[];
  readonly spent: SpentReport;
  readonly limits: LimitsReport;
  /** Turns that cost no attempt, for the agent was not available. */
  readonly agent_failures: readonly AgentFailureReport[];
  readonly config_files: readonly KeptFile[];
  readonly report_path: string;
  readonly journal_path: string;
  readonly base_commit: string | null;
  readonly containment: { readonly level: Containment; readonly best_effort: boolean };
  readonly interrupted_turns: readonly InterruptedTurnReport[];
  readonly refused_answers: number;
  readonly tool: {
    readonly name: "agent-foreman";
    readonly version: string;
    readonly node: string;
    readonly platform: string;
  };
}

interface AgentNamed {
  readonly name: string;
  readonly adapter: AdapterName;
  readonly model: string | null;
  readonly endpoint: string | null;
}

interface UsageReport {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  /** Null: not told. */
  readonly cost_usd: number | null;
}

interface SpentReport extends UsageReport {
  /** Turns of which the agent told no cost: the sum is at least this much. */
  readonly turns_without_cost: number;
  readonly turns_without_tokens: number;
  readonly active_ms: number;
}

interface LimitsReport {
  readonly max_cost_usd: number | null;
  readonly max_tokens: number | null;
  readonly max_time_ms: number | null;
  readonly max_wait_ms: number;
}

interface AgentFailureReport {
  readonly agent: string;
  readonly attempt: number;
  readonly turn: number;
  readonly at: string;
  readonly class: FailureClass;
  readonly message: string;
  readonly retry_at: string | null;
  readonly usage: UsageReport | null;
  readonly stdout_path: string;
  readonly stderr_path: string;
}

export interface PromptReport {
  readonly path: string | null;
  readonly sha256: string;
}

/** A turn, and what its agent told. */
export interface TurnReport {
  /** Null: the person's own command. */
  readonly name: string | null;
  readonly command: string;
  readonly model: string | null;
  readonly session_id: string | null;
  readonly usage: UsageReport | null;
  readonly failure: { readonly class: FailureClass; readonly message: string } | null;
  readonly files_touched: readonly string[];
  readonly denials: readonly Denial[];
  readonly unknown_lines: number;
  readonly message: Captured | null;
  readonly end: ProcessEnd;
  readonly duration_ms: number;
  readonly stdout: Captured;
  readonly stderr: Captured;
  readonly leaked: readonly Leaked[];
}

export interface TestReport extends RoomOfTest {
  readonly phase: CheckPhase;
  readonly index: number;
  readonly command: string;
  readonly passed: boolean;
  readonly exit_code: number | null;
  readonly end: ProcessEnd;
  readonly duration_ms: number;
  readonly output: Captured;
  readonly leaked: readonly Leaked[];
}

interface ManualDecisionReport {
  readonly decision: "continue_n" | "mark_pass" | "mark_fail";
  readonly n: number | null;
  readonly note: string | null;
  readonly via: "terminal" | "decide";
  readonly at: string;
}

/** Of a run with a result: a pure rendering of its state. */
export function commonReport(state: RunState, journal: string): CommonReport {
  const { settings, started } = state;
  const outcome = outcomeOf(state);
  if (!outcome) throw new Error(`run ${state.runId} has no result`);
  const history = state.decisions.flatMap((decision) => manualDecision(decision) ?? []);
  const { workedMs, waitedMs } = runTime(state);
  return {
    schema_version: REPORT_VERSION,
    run_id: state.runId,
    task: settings.task,
    agents: settings.agents.map(({ name, adapter, model, endpoint }) => ({ name, adapter, model, endpoint })),
    missing_agents: started.missingAgents,
    cwd: settings.cwd,
    final_status: outcome.status,
    end_reason: outcome.reason,
    resumable: !state.ended,
    exit_code: outcome.exitCode,
    started_at: state.startedAt,
    finished_at: outcome.at,
    duration_ms: workedMs,
    waited_ms: waitedMs,
    manual_decision: history.at(-1) ?? null,
    manual_decision_history: history,
    spent: spentReport(state),
    limits: limitsReport(state),
    agent_failures: agentFailures(state),
    config_files: started.config,
    report_path: settings.reportPath,
    journal_path: journal,
    base_commit: started.baseCommit,
    ...roomReports(state),
    containment: { level: state.containment, best_effort: isBestEffort(state.containment) },
    interrupted_turns: interruptedTurns(state),
    refused_answers: state.refusals,
    tool: {
      name: "agent-foreman",
      version: started.toolVersion,
      node: started.node,
      platform: started.platform,
    },
  };
}

export function promptReport({ path, sha256 }: PromptTemplate): PromptReport {
  return { path, sha256 };
}

export function testReport(check: CheckEnded): TestReport {
  const { phase, index, process, output, room } = check;
  return {
    phase,
    index,
    command: process.command,
    passed: checkPassed(check),
    exit_code: exitCodeOf(process.end),
    end: process.end,
    duration_ms: process.durationMs,
    output,
    leaked: process.leaked,
    ...roomOfTest(room),
  };
}

export function turnReport(turn: Pick<TurnEnded, "agent" | "process" | "stdout" | "stderr">): TurnReport {
  return {
    ...agentToldReport(turn.agent),
    command: turn.process.command,
    end: turn.process.end,
    duration_ms: turn.process.durationMs,
    stdout: turn.stdout,
    stderr: turn.stderr,
    leaked: turn.process.leaked,
  };
}

export function spentReport({ spent, activeMs }: RunState): SpentReport {
  return {
    ...usageReport(spent.usage),
    turns_without_cost: spent.untoldCost,
    turns_without_tokens: spent.untoldTokens,
    active_ms: activeMs,
  };
}

function limitsReport({ limits }: RunState): LimitsReport {
  return {
    max_cost_usd: limits.costUsd,
    max_tokens: limits.tokens,
    max_time_ms: limits.timeMs,
    max_wait_ms: limits.waitMs,
  };
}

export function agentFailures({ failures }: RunState): AgentFailureReport[] {
  return failures.map(({ event, at }) => ({
    agent: event.agent.name,
    attempt: event.attempt,
    turn: event.turn,
    at,
    class: event.agent.failure.class,
    message: event.agent.failure.message,
    retry_at: event.agent.failure.retryAt,
    usage: event.agent.usage && usageReport(event.agent.usage),
    stdout_path: event.stdout.path,
    stderr_path: event.stderr.path,
  }));
}

function usageReport(usage: Usage): UsageReport {
  return {
    input_tokens: usage.input,
    cached_input_tokens: usage.cached,
    output_tokens: usage.output,
    total_tokens: totalTokens(usage),
    cost_usd: usage.costUsd,
  };
}

type AgentTold = Omit<TurnReport, "command" | "end" | "duration_ms" | "stdout" | "stderr" | "leaked">;

function agentToldReport(agent: AgentRecord | null): AgentTold {
  return {
    name: agent?.name ?? null,
    model: agent?.model ?? null,
    session_id: agent?.sessionId ?? null,
    usage: agent?.usage ? usageReport(agent.usage) : null,
    failure: agent?.failure ? { class: agent.failure.class, message: agent.failure.message } : null,
    files_touched: agent?.filesTouched ?? [],
    denials: agent?.denials ?? [],
    unknown_lines: agent?.unknownLines ?? 0,
    message: agent?.message ?? null,
  };
}

/** Of a question with options of its own the mode's report tells. */
function manualDecision({ answer, note, via, at }: ManualDecision): ManualDecisionReport | undefined {
  if (answer.kind === "option") return undefined;
  return { decision: answer.kind, n: answer.kind === "continue_n" ? answer.n : null, note, via, at };
}
