import { attemptReportSchema, superviseReportSchema } from "../src/modes/supervise/schema-report.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { journalRecordSchema } from "../src/core/events/journal-schema.ts";
import { jsonLineSchema } from "../src/cli/schemas/json-line-schema.ts";
import { jsonSchemaText, publicSchemas } from "../src/cli/schemas/schema.ts";
import { Rig } from "./rig/rig.ts";

const SHIPPED = join(import.meta.dirname, "..", "schemas");
const names = Object.keys(publicSchemas) as (keyof typeof publicSchemas)[];

/** Validates like a user's own validator with the shipped file. */
function validator(name: string): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(fs.readFileSync(join(SHIPPED, name), "utf8")) as object);
}

/** One run with most parts of a record: a mute turn, a crash, a failed test, a timeout, a DONE. */
async function eventfulRun(
  more: readonly string[] = [],
): Promise<{ rig: Rig; runId: string; stdout: string }> {
  const rig = new Rig();
  const agent = "case $GA_LOOP_INDEX in 5) sleep 1000 ;; *) agent mute invalid crash done mute done ;; esac";
  const { runId, stdout } = await rig.supervise({
    agent,
    fast: ["true", '[ "$(ls .goldagent-supervise/*/ | grep -c json)" -ge 4 ]'],
    full: ["true", "true"],
    more: ["--agent-timeout-sec", "1", ...more],
  });
  return { rig, runId, stdout };
}

describe("the shipped schemas", () => {
  test.each(names)("%s equals the code", (name) => {
    expect(fs.readFileSync(join(SHIPPED, name), "utf8")).toBe(jsonSchemaText(name));
  });

  const supervised = names.filter((name) => !/^(?:run|analyze|orchestrate|chat|receipt)[-.]/.test(name));
  test("accept the program's output and refuse other output", async () => {
    const run = await eventfulRun(["--json", "--verbose"]);
    for (const name of supervised) {
      const validate = validator(name);
      const samples = samplesOf(name, run);
      expect(samples.length, name).toBeGreaterThan(0);
      for (const sample of samples) {
        expect(validate(sample) ? [] : validate.errors, name).toEqual([]);
        expect(publicSchemas[name].safeParse(sample).error, name).toBeUndefined();
        expect(validate({ ...(sample as object), surprise: 1 }), name).toBe(false);
      }
    }
  });
});

function samplesOf(
  name: string,
  { rig, runId, stdout }: { rig: Rig; runId: string; stdout: string },
): readonly unknown[] {
  switch (name) {
    case "report.schema.json":
      return [rig.report(runId)];
    case "attempt.schema.json":
      return rig.report(runId).attempts;
    case "journal-record.schema.json":
      return rig.records(runId);
    default:
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown);
  }
}

test("a person's decision and an interrupted turn fit the report's schema", async () => {
  const { rig, runId } = await eventfulRun();
  const at = "2026-01-01T00:00:00.000Z";
  const decision = { decision: "continue_n", n: 2, note: null, via: "decide", at };
  const report = {
    ...rig.report(runId),
    manual_decision: decision,
    manual_decision_history: [decision, { ...decision, decision: "mark_pass", n: null, note: "fine" }],
    interrupted_turns: [{ attempt: 1, turn: 1, duration_ms: 1200 }],
  };
  expect(superviseReportSchema.safeParse(report).success).toBe(true);
  expect(superviseReportSchema.safeParse({ ...report, final_status: "done" }).success).toBe(false);
  expect(attemptReportSchema.safeParse({ ...report.attempts[0], reasons: ["because"] }).success).toBe(false);
  expect(journalRecordSchema.safeParse({ ...rig.records(runId)[0], v: 1 }).success).toBe(false);
  expect(jsonLineSchema.safeParse({ type: "other" }).success).toBe(false);
});
