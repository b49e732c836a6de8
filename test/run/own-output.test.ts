import { spawn } from "node:child_process";
import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { StepsReport } from "../../src/modes/steps/steps-report.ts";
import { CLI, until } from "../rig/rig.ts";
import type { Doing, StepsRig } from "../rig/steps.ts";
import { commit } from "../workspace/looking.ts";
import { stepsRig } from "./scene.ts";

/** A project with one step, without a repository or with everything committed. */
function oneStep(git: boolean, script: Readonly<Record<string, Doing>> = {}): StepsRig {
  const rig = stepsRig();
  rig.step(1);
  rig.script(script);
  if (git) commit(rig);
  else fs.rmSync(join(rig.project, ".git"), { recursive: true });
  return rig;
}

/** A person's command line with the program as `foreman`, in its own process group like in an interactive shell. */
async function type(rig: StepsRig, line: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  await start(rig, line, env).ended;
}

function start(
  rig: StepsRig,
  line: string,
  env: Readonly<Record<string, string>> = {},
): { readonly pid: number; readonly ended: Promise<unknown> } {
  const program = `foreman() { "${process.execPath}" "${CLI}" "$@"; }`;
  const shell = spawn("/bin/sh", ["-c", `${program}\n${line}`], {
    cwd: rig.project,
    env: rig.env(env),
    stdio: ["ignore", "ignore", "ignore"],
    detached: true,
  });
  return { pid: shell.pid ?? 0, ended: new Promise((resolve) => shell.once("close", resolve)) };
}

/** The verifier's first turn lasts until the foreman is killed. */
const HANGS_ONCE = "[ -e ../hung ] || { touch ../hung; exec sleep 1000; }";

async function killedInVerification(rig: StepsRig, line: string): Promise<string> {
  const { pid, ended } = start(rig, line);
  await until(() => fs.existsSync(join(rig.root, "hung")));
  process.kill(-pid, "SIGKILL");
  await ended;
  return rig.runIds()[0] ?? "";
}

function report({ project }: StepsRig): StepsReport {
  const name = fs.readdirSync(project).find((each) => each.startsWith("goldagent-run-report-")) ?? "";
  return JSON.parse(fs.readFileSync(join(project, name), "utf8")) as StepsReport;
}

/** The changes of each verification in order. */
const changedIn = (rig: StepsRig): unknown[] =>
  report(rig)
    .steps.flatMap(({ attempts }) => attempts)
    .flatMap(({ verifier_faults: faults, verification }) => [...faults, verification])
    .map((verification) => verification?.changed_files);

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
    const rig = stepsRig(["worker", "v1", "v2", "v3"], "verifiers: [v1, v2, v3]\n");
    rig.step(1);
    rig.step(2);
    rig.script({
      "v1 reviewer step-001": { write: { "other.log": "" } },
      "v2 reviewer step-001": { write: { "plan.md": "read, but not written, by our own hand" } },
      // A new file with the name of our output is not our output.
      "v1 reviewer step-002": { run: "mv run.log old.log && touch run.log" },
    });
    if (git) commit(rig);
    else fs.rmSync(join(rig.project, ".git"), { recursive: true });
    await type(rig, line);
    expect(changedIn(rig)).toEqual([["other.log"], ["plan.md"], [], ["run.log"], []]);
  });
});

describe.each(REPOSITORY)("a log in the project and SIGKILL during the verification, %s", (_, git) => {
  test.each([
    ["run steps > run.log", "resume ID"],
    ["run steps > run.log", "resume ID > again.log"],
    ["run steps | tee run.log", "resume ID >> run.log"],
    ["run steps", "resume ID >> old.log"],
  ])("`%s`, then `%s`: no log is the verifier's change", async (line, again) => {
    const rig = oneStep(git, { reviewer: { run: HANGS_ONCE } });
    rig.write("old.log", "of another run\n");
    const runId = await killedInVerification(rig, `foreman ${line}`);
    await type(rig, `foreman ${again.replace("ID", runId)}`);
    expect(changedIn(rig)).toEqual([[]]);
    expect(report(rig).exit_code).toBe(0);
  });

  test("names the killed verifier's changes, also next to a log", async () => {
    const rig = oneStep(git, { reviewer: { run: `[ -e meddled ] || touch meddled; ${HANGS_ONCE}` } });
    const runId = await killedInVerification(rig, "foreman run steps > run.log");
    await type(rig, `foreman resume ${runId}`);
    expect(changedIn(rig)[0]).toEqual(["meddled"]);
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
