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
const step = ordinal.nullable().describe("null: there are no steps");
const attempt = count.describe("0: a step that was done was put to the test");

const output = z.strictObject({ bytes: count, sha256 }).meta({ id: "outputDigest" });
const run = z
  .strictObject({
    exit_code: exitCode,
    duration_ms: count,
    output,
    tests: baseTests
      .omit({ kept: true })
      .extend({
        added: count.describe("tests that the base does not have"),
        results_sha256: sha256.describe("of the list of all results"),
      })
      .nullable()
      .describe("null: by its exit code alone"),
  })
  .meta({ id: "receiptRun" });

const command = run.extend({
  step,
  attempt,
  phase,
  index: ordinal,
  command: z.string(),
  tree: sha256.nullable().describe("what it was run on"),
  flaky: names.nullable().describe("it failed, and passed on the same tree; null: it was not run twice"),
  frozen: run
    .nullable()
    .describe("with the base's tests, where it failed by them and went by those that were accepted"),
  own: run
    .nullable()
    .describe("the same with all tests as they were accepted; null: they are as on the base"),
  without: run.nullable().describe("these again, with the product as it was on the base"),
  control: run
    .nullable()
    .describe("on the tree as it was on the base, where the command failed there: it failed again"),
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
        folder: below.describe("where commands ran, below the tree's root"),
        left_out: z
          .array(below.min(1))
          .describe("files and folders of agent-foreman's own, which do not count"),
      })
      .describe("how the digest of the subject can be had again"),
    base: z.strictObject({ tree: sha256, files: count, commit, commit_at_start: commit }),
    protected: protectedFiles.extend({
      changes: z.array(
        protectedChange.extend({
          step,
          attempt,
          allowed_by: z
            .enum(["flag", "person", "tests"])
            .describe("tests: nothing but more tests, and those of the base pass beside them"),
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
      .describe("names of variables: passed on besides the usual ones, and set for the commands"),
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
          .describe("as its files tell; several: another one when the run was resumed"),
        model: z.string().nullable().describe("which was asked for"),
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
      .describe("what people decided"),
    journal: z.strictObject({ records: ordinal, head: sha256 }),
    not_covered: z.array(z.enum(NOT_COVERED)).describe("what the evidence does not cover"),
  })
  .describe("agent-foreman's own part");

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
