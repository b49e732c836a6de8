import { z } from "zod";
import { TEST_CHANGES } from "../../core/evidence/settings.ts";
import { RUN_ID } from "../../text/run-id.ts";
import { PREDICATE_TYPE, RECEIPT_VERSION, STATEMENT_TYPE } from "./receipt-format.ts";
import {
  adapter,
  containment,
  count,
  exitCode,
  ordinal,
  phase,
  sha256,
  timestamp,
  via,
} from "../../core/report/schema-parts.ts";
import {
  baseTests,
  names,
  NOT_COVERED,
  protectedFiles,
  protectedChange,
  roomKind,
  weaknesses,
} from "../report/schema-room.ts";

const resource = z.strictObject({ name: z.string(), digest: z.strictObject({ sha256 }) });
const commit = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
  .nullable();
/** Below the tree's root: a receipt cannot point to other places. */
const below = z.string().regex(/^(?!\/)(?!(?:[^\0]*\/)?\.\.(?:\/|$))[^\0]*$/);
const variables = z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/));
const step = ordinal.nullable().describe("null: the mode has no steps");
const attempt = count.describe("0: a regression check of a finished step");

const output = z.strictObject({ bytes: count, sha256 }).meta({ id: "outputDigest" });
const run = z
  .strictObject({
    exit_code: exitCode,
    duration_ms: count,
    output,
    tests: baseTests
      .omit({ kept: true })
      .extend({
        added: count.describe("number of tests that are new since the base"),
        results_sha256: sha256.describe("digest of the list of all results"),
      })
      .nullable()
      .describe("null: only the exit code is known"),
  })
  .meta({ id: "receiptRun" });

const command = run.extend({
  step,
  attempt,
  phase,
  index: ordinal,
  command: z.string(),
  tree: sha256.nullable().describe("the tree on which it ran"),
  flaky: names
    .nullable()
    .describe("failures of a first run; a second run passed on the same tree; null: no second run"),
  frozen: run
    .nullable()
    .describe("failed run with the original tests, if the accepted tests decided; null: no such run"),
  own: run.nullable().describe("run with the accepted tests; null: they are the original ones"),
  without: run.nullable().describe("run with the accepted tests on the original product; null: not needed"),
  control: run
    .nullable()
    .describe("repeated run on the original tree, where the command failed; null: not needed"),
});

const details = z
  .strictObject({
    version: z.literal(RECEIPT_VERSION),
    run_id: z.string().regex(new RegExp(`^${RUN_ID}$`)),
    mode: z.enum(["supervise", "run", "analyze", "orchestrate", "chat"]),
    tool: z.strictObject({
      name: z.literal("agent-foreman"),
      version: z.string(),
      node: z.string(),
      platform: z.string(),
    }),
    started_at: timestamp,
    finished_at: timestamp,
    tree: z
      .strictObject({
        folder: below.describe("directory in which commands ran, relative to the tree's root"),
        left_out: z.array(below.min(1)).describe("agent-foreman's own files and folders, which are ignored"),
      })
      .describe("how to compute the subject's digest again"),
    base: z.strictObject({ tree: sha256, files: count, commit, commit_at_start: commit }),
    protected: protectedFiles.extend({
      changes: z.array(
        protectedChange.extend({
          step,
          attempt,
          allowed_by: z
            .enum(["flag", "person", "tests"])
            .describe(
              "flag: approved in advance; person: approved during the run; tests: the checks passed without an approval",
            ),
        }),
      ),
      new_tests: names,
    }),
    commands: z.array(command),
    room: z.strictObject({
      kind: roomKind,
      weak: weaknesses,
      setup: z.string().nullable(),
      allow: z.array(z.string()),
      protect: z.array(z.string()).describe("patterns of files that are always protected"),
      product: z.array(z.string()).describe("patterns of files that are never protected"),
      prove_tests: z.boolean(),
      test_changes: z.enum(TEST_CHANGES),
      allow_no_change: z.boolean(),
      accept_tree: z.boolean(),
      test_timeout_ms: count,
      max_output_bytes: count,
    }),
    environment: z
      .strictObject({ policy: z.literal("allow_list"), passed: variables, set: variables })
      .describe("names of variables: passed in addition to the usual ones, and set for the commands"),
    containment: z.strictObject({ level: containment, best_effort: z.boolean() }),
    sandbox: z.boolean(),
    attempts: count,
    agents: z.array(
      z.strictObject({
        name: z.string(),
        adapter,
        program: z.string().nullable(),
        versions: z
          .array(z.string())
          .describe("according to its files; several if it changed during the run"),
        model: z.string().nullable().describe("the requested model"),
        models_told: z.array(z.string()),
      }),
    ),
    decisions: z
      .array(
        z.strictObject({
          about: z.enum(["limit", "main", "user", "protected"]),
          attempt: count,
          decision: z.string(),
          note: z.string().nullable(),
          via,
          at: timestamp,
        }),
      )
      .describe("decisions by people"),
    journal: z.strictObject({ records: ordinal, head: sha256 }),
    not_covered: z.array(z.enum(NOT_COVERED)).describe("what the evidence does not cover"),
  })
  .describe("agent-foreman's details");

/** Unlike report schemas, the program also validates input with this one, so it trusts nothing. */
export const receiptSchema = z.strictObject({
  _type: z.literal(STATEMENT_TYPE),
  subject: z.array(resource).length(1),
  predicateType: z.literal(PREDICATE_TYPE),
  predicate: z.strictObject({
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    configuration: z.array(resource),
    passedTests: z.array(z.string()).optional(),
    warnedTests: z.array(z.string()).optional(),
    failedTests: z.array(z.string()).optional(),
    agentForeman: details,
  }),
});
