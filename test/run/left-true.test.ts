import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE, TODO, type StepsRig } from "../rig/steps.ts";
import { until } from "../rig/rig.ts";
import { Strings } from "../rig/puppet.ts";
import { linesOf, rowOf, stepsRig, verdict } from "./scene.ts";

describe("reports after unusual ends are correct", () => {
  test("R40 an agent that resets the step files to an earlier commit: done steps stay done", async () => {
    const rig = stepsRig();
    rig.step(1);
    rig.step(2);
    rig.git("add", "--all");
    rig.git(
      "-c",
      "user.name=rig",
      "-c",
      "user.email=rig@localhost",
      "commit",
      "--quiet",
      "--message",
      "Steps",
    );
    rig.script({ "worker step-002": { run: "git checkout --quiet ." } });
    const { code, report } = await rig.steps();
    expect(code).toBe(0);
    expect(rig.stepNow("001-step.json")["status"]).toBe(DONE);
    expect(report.steps[0]).toMatchObject({ status_after: DONE, edited: true });
    expect(rig.called()).toHaveLength(4);
    expect((await rig.steps()).code).toBe(0);
    expect(rig.called()).toHaveLength(4);
  });

  test("R30 steps that --no-reverify accepts on the agent's word are marked everywhere", async () => {
    const rig = stepsRig();
    rig.step(1, { status: DONE, unit_test: { command: "false" } });
    const { code, report, progress, stdout } = await rig.steps(["--full-verify", "--no-reverify"]);
    expect(code).toBe(0);
    expect(report.steps[0]).toMatchObject({ result: "passed", note: "not_verified" });
    expect(rowOf(progress, "001").remark).toContain("--no-reverify");
    expect(linesOf({ stdout }).some((line) => /^ {2}\S+ +未再测试和验证 .*001-step\.json/.test(line))).toBe(
      true,
    );
  });

  test("reports a verifier's changes at the end, even if a later round was accepted", async () => {
    const rig = stepsRig();
    rig.step(1);
    rig.script({ "reviewer step-001 1": { run: "git config core.hooksPath /nowhere" } });
    const { code, progress, stdout } = await rig.steps();
    expect(code).toBe(0);
    expect(rowOf(progress, "001").remark).toContain(".git/config");
    expect(
      linesOf({ stdout }).filter((line) => line.includes("验证期间有文件发生变化，请查看：.git/config")),
    ).toHaveLength(1);
  });

  test("R34 a step that is done and not chosen counts as already done", async () => {
    const rig = stepsRig();
    rig.step(1, { status: DONE });
    rig.step(2);
    const { report } = await rig.steps(["--only", "2"]);
    expect(report.totals).toEqual({
      ...{ total: 2, passed: 1, failed: 0, under_way: 0 },
      ...{ not_run: 1, already_done: 1 },
    });
  });

  test("R40 a cancelled run: the step that was under way has failed, and nothing is under way", async () => {
    const rig = stepsRig();
    rig.write("agent-foreman.yaml", "agents: [p]\nprofiles: { p: { extends: command, command: puppet } }\n");
    rig.step(1);
    const strings = await Strings.attach(rig);
    const running = rig.start(["run", "steps", "--lang", "zh"], { env: strings.env });
    await strings.next();
    const [runId = ""] = rig.runIds();
    expect((await rig.run(["cancel", runId])).code).toBe(0);
    expect((await running.ended).code).toBe(1);
    expect(rowOf(rig.progress(), "001")).toMatchObject({ result: "失败", remark: "中途结束 (cancelled)" });
    expect(running.output().stdout).not.toContain("重做");
  });
});

