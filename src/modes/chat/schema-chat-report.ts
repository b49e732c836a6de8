import { z } from "zod";
import { TASK_OUTCOMES } from "./chat-parts.ts";
import {
  captured,
  count,
  dropReason,
  ordinal,
  path,
  processEnd,
  reason,
  reviews,
  timestamp,
  treeChange,
  verdict,
} from "../../core/report/schema-parts.ts";
import { common, prompt, test, turn } from "../report/schema-report-parts.ts";
import { candidate } from "../../evidence/report/schema-room.ts";

const attempt = z.strictObject({
  index: ordinal,
  task: ordinal.describe("the number of the input that it is about"),
  started_at: timestamp,
  work: turn.nullable().describe("null in a terminal: what the agent did there is its own record"),
  said: captured.nullable().describe("what the agent said last in the terminal"),
  checks: z.array(test),
  candidate,
  review: turn
    .extend({
      read_only: z.boolean(),
      completed: z.boolean().describe("the reviewer called the task completed"),
      waiting: z.boolean().describe("the reviewer found that the agent waits for an answer of the user"),
      empty: z.boolean().describe("the reviewer said nothing"),
      changed_files: treeChange,
    })
    .nullable(),
  decision: verdict.nullable().describe("null: it was not judged"),
  reasons: z.array(reason),
  settled: z
    .union([z.enum(["accepted", "feedback_sent"]), dropReason])
    .nullable()
    .describe("its outcome; null: still open"),
  duration_ms: count.describe("without the agent's work in the terminal"),
  changed_inputs: z.array(path),
  feedback: captured.nullable(),
});

export const chatReportSchema = z.strictObject({
  ...common,
  mode: z.literal("chat"),
  live: z.boolean().describe("whether a person worked with the agent in a terminal, or a script asked"),
  prompt: z.string().nullable().describe("the prompt of a script"),
  worker: z.string(),
  reviewer: z.string(),
  forks: z.boolean().describe("the reviewer started from a fork of the conversation"),
  marker: z.string(),
  waiting_marker: z.string(),
  checks: z.array(z.string()),
  max_reviews: ordinal.describe("of each task"),
  inputs: z.array(
    z.strictObject({
      task: ordinal,
      text: captured.nullable().describe("null: the text is in `prompt`"),
      session_id: z.string().nullable(),
      at: timestamp,
    }),
  ),
  tasks: z.array(
    z.strictObject({
      task: ordinal,
      outcome: z.enum(TASK_OUTCOMES),
      reviews: count.describe("those that were broken off count"),
      broken_off: count.describe("reviews that were broken off"),
    }),
  ),
  attempts: z.array(attempt),
  reviews,
  session_id: z.string().nullable().describe("of the agent"),
  session_command: z.string().nullable().describe("resumes the session, in the directory of the call"),
  agent_left: processEnd.nullable().describe("how the agent left the terminal"),
  prompts: z.strictObject({ supervisor: prompt }),
});
