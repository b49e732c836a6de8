import { z } from "zod";
import { LACKS, SEEN } from "./verdict-role.ts";
import {
  blockType,
  claim,
  failureType,
  fault,
  nextAgent,
  reviewMode,
  roles,
  rule,
  taskStatus,
  tools,
} from "../../core/report/schema-board-parts.ts";
import {
  captured,
  count,
  ordinal,
  path,
  reason,
  timestamp,
  treeChange,
  verdict,
  via,
} from "../../core/report/schema-parts.ts";
import { common, prompt, test, turn } from "../report/schema-report-parts.ts";
import { candidate } from "../../evidence/report/schema-room.ts";

const acceptance = z.array(z.strictObject({ command: z.string(), threshold: z.string() }));

const task = z.strictObject({
  id: z.string(),
  title: z.string(),
  status_before: taskStatus.nullable().describe("null: added during the run"),
  status: taskStatus,
  acceptance,
  depends: z.array(z.string()),
  evidence: z.string(),
  verified_in: ordinal.nullable().describe("the iteration of the REVIEW that confirms it"),
  verified_before: z.boolean().describe("verified before this run, not by a REVIEW of it"),
  waivers: z
    .array(z.strictObject({ iteration: ordinal, why: z.string() }))
    .describe("why no failing test was needed first"),
  acceptance_changed: z
    .array(z.strictObject({ iteration: ordinal, from: acceptance, to: acceptance }))
    .describe("changes that MAIN made to a person's text after asking"),
  dropped: z.boolean().describe("a person agreed to leave it undone"),
});

const order = z.strictObject({
  self_test: z.enum(["enabled", "disabled"]).nullable(),
  review_mode: reviewMode.nullable(),
  partial: z.string().nullable().describe("the milestone that is reviewed without its blocked tasks"),
  red_waiver: z.string().nullable(),
});

const said = z
  .strictObject({
    claim: claim.nullable(),
    test_files: z.array(z.string()),
    commands: z.array(z.string()),
    covered: z.array(count),
    block_type: blockType.nullable(),
    failure_type: failureType.nullable(),
    fault: fault.nullable(),
    test_feedback: z.string().nullable(),
    clarification: z.string().nullable(),
  })
  .describe("all of it is claimed, not proved");

const iteration = z.strictObject({
  iteration: ordinal,
  started_at: timestamp,
  main: z
    .array(
      turn.extend({
        tools: tools.describe("what MAIN could have used"),
        next_agent: nextAgent.nullable().describe("null: the answer could not be read as one"),
        broken: z.array(z.strictObject({ rule, row: z.string(), about: z.string() })),
        refused_commands: z.array(z.string()),
        changed_files: treeChange,
      }),
    )
    .describe("every time MAIN was asked"),
  next_agent: nextAgent.nullable().describe("null: MAIN gave no valid answer"),
  reason: z.string().nullable(),
  finish_refused: z.boolean().describe("MAIN wanted to finish too early: only its plan was taken over"),
  tasks: z.array(z.string()),
  verified: z.array(z.string()).describe("tasks that MAIN recorded as verified"),
  order: order.nullable(),
  work: turn.nullable(),
  said: said.nullable(),
  absent_files: z.array(z.string()).describe("test files in the report that do not exist"),
  changed_files: treeChange.describe("files that the role must not change; null: unknown"),
  checks: z.array(
    test.extend({
      seen: z.enum(SEEN).describe("not_run: not found, hung or killed; it says nothing about the work"),
    }),
  ),
  candidate,
  changed_by_checks: z.array(z.string()).describe("test files that these commands changed"),
  decision: verdict.nullable(),
  reasons: z.array(reason),
  lacks: z
    .array(z.strictObject({ what: z.enum(LACKS), about: z.array(z.string()) }))
    .describe("missing parts of its report"),
  duration_ms: count,
  changed_inputs: z.array(path),
  feedback: captured.nullable(),
});

export const boardReportSchema = z.strictObject({
  ...common,
  mode: z.literal("orchestrate"),
  board_dir: path,
  roles,
  max_iterations: ordinal,
  allowed_iterations: ordinal.describe("max_iterations plus what a person granted"),
  iterations_before: count.describe("earlier iterations on the board; numbers continue from there"),
  totals: z.strictObject({ milestones: count, tasks: count, verified: count, dropped: count }),
  milestones: z.array(
    z.strictObject({ id: z.string(), title: z.string(), verified: count, tasks: z.array(task) }),
  ),
  iterations: z.array(iteration),
  decisions: z
    .array(
      z.strictObject({
        iteration: ordinal,
        about: z.enum(["user", "main"]),
        title: z.string().nullable(),
        question: z.string().nullable(),
        option: z.string(),
        description: z.string().nullable(),
        comment: z.string().nullable(),
        via,
        at: timestamp,
      }),
    )
    .describe("people's answers to questions with options"),
  board_edits: count.describe("how often a person changed the board while no agent was at work"),
  prompts: z.strictObject({ main: prompt, test: prompt, dev: prompt, review: prompt }),
});
