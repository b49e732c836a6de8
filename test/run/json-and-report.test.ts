import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DONE, StepsRig, TODO } from "../rig/steps.ts";

const SCHEMAS = join(import.meta.dirname, "..", "..", "schemas");

/** Validates like a user's own validator with the shipped file. */
function validator(name: string): ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(JSON.parse(fs.readFileSync(join(SCHEMAS, name), "utf8")) as object);
}

function valid(name: string, samples: readonly unknown[]): void {
  const validate = validator(name);
  expect(samples.length).toBeGreaterThan(0);
  for (const sample of samples) {
    expect(validate(sample) ? [] : [sample, validate.errors]).toEqual([]);
    expect(validate({ ...(sample as object), surprise: 1 })).toBe(false);
  }
}

/** A regression, a refused test command, a failed test, a crash, failed verdicts, a limit. */
function eventful(): StepsRig {
  const rig = StepsRig.inWorkTree();
  rig.profiles(["one", "two"]);
  rig.step(1, { status: DONE, unit_test: { command: "test -f fixed", files: ["t"], notes: "n" } });
  rig.step(2, { verification: [] });
  rig.step(3);
  rig.script({
    "worker step-001 1": { write: { fixed: "" } },
    "worker step-002 1": { unitTest: { command: "git push --force" } },
    "worker step-002 2": { unitTest: { command: "test -f good" } },
    "worker step-002 3": { write: { good: "" } },
    "reviewer step-002 3": { fail: [1], evidence: "no" },
    "worker step-002 4": { kill: "SIGKILL" },
    "reviewer step-002 5": { fail: [1], evidence: "still not" },
  });
  return rig;
}

test("--json: every line of a run is valid; report and journal too", async () => {
  const rig = eventful();
  const { code, stdout, runId, report } = await rig.steps(["--json", "--verbose", "--full-verify"]);
  expect(code).toBe(1);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; event?: { type: string } });
  valid("json-line.schema.json", lines);
  valid("run-report.schema.json", [report]);
  valid("journal-record.schema.json", rig.records(runId));
  expect(lines.flatMap(({ event }) => event?.type ?? [])).toEqual(rig.events(runId).map(({ type }) => type));
  expect(lines.at(-1)).toMatchObject({ type: "left", run_id: runId, status: "failed", exit_code: 1 });
  expect(report).toMatchObject({
    mode: "run",
    final_status: "failed",
    exit_code: 1,
    end_reason: "limit_reached",
    full_verify: true,
    max_attempts: 5,
    workers: ["one", "two"],
    first_failure: "002",
    progress_path: join(rig.project, rig.dir, "run-progress.md"),
    totals: { total: 3, passed: 1, failed: 1, not_run: 1, already_done: 0 },
  });
  expect(
    report.steps.map((step) => [step.number, step.status_before, step.status_after, step.result]),
  ).toEqual([
    ["001", DONE, DONE, "passed"],
    ["002", TODO, TODO, "failed"],
    ["003", TODO, TODO, "not_run"],
  ]);
  const rounds = report.steps[1]?.attempts ?? [];
  expect(
    rounds.map(({ index, work, unit_test: unitTest, verification }) => [
      index,
      work?.name,
      unitTest?.passed ?? null,
      verification?.name ?? null,
    ]),
  ).toEqual([
    [1, "one", null, null],
    [2, "one", false, null],
    [3, "one", true, "two"],
    [4, "one", null, null],
    [5, "one", true, "two"],
  ]);
  expect(rounds[4]).toMatchObject({ verification: { items: [{ passed: false }] }, verifier_faults: [] });
});

test("the report of a run that passed, of one with nothing to do, of one that waits for help", async () => {
  const rig = StepsRig.inWorkTree();
  rig.step(1, { unit_test: { command: "true" } });
  const passed = await rig.steps(["--report", "mine.json"]);
  expect(passed.code).toBe(0);
  const mine = JSON.parse(rig.read("mine.json")) as object;
  expect(mine).toMatchObject({
    final_status: "passed",
    exit_code: 0,
    end_reason: "accepted",
    first_failure: null,
  });
  const nothing = await rig.steps();
  rig.write("agent-foreman.yaml", "agents: [claude]\n");
  rig.step(2);
  const helpless = await rig.steps([], { env: rig.withAgents({ CLAUDE_DOES: "auth" }) });
  expect(helpless).toMatchObject({ code: 5, report: { end_reason: "no_agent_available", resumable: true } });
  valid("run-report.schema.json", [mine, nothing.report, helpless.report]);
});

test("--quiet says only how it ended, and the files are the same", async () => {
  const rig = StepsRig.inWorkTree();
  const name = rig.step(1);
  const { code, stdout, stderr, report } = await rig.steps(["--quiet"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^✓ 通过：1\/1 个步骤已完成/);
  expect(stdout).not.toContain("状态更新");
  expect(report.totals.passed).toBe(1);
  expect(rig.stepNow(name)["status"]).toBe(DONE);
});
