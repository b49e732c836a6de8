import { totalTokens, type Usage } from "../../core/agent-turn.ts";
import { outcomeOf } from "../../core/end.ts";
import { isBestEffort, type AgentRecord, type CheckEnded, type TurnEnded } from "../../core/event.ts";
import { exitCodeOf } from "../../platform/process/process-end.ts";
import { checkPassed } from "../../evidence/verdict.ts";
import { runTime } from "../../core/run-time.ts";
import type { PromptTemplate } from "../../core/settings.ts";
import type { ManualDecision, RunState } from "../../core/state.ts";
import type { Described, DescribedFields } from "../../core/report/described.ts";
import { roomOfTest, roomReports } from "../../evidence/report/room-report.ts";
import type {
  common,
  manualDecision as manualDecisionSchema,
  prompt,
  test,
  turn,
} from "./schema-report-parts.ts";

const REPORT_VERSION = 1;

export type CommonReport = DescribedFields<typeof common>;
export type PromptReport = Described<typeof prompt>;
export type TurnReport = Described<typeof turn>;
export type TestReport = Described<typeof test>;
type ManualDecisionReport = Described<typeof manualDecisionSchema>;

/** For a run with a result: a pure rendering of its state. */
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
    ...agentFields(turn.agent),
    command: turn.process.command,
    end: turn.process.end,
    duration_ms: turn.process.durationMs,
    stdout: turn.stdout,
    stderr: turn.stderr,
    leaked: turn.process.leaked,
  };
}

export function spentReport({ spent, activeMs }: RunState): CommonReport["spent"] {
  return {
    ...usageReport(spent.usage),
    turns_without_cost: spent.unreportedCost,
    turns_without_tokens: spent.unreportedTokens,
    active_ms: activeMs,
  };
}

function limitsReport({ limits }: RunState): CommonReport["limits"] {
  return {
    max_cost_usd: limits.costUsd,
    max_tokens: limits.tokens,
    max_time_ms: limits.timeMs,
    max_wait_ms: limits.waitMs,
  };
}

export function agentFailures({ failures }: RunState): CommonReport["agent_failures"] {
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

function usageReport(usage: Usage): NonNullable<TurnReport["usage"]> {
  return {
    input_tokens: usage.input,
    cached_input_tokens: usage.cached,
    output_tokens: usage.output,
    total_tokens: totalTokens(usage),
    cost_usd: usage.costUsd,
  };
}

type AgentFields = Omit<TurnReport, "command" | "end" | "duration_ms" | "stdout" | "stderr" | "leaked">;

function agentFields(agent: AgentRecord | null): AgentFields {
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

/** The mode's own report covers a question with options. */
function manualDecision({ answer, note, via, at }: ManualDecision): ManualDecisionReport | undefined {
  if (answer.kind === "option") return undefined;
  return { decision: answer.kind, n: answer.kind === "continue_n" ? answer.n : null, note, via, at };
}

export function interruptedTurns(state: RunState): DescribedFields<typeof common>["interrupted_turns"] {
  return state.interruptedTurns.map(({ attempt, turn, durationMs }) => ({
    attempt,
    turn,
    duration_ms: durationMs,
  }));
}