describe("before an agent is paid", () => {
  test("M19 a step file that was edited without a supervisor ends the run before the next turn", async () => {
    const rig = stepsRig();
    rig.write("agent-foreman.yaml", "agents: [p]\nprofiles: { p: { extends: command, command: puppet } }\n");
    const file = rig.step(1);
    const strings = await Strings.attach(rig);
    const running = rig.start(["run", "steps"], { env: strings.env });
    await strings.next();
    running.child.kill("SIGKILL");
    await running.ended;
    const path = join(rig.project, "steps", file);
    fs.writeFileSync(path, fs.readFileSync(path, "utf8").replace("Do the work", "Do more"));
    const [runId = ""] = rig.runIds();
    const resumed = await rig.run(["resume", runId], { env: strings.env });
    expect(resumed.code).toBe(6);
    expect(rig.stepsReport(runId)).toMatchObject({ end_reason: "step_file_changed" });
    expect(rig.events(runId).filter(({ type }) => type === "turn_started")).toHaveLength(1);
  });

  test("an interrupted run is not resumed once another has worked on its steps", async () => {
    const rig = stepsRig();
    rig.step(1);
    rig.write("agent-foreman.yaml", "agents: [p]\nprofiles: { p: { extends: command, command: puppet } }\n");
    const strings = await Strings.attach(rig);
    const running = rig.start(["run", "steps"], { env: strings.env });
    await strings.next();
    running.child.kill("SIGKILL");
    await running.ended;
    const [first = ""] = rig.runIds();
    rig.profiles(["stepper"]);
    const { code, runId } = await rig.steps(["--accept-tree"]);
    expect(code).toBe(0);
    const resumed = await rig.run(["resume", first]);
    expect(resumed.code).toBe(6);
    expect(resumed.stderr).toContain(`run ${runId} has replaced run ${first}`);
    expect(rig.stepNow("001-step.json")["status"]).toBe(DONE);
    expect(rig.progress()).toContain(runId);
  });

  test.each(["steps/001-step.json", "steps/run-progress.md", "agent-foreman.yaml", ".git/config"])(
    "a report over %s is refused",
    async (path) => {
      const rig = stepsRig();
      rig.step(1);
      rig.write("steps/run-progress.md", "mine");
      const before = rig.read(path);
      const { code, stderr } = await rig.run(["run", "steps", "--report", path]);
      expect(code).toBe(2);
      expect(stderr).toContain("the run needs the file that is there");
      expect(rig.read(path)).toBe(before);
      expect(rig.stepNow("001-step.json")["status"]).toBe(TODO);
    },
  );
});

test("R40 a third signal leaves at once, and names the command to continue", async () => {
  const rig = stepsRig();
  rig.write(
    "agent-foreman.yaml",
    "agents: [p]\nprofiles: { p: { extends: command, command: term-ignorer } }\n",
  );
  rig.step(1);
  const running = rig.start(["run", "steps"]);
  await until(() => running.output().stdout.includes("attempt 1/5"));
  const [runId = ""] = rig.runIds();
  for (const words of ["stopping after this turn", "ending what still runs"]) {
    running.child.kill("SIGINT");
    await until(() => running.output().stderr.includes(words) || running.child.exitCode !== null);
  }
  running.child.kill("SIGINT");
  const { stdout } = await running.ended;
  expect(stdout).toContain(`agent-foreman resume ${runId}`);
});

describe("after a killed foreman", () => {
  test("R28 the next run does not trust steps that its agent marked as done, and says how to resume", async () => {
    const rig = stepsRig();
    rig.step(1);
    rig.step(2);
    rig.write("agent-foreman.yaml", "agents: [p]\nprofiles: { p: { extends: command, command: puppet } }\n");
    const strings = await Strings.attach(rig);
    const running = rig.start(["run", "steps"], { env: strings.env });
    await strings.next();
    for (const name of ["001-step.json", "002-step.json"])
      rig.write(`steps/${name}`, rig.read(`steps/${name}`).replace(/🔴 待完成|🟡 进行中/, DONE));
    running.child.kill("SIGKILL");
    await running.ended;
    const [first = ""] = rig.runIds();
    rig.profiles(["stepper"]);
    const { code, stderr } = await rig.steps(["--accept-tree"]);
    expect(code).toBe(0);
    expect(stderr).toContain(`agent-foreman resume ${first}`);
    expect(rig.called()).toEqual([
      "worker step-001 1",
      "reviewer step-001 1",
      "worker step-002 1",
      "reviewer step-002 1",
    ]);
    const cancelled = await rig.run(["cancel", first]);
    expect(cancelled.code).toBe(0);
    expect(rig.stepNow("002-step.json")["status"]).toBe(DONE);
    expect(rig.progress()).not.toContain(first);
  });
});

