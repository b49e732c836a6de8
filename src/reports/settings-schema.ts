import { TEST_CHANGES } from "../domain/room/settings.ts";
import { z } from "zod";
import { roles } from "./schema-board-parts.ts";
import {
  adapter,
  amount,
  count,
  lang,
  onStuck,
  ordinal,
  path,
  sha256,
  stepStatus,
  unitTest,
} from "./schema-parts.ts";

export const limits = z.strictObject({
  costUsd: amount.nullable(),
  tokens: amount.nullable(),
  timeMs: amount.nullable(),
  waitMs: amount,
});

const prompt = z.strictObject({ text: z.string(), sha256, path: path.nullable() });

export const agentProfiles = z.array(
  z.strictObject({
    name: z.string(),
    adapter,
    program: z.string().nullable(),
    command: z.string().nullable(),
    args: z.array(z.string()),
    env: z.record(z.string(), z.string()),
    model: z.string().nullable(),
    endpoint: z.string().nullable(),
    price: z.strictObject({ input: amount, cached: amount, output: amount }).nullable(),
  }),
);

const common = {
  task: z.string(),
  agents: agentProfiles,
  session: z.enum(["fresh", "continue"]),
  secrets: z.array(z.string()),
  maxLoops: ordinal,
  cwd: path,
  calledFrom: path,
  callFlags: z
    .array(z.strictObject({ flag: z.string(), values: z.array(z.string()) }))
    .exactOptional()
    .describe("flags of the command line as they were typed"),
  reportPath: path,
  force: z.boolean(),
  agentTimeoutMs: count,
  stallMs: count,
  limits,
  testTimeoutMs: count,
  maxOutputBytes: count,
  room: z
    .strictObject({
      setup: z.string().nullable(),
      allow: z.array(z.string()),
      passEnv: z.array(z.string()),
      proveTests: z.boolean(),
      testChanges: z.enum(TEST_CHANGES),
      allowNoChange: z.boolean(),
      acceptTree: z.boolean(),
    })
    .nullable()
    .describe("null: checks run in the work tree as the agent left it"),
  sandbox: z.boolean(),
  lang,
};

const supervise = z.strictObject({
  ...common,
  mode: z.literal("supervise"),
  planFile: path,
  plan: z.union([
    z.strictObject({ sha256 }),
    z.strictObject({ problem: z.enum(["plan_file_missing", "plan_file_unreadable"]) }),
  ]),
  agentCmd: z.string().nullable(),
  prompt: prompt.nullable(),
  testFast: z.array(z.string()),
  testFull: z.array(z.string()),
  onStuck,
  nonce: z.boolean(),
});

const run = z.strictObject({
  ...common,
  mode: z.literal("run"),
  stepsDir: path,
  steps: z.array(
    z.strictObject({
      file: z.string(),
      number: z.string(),
      id: z.string(),
      description: z.string(),
      status: stepStatus,
      verification: z.array(z.strictObject({ type: z.string(), description: z.string() })),
      unitTest: unitTest.nullable(),
      sha256,
    }),
  ),
  chosen: z.array(ordinal).nullable(),
  markedBefore: z.array(ordinal),
  unjudgedBefore: z
    .array(ordinal)
    .exactOptional()
    .describe("steps with work in the tree that an earlier run left without a verdict"),
  workers: z.array(z.string()),
  verifiers: z.array(z.string()),
  prompts: z.strictObject({ implement: prompt, verify: prompt }),
  fullVerify: z.boolean(),
  reverify: z.boolean(),
  onStuck,
});

const analyze = z.strictObject({
  ...common,
  mode: z.literal("analyze"),
  requirements: z.strictObject({ path, sha256 }),
  outDir: path.nullable(),
  dryRun: z.boolean(),
  prompts: z.strictObject({ analyze: prompt }),
});

const orchestrate = z.strictObject({
  ...common,
  mode: z.literal("orchestrate"),
  boardDir: path,
  iterationsBefore: count,
  plan: z.string(),
  context: z.string(),
  projectEnv: z.string(),
  historySha256: sha256.nullable(),
  decided: z.array(
    z.strictObject({
      iteration: count,
      title: z.string(),
      question: z.string(),
      option: z.string(),
      description: z.string(),
      comment: z.string().nullable(),
    }),
  ),
  redBefore: z
    .strictObject({
      tests: z.string(),
      tasks: z.array(z.strictObject({ id: z.string(), commands: z.array(z.string()) })),
    })
    .nullable()
    .describe("what the last run on the board saw red, and the digest of the tests then"),
  env: z.strictObject({
    testPaths: z.array(z.string()),
    sharedPaths: z.array(z.string()),
    env: z.record(z.string(), z.string()),
  }),
  roles,
  prompts: z.strictObject({ main: prompt, test: prompt, dev: prompt, review: prompt }),
});

const chat = z.strictObject({
  ...common,
  mode: z.literal("chat"),
  prompt: z.string().nullable(),
  worker: z.string(),
  reviewer: z.string(),
  forks: z.boolean(),
  agentArgs: z.array(z.string()),
  supervisor: prompt,
  marker: z.string(),
  waitingMarker: z.string(),
  checks: z.array(z.string()),
});

/** What the person asked for. */
export const settings = z.discriminatedUnion("mode", [supervise, run, analyze, orchestrate, chat]);
