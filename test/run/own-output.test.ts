import { spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { StepsReport } from "../../src/reports/steps-report.ts";
import { CLI } from "../rig/rig.ts";
import type { Doing, StepsRig } from "../rig/steps.ts";
import { commit } from "../workspace/looking.ts";
import { stepsRig } from "./scene.ts";

/** A project with one step and no repository, or with one in which all is committed. */
function oneStep(git: boolean, script: Readonly<Record<string, Doing>> = {}): StepsRig {
  const rig = stepsRig();
  rig.step(1);
  rig.script(script);
  if (git) commit(rig);
  else fs.rmSync(join(rig.project, ".git"), { recursive: true });
  return rig;
}

/** What a person types, `foreman` being the program; in a process group of its own, as an interactive shell has it. */
async function type(rig: StepsRig, line: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const program = `foreman() { "${process.execPath}" "${CLI}" "$@"; }`;
  const shell = spawn("/bin/sh", ["-c", `${program}\n${line}`], {
    cwd: rig.project,
    env: rig.env(env),
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  await new Promise((resolve) => shell.once("close", resolve));
}

function report({ project }: StepsRig): StepsReport {
  const name = fs.readdirSync(project).find((each) => each.startsWith("goldagent-run-report-")) ?? "";
  return JSON.parse(fs.readFileSync(join(project, name), "utf8")) as StepsReport;
}

const changedIn = (rig: StepsRig): unknown[] =>
  report(rig).steps[0]?.attempts.map(({ verification }) => verification?.changed_files) ?? [];

const REPOSITORY = [
  ["with git", true],
  ["without git", false],
] as const;

describe.each(REPOSITORY)("a log in the project, %s", (_, git) => {
  test.each([
    ["run steps > run.log", "run.log"],
    ["run steps --verbose 2>&1 | tee run.log", "run.log"],
    ["run steps --json > events.ndjson", "events.ndjson"],
    ["run steps --json 2> err.log | cat > out.log", "out.log"],
  ])("`%s` is no change", async (args, log) => {
    const rig = oneStep(git);
    await type(rig, `foreman ${args}`);
    expect(changedIn(rig)).toEqual([[]]);
    expect(report(rig).exit_code).toBe(0);
    expect(rig.read(log)).not.toBe("");
  });

  test.each([
    "foreman run steps 3< plan.md > run.log",
    "(tail -f plan.md & foreman run steps; kill $!) | tee run.log",
  ])("`%s` hides nothing else", async (line) => {
    const rig = oneStep(git, {
      "reviewer step-001 1": { write: { "other.log": "" } },
      "reviewer step-001 2": { write: { "plan.md": "read, but not written, by our own hand" } },
      // Another file by the same name is not what we write to.
      "reviewer step-001 3": { run: "mv run.log old.log && touch run.log" },
    });
    await type(rig, line);
    expect(changedIn(rig)).toEqual([["other.log"], ["plan.md"], ["run.log"], []]);
  });
});

describe("a log that git tracks", () => {
  test.each(["foreman run steps >> logs/run.log", "foreman run steps | tee -a logs/run.log"])(
    "`%s` is no change",
    async (line) => {
      const rig = oneStep(true);
      rig.write("logs/run.log", "from before\n");
      commit(rig);
      await type(rig, line);
      expect(changedIn(rig)).toEqual([[]]);
      expect(rig.read("logs/run.log")).toMatch(/^from before\n./);
    },
  );
});

test("M18 attempts go in circles though the log of them grows", async () => {
  const rig = oneStep(true, { worker: { write: {} }, reviewer: { fail: [1], evidence: "no" } });
  await type(rig, "foreman run steps | tee run.log");
  expect(report(rig).steps[0]?.attempts[1]?.stuck).toEqual({ kind: "same_failure", like: 1 });
});

describe.each(REPOSITORY)("the state directory in the project, %s", (_, git) => {
  test.each([
    ["AGENT_FOREMAN_HOME", ".state", ".state/runs"],
    ["AGENT_FOREMAN_HOME", ".", "runs"],
    ["HOME", ".", ".local/state/agent-foreman/runs"],
  ])("by %s=%s is no change, and hides none", async (name, folder, runs) => {
    const rig = oneStep(git, { "reviewer step-001 1": { write: { "runs.txt": "" } } });
    const state = { AGENT_FOREMAN_HOME: "", [name]: join(rig.project, folder) };
    await type(rig, "foreman run steps", state);
    expect(changedIn(rig)).toEqual([["runs.txt"], []]);
    expect(fs.readdirSync(join(rig.project, runs))).toEqual([report(rig).run_id]);
  });
});