/** A run that accepted its first step and stopped during the second. The next run has another agent. */
async function leftAtSecond(signal: "SIGKILL" | "SIGINT"): Promise<StepsRig> {
  const rig = stepsRig();
  rig.step(1);
  rig.step(2);
  rig.step(3);
  rig.write("agent-foreman.yaml", "agents: [p]\nprofiles: { p: { extends: command, command: puppet } }\n");
  const strings = await Strings.attach(rig);
  const running = rig.start(["run", "steps"], { env: strings.env });
  for (const words of ["done", verdict("pass")]) {
    const puppet = await strings.next();
    if (words === "done") await puppet.do({ write: "work.txt", text: "work\n" });
    await puppet.do({ stdout: `${words}\n` });
    await puppet.exit(0);
  }
  const puppet = await strings.next();
  expect(rig.stepNow("001-step.json")["status"]).toBe(DONE);
  running.child.kill(signal);
  if (signal === "SIGINT") {
    await until(() => running.output().stderr.includes("stopping after this turn"));
    await puppet.exit(0);
  }
  await running.ended;
  // The next runs need --accept-tree, because all changes count as the killed run's, including this file.
  rig.profiles(["stepper"]);
  return rig;
}

function setStatus(rig: StepsRig, name: string, status: string): void {
  const text = rig.read(`steps/${name}`);
  rig.write(`steps/${name}`, text.replace(/"status": "[^"]*"/, `"status": "${status}"`));
}

describe("the run after one that did not end", () => {
  const left: ("SIGKILL" | "SIGINT")[] = ["SIGKILL", "SIGINT"];
  test.each(left)("%s: works on a new step in the file of one that was accepted", async (signal) => {
    const rig = await leftAtSecond(signal);
    rig.step(1, { description: "Do something else first" });
    const { code } = await rig.steps(["--accept-tree"]);
    expect(code).toBe(0);
    expect(rig.called()[0]).toBe("worker step-001 1");
  });

  test.each(left)("%s: works again on an accepted step that a person set back", async (signal) => {
    const rig = await leftAtSecond(signal);
    setStatus(rig, "001-step.json", TODO);
    const { code } = await rig.steps(["--accept-tree"]);
    expect(code).toBe(0);
    expect(rig.called()[0]).toBe("worker step-001 1");
  });

  test("SIGINT: believes a person who marked a step as done since", async () => {
    const rig = await leftAtSecond("SIGINT");
    setStatus(rig, "003-step.json", DONE);
    const { code } = await rig.steps();
    expect(code).toBe(0);
    expect(rig.called()).toEqual(["worker step-002 1", "reviewer step-002 1"]);
  });

  test("SIGKILL: does not believe a step that was marked as done, wherever it is now, and says so", async () => {
    const rig = await leftAtSecond("SIGKILL");
    const [first = ""] = rig.runIds();
    setStatus(rig, "003-step.json", DONE);
    fs.renameSync(join(rig.project, "steps/003-step.json"), join(rig.project, "steps/004-last.json"));
    rig.step(3, { id: "step-new", description: "Another third step", status: DONE });
    const { code, stderr } = await rig.steps(["--lang", "en", "--accept-tree"]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      `004-last.json: status ${DONE} → ${TODO}: run ${first} was killed before it accepted`,
    );
    expect(stderr).not.toContain("003-step.json: status");
    expect(rig.called()).toEqual([
      "worker step-002 1",
      "reviewer step-002 1",
      "worker step-003 1",
      "reviewer step-003 1",
    ]);
  });

  test("SIGKILL: does not begin if such a status cannot be taken back", async () => {
    const rig = await leftAtSecond("SIGKILL");
    setStatus(rig, "003-step.json", DONE);
    fs.chmodSync(join(rig.project, "steps/003-step.json"), 0o444);
    const { code, stderr } = await rig.steps();
    expect(code).toBe(6);
    expect(stderr).toContain("003-step.json");
    expect(rig.called()).toEqual([]);
  });
});

test("a run that ends raises no status of a step that became another", async () => {
  const rig = stepsRig();
  rig.step(1);
  rig.step(2);
  rig.script({
    "worker step-002": {
      run: `sed -i 's/${DONE}/${TODO}/; s/Do the work/Do other work/' steps/001-step.json`,
    },
  });
  const { code } = await rig.steps();
  expect(code).toBe(0);
  expect(rig.stepNow("001-step.json")["status"]).toBe(TODO);
});
