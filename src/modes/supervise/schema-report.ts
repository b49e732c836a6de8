import { z } from "zod";
import {
  captured,
  exitCode,
  count,
  onStuck,
  ordinal,
  path,
  reason,
  statusMarker,
  timestamp,
  verdict,
} from "../../core/report/schema-parts.ts";
import { candidate } from "../../evidence/report/schema-room.ts";
import { common, prompt, stuck, test, turn } from "../report/schema-report-parts.ts";

export const attemptReportSchema = z.strictObject({
  index: ordinal,
  agent_exit_code: exitCode,
  agent_status_marker: statusMarker.nullable(),
  agent_evidence: z.string().nullable(),
  fast_tests_passed: z.boolean(),
  full_test_executed: z.boolean(),
  full_test_passed: z.boolean().nullable().describe("null: the full tests were not run"),
  decision: verdict,
  reasons: z.array(reason),
  stuck,
  duration_ms: count,
  stdout_path: path,
  stderr_path: path,
  started_at: timestamp,
  marker_order_certain: z.boolean(),
  changed_inputs: z
    .array(path)
    .describe("files the run was started with that are not as they were; their changes had no effect"),
  agent: turn,
  tests: z.array(test),
  candidate,
  feedback: captured,
});

export const superviseReportSchema = z.strictObject({
  ...common,
  mode: z.literal("supervise"),
  plan_file: path,
  agent_cmd: z.string().describe("the person's command, or the names of the agents"),
  test_fast: z.array(z.string()),
  test_full: z.array(z.string()),
  on_stuck: onStuck,
  max_loops: ordinal,
  allowed_loops: ordinal.describe("max_loops plus what a person granted"),
  attempts: z.array(attemptReportSchema),
  prompt: prompt.nullable(),
  run_dir: path,
});
