import { z } from "zod";
import {
  adapter,
  amount,
  captured,
  containment,
  count,
  denials,
  endReason,
  exitCode,
  failureClass,
  finalStatus,
  impasse,
  keptFiles,
  leaked,
  ordinal,
  path,
  phase,
  processEnd,
  sha256,
  timestamp,
  usageReport,
  via,
} from "../../core/report/schema-parts.ts";
import { roomOfTest, roomReports } from "../../evidence/report/schema-room.ts";

export const failure = z.strictObject({ class: failureClass, message: z.string() });
/** A turn, and what its agent reported. */
export const turn = z.strictObject({
  name: z.string().nullable().describe("null: the person's own command"),
  command: z.string(),
  model: z.string().nullable(),
  session_id: z.string().nullable(),
  usage: usageReport.nullable().describe("of this turn alone"),
  failure: failure.nullable(),
  files_touched: z.array(z.string()),
  denials,
  unknown_lines: count,
  message: captured.nullable(),
  end: processEnd,
  duration_ms: count,
  stdout: captured,
  stderr: captured,
  leaked,
});

export const test = z.strictObject({
  phase,
  index: ordinal,
  command: z.string(),
  passed: z.boolean(),
  exit_code: exitCode,
  end: processEnd,
  duration_ms: count,
  output: captured,
  leaked,
  ...roomOfTest,
});

export const prompt = z.strictObject({
  path: path.nullable().describe("null: the one that comes with the program"),
  sha256,
});

export const manualDecision = z.strictObject({
  decision: z.enum(["continue_n", "mark_pass", "mark_fail"]),
  n: ordinal.nullable(),
  note: z.string().nullable(),
  via,
  at: timestamp,
});

/** Common fields of all modes' reports. */
export const common = {
  schema_version: z.literal(1),
  run_id: z.string(),
  task: z.string(),
  agents: z.array(
    z.strictObject({
      name: z.string(),
      adapter,
      model: z.string().nullable(),
      endpoint: z.string().nullable(),
    }),
  ),
  missing_agents: z.array(z.string()).describe("named, but not installed"),
  cwd: path,
  final_status: finalStatus,
  end_reason: z.union([endReason, impasse]),
  resumable: z.boolean().describe("the run can go on once a person has changed what stopped it"),
  exit_code: count,
  started_at: timestamp,
  finished_at: timestamp,
  duration_ms: count.describe("without waiting, and without the time in which no foreman was at work"),
  waited_ms: count.describe("waiting for agents and for a person"),
  manual_decision: manualDecision.nullable().describe("the last one"),
  manual_decision_history: z.array(manualDecision),
  spent: usageReport.extend({
    turns_without_cost: count,
    turns_without_tokens: count,
    active_ms: count.describe("duration_ms and waited_ms: what max_time_ms limits"),
  }),
  limits: z.strictObject({
    max_cost_usd: amount.nullable(),
    max_tokens: amount.nullable(),
    max_time_ms: amount.nullable(),
    max_wait_ms: amount,
  }),
  agent_failures: z
    .array(
      z.strictObject({
        agent: z.string(),
        attempt: count,
        turn: ordinal,
        at: timestamp,
        class: failureClass,
        message: z.string(),
        retry_at: timestamp.nullable(),
        usage: usageReport.nullable(),
        stdout_path: path,
        stderr_path: path,
      }),
    )
    .describe("turns that cost no attempt, for the agent was not available"),
  config_files: keptFiles,
  report_path: path,
  journal_path: path,
  base_commit: z.string().nullable(),
  ...roomReports,
  containment: z.strictObject({ level: containment, best_effort: z.boolean() }),
  interrupted_turns: z.array(
    z.strictObject({
      attempt: count,
      turn: ordinal,
      duration_ms: count.nullable().describe("after a crash of the foreman at least so long; null: unknown"),
    }),
  ),
  refused_answers: count,
  tool: z.strictObject({
    name: z.literal("agent-foreman"),
    version: z.string(),
    node: z.string(),
    platform: z.string(),
  }),
};

export const stuck = z
  .strictObject({ kind: z.enum(["same_failure", "tree_seen_before"]), like: count })
  .nullable()
  .describe("the work tree was the same after the attempt `like`; 0: before the first");
