import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DOING, DONE, TODO, type StepsRig } from "../rig/steps.ts";
import { Strings, type Puppet } from "../rig/puppet.ts";
import { until, type Running } from "../rig/rig.ts";
import { linesOf, rowOf, stepsRig, verdict } from "./scene.ts";

interface Scene {
  readonly rig: StepsRig;
  readonly strings: Strings;
  readonly running: Running;
  readonly puppet: Puppet;
  readonly runId: string;
}

const UNIT_TEST = "echo ran >> ../ran; test -f good";

/** Two steps, the first with a test, and a puppet worker that is at work. */
async function atWork(more: readonly string[] = []): Promise<Scene> {
  const rig = stepsRig();
  rig.write("agent-foreman.yaml", "agents: [p]\nprofiles: { p: { extends: command, command: puppet } }\n");
  rig.step(1, { unit_test: { command: UNIT_TEST } });
  rig.step(2);
  const strings = await Strings.attach(rig);
  const running = rig.start(["run", "steps", "--lang", "zh", ...more], { env: strings.env });
  const puppet = await strings.next();
  return { rig, strings, running, puppet, runId: rig.runIds()[0] ?? "" };
}

const says = async (puppet: Puppet, text: string): Promise<void> => {
  await puppet.do({ stdout: `${text}\n` });
  await puppet.exit(0);
};
const works = async ({ rig }: Scene, puppet: Puppet, good = true): Promise<void> => {
  if (good) await puppet.do({ write: join(rig.project, "good"), text: "" });
  await puppet.do({
    write: join(rig.project, "work"),
    text: `${puppet.env["GA_STEP_ID"]}${puppet.env["GA_LOOP_INDEX"]}`,
  });
  await says(puppet, "done");
};
const heard = ({ running }: Scene, text: string): Promise<unknown> =>
  until(() => running.output().stderr.includes(text));
const typesOf = ({ rig, runId }: Scene): string[] => rig.events(runId).map(({ type }) => type);
const statusOf = ({ rig }: Scene, number: 1 | 2): unknown => rig.stepNow(`00${number}-step.json`)["status"];
const roleOf = ({ env }: Puppet): string => `${env["GA_ROLE"]} ${env["GA_STEP_ID"]} ${env["GA_LOOP_INDEX"]}`;

/** From now on everything succeeds. */
async function finish(scene: Scene, running: Running, calls: readonly string[]): Promise<void> {
  for (const call of calls) {
    const puppet = await scene.strings.next();
    expect(roleOf(puppet)).toBe(call);
    if (call.startsWith("worker")) await works(scene, puppet);
    else await says(puppet, verdict("pass"));
  }
  const ended = await running.ended;
  expect(ended.code).toBe(0);
  expect([statusOf(scene, 1), statusOf(scene, 2)]).toEqual([DONE, DONE]);
  expect(rowOf(scene.rig.progress(), "002")).toMatchObject({ after: DONE, result: "成功" });
}
const resume = ({ rig, strings, runId }: Scene): Running =>
  rig.start(["resume", runId], { env: strings.env });

describe("Ctrl-C", () => {
  test("R40 the first lets the turn end and begins nothing new: exit 130, 🟡, and resume tests the work", async () => {
    const scene = await atWork();
    const { running, puppet, rig, runId } = scene;
    process.kill(running.pid, "SIGINT");
    await heard(scene, "SIGINT");
    await works(scene, puppet);
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    expect(ended.stdout).toContain(`agent-foreman resume ${runId}`);
    expect(typesOf(scene).slice(-2)).toEqual(["candidate_taken", "run_stopped"]);
    expect(fs.existsSync(join(rig.root, "ran"))).toBe(false);
    expect(statusOf(scene, 1)).toBe(DOING);
    expect(rowOf(rig.progress(), "001")).toEqual({
      before: TODO,
      after: DOING,
      result: "未执行",
      remark: "进行中",
    });
    expect(rig.progress()).toContain(`- 结束时间: 尚未结束；下一步：\`agent-foreman resume ${runId}\``);
    const resumed = resume(scene);
    await finish(scene, resumed, ["reviewer step-001 1", "worker step-002 1", "reviewer step-002 1"]);
    expect(fs.readFileSync(join(rig.root, "ran"), "utf8")).toBe("ran\n");
    expect(linesOf(resumed.output())[1]).toBe(
      `[1/2] 001-step.json step-001  ${DOING}  Do the work of step 1`,
    );
  });

  test("R40 while a verifier is at work: its verdict is recorded, and the next step is not begun", async () => {
    const scene = await atWork();
    await works(scene, scene.puppet);
    const reviewer = await scene.strings.next();
    process.kill(scene.running.pid, "SIGINT");
    await heard(scene, "SIGINT");
    await says(reviewer, verdict("pass"));
    const ended = await scene.running.ended;
    expect(ended.code).toBe(130);
    expect(typesOf(scene).slice(-2)).toEqual(["step_marked", "run_stopped"]);
    expect([statusOf(scene, 1), statusOf(scene, 2)]).toEqual([DONE, TODO]);
    expect(rowOf(scene.rig.progress(), "001")).toMatchObject({ after: DONE, result: "成功" });
    expect(rowOf(scene.rig.progress(), "002")).toEqual({
      before: TODO,
      after: TODO,
      result: "未执行",
      remark: "尚未轮到",
    });
    expect(ended.stdout).not.toContain("[2/2] 第 1/5 次尝试");
    await finish(scene, resume(scene), ["worker step-002 1", "reviewer step-002 1"]);
  });

  test("R40 before a repair round: the failure is recorded, 🔴, and the next round is not begun", async () => {
    const scene = await atWork();
    await works(scene, scene.puppet);
    const reviewer = await scene.strings.next();
    process.kill(scene.running.pid, "SIGTERM");
    await heard(scene, "SIGTERM");
    await says(reviewer, verdict("fail"));
    expect((await scene.running.ended).code).toBe(143);
    expect(statusOf(scene, 1)).toBe(TODO);
    expect(rowOf(scene.rig.progress(), "001")).toMatchObject({ after: TODO, result: "失败" });
    const calls = ["worker step-001 2", "reviewer step-001 2", "worker step-002 1", "reviewer step-002 1"];
    await finish(scene, resume(scene), calls);
  });

  test("R40 the second ends the turn, which resume takes again with the same attempt", async () => {
    const scene = await atWork();
    const { running, puppet, rig, runId } = scene;
    await puppet.do({ spawn: "exec sleep 3600" });
    process.kill(running.pid, "SIGINT");
    await heard(scene, "SIGINT");
    process.kill(running.pid, "SIGINT");
    await puppet.gone;
    expect((await running.ended).code).toBe(130);
    expect(typesOf(scene).slice(-2)).toEqual(["turn_interrupted", "run_stopped"]);
    expect(rowOf(rig.progress(), "001")).toMatchObject({ after: DOING, remark: "进行中" });
    const all = ["worker step-001 1", "reviewer step-001 1", "worker step-002 1", "reviewer step-002 1"];
    await finish(scene, resume(scene), all);
    expect(rig.stepsReport(runId)).toMatchObject({ interrupted_turns: [{ attempt: 1, turn: 1 }] });
  });
});

describe("a killed foreman", () => {
  test("R40 during the second attempt: 🟡, and resume continues that attempt with the failure in its prompt", async () => {
    const scene = await atWork();
    const { rig, running, runId } = scene;
    await works(scene, scene.puppet, false);
    const second = await scene.strings.next();
    expect(roleOf(second)).toBe("worker step-001 2");
    process.kill(running.pid, "SIGKILL");
    await second.gone;
    expect((await running.ended).signal).toBe("SIGKILL");
    expect(statusOf(scene, 1)).toBe(DOING);
    expect(rowOf(rig.progress(), "001")).toMatchObject({ before: TODO, after: DOING, result: "失败" });
    expect(rowOf(rig.progress(), "001").remark).toContain("单元测试失败");
    await until(() => rig.survivors().length === 0);
    const calls = ["worker step-001 2", "reviewer step-001 2", "worker step-002 1", "reviewer step-002 1"];
    await finish(scene, resume(scene), calls);
    const report = rig.stepsReport(runId);
    expect(report.steps[0]?.attempts.map(({ index, decision }) => [index, decision])).toEqual([
      [1, "rejected"],
      [2, "accepted"],
    ]);
    const prompt = fs.readFileSync(join(rig.state, "runs", runId, "turns", "3", "prompt.md"), "utf8");
    expect(prompt).toContain("# 上一轮尝试失败原因摘要");
    expect(prompt).toContain(UNIT_TEST);
  });

  test("R40 while a verifier works: asks it again, and changes of the tree meanwhile count", async () => {
    const scene = await atWork();
    const { rig, running } = scene;
    await works(scene, scene.puppet);
    const reviewer = await scene.strings.next();
    await reviewer.do({ write: join(rig.project, "notes"), text: "mine" });
    process.kill(running.pid, "SIGKILL");
    await running.ended;
    await until(() => rig.survivors().length === 0);
    const resumed = resume(scene);
    const again = await scene.strings.next();
    expect(roleOf(again)).toBe("reviewer step-001 1");
    await says(again, verdict("pass"));
    const calls = ["reviewer step-001 1", "worker step-002 1", "reviewer step-002 1"];
    await finish(scene, resumed, calls);
    expect(rig.stepsReport(scene.runId).steps[0]?.attempts).toMatchObject([
      { verifier_faults: [{ reasons: ["verifier_changed_tree"], changed_files: ["notes"] }] },
    ]);
  });

  test("R42 run again instead of resume: the step that was 🟡 is worked on from its first attempt", async () => {
    const scene = await atWork();
    process.kill(scene.running.pid, "SIGKILL");
    await scene.running.ended;
    await until(() => scene.rig.survivors().length === 0);
    expect(statusOf(scene, 1)).toBe(DOING);
    const again = scene.rig.start(["run", "steps", "--lang", "zh"], { env: scene.strings.env });
    const all = ["worker step-001 1", "reviewer step-001 1", "worker step-002 1", "reviewer step-002 1"];
    await finish(scene, again, all);
    expect(rowOf(scene.rig.progress(), "001")).toMatchObject({ before: DOING, after: DONE, result: "成功" });
  });
});

describe("cancel", () => {
  test("R40 ends the run as failed while an agent works; the progress file matches the step files", async () => {
    const scene = await atWork();
    const { rig, running, runId, puppet } = scene;
    await puppet.do({ spawn: "exec sleep 3600" });
    const cancelled = await rig.run(["cancel", runId]);
    expect(cancelled.code).toBe(0);
    const ended = await running.ended;
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain("✗ 已取消：0/2 个步骤已完成");
    expect(rig.stepsReport(runId)).toMatchObject({ end_reason: "cancelled", final_status: "failed" });
    for (const number of [1, 2] as const)
      expect(rowOf(rig.progress(), `00${number}`).after).toBe(statusOf(scene, number));
    expect((await rig.run(["resume", runId])).code).toBe(1);
  });

  test("R40 of a run that was interrupted works without a foreman", async () => {
    const scene = await atWork();
    const { rig, running, runId } = scene;
    process.kill(running.pid, "SIGKILL");
    await running.ended;
    await until(() => rig.survivors().length === 0);
    expect((await rig.run(["cancel", runId])).code).toBe(0);
    expect(rig.stepsReport(runId)).toMatchObject({ end_reason: "cancelled" });
    expect(rowOf(rig.progress(), "001")).toMatchObject({ after: DOING });
    expect(rig.progress()).not.toContain("尚未结束");
  });
});

describe("a budget", () => {
  test("R40 of time ends the turn under way: exit 4, resumable with more", async () => {
    const scene = await atWork(["--max-time", "3s"]);
    const { rig, running, runId, puppet } = scene;
    await puppet.gone;
    const ended = await running.ended;
    expect(ended.code).toBe(4);
    expect(ended.stdout).toContain(`agent-foreman resume ${runId}`);
    expect(rig.stepsReport(runId)).toMatchObject({
      end_reason: "budget_reached",
      resumable: true,
      exit_code: 4,
    });
    expect(rowOf(rig.progress(), "001").after).toBe(statusOf(scene, 1));
    expect((await rig.run(["resume", runId], { env: scene.strings.env })).code).toBe(4);
    const resumed = rig.start(["resume", runId, "--max-time", "0"], { env: scene.strings.env });
    const calls = ["worker step-001 2", "reviewer step-001 2", "worker step-002 1", "reviewer step-002 1"];
    await finish(scene, resumed, calls);
  });

  test.each([
    ["dollars", ["--max-cost-usd", "0.4"], ["--max-cost-usd", "9"]],
    ["tokens", ["--max-tokens", "2000"], ["--max-tokens", "0"]],
  ])(
    "R40 of %s is counted over work and verification: the next step is not begun",
    async (_, flags, more) => {
      const rig = stepsRig([]);
      rig.write("agent-foreman.yaml", "agents: [claude]\n");
      rig.step(1);
      rig.step(2);
      const env = rig.withAgents({ CLAUDE_DOES: "work review work review" });
      const { code, report, runId, progress } = await rig.steps(flags, { env });
      expect(code).toBe(4);
      expect(report).toMatchObject({
        end_reason: "budget_reached",
        spent: { cost_usd: 0.5, total_tokens: 2240 },
      });
      expect(rowOf(progress, "001")).toMatchObject({ after: DONE, result: "成功" });
      expect(rowOf(progress, "002")).toEqual({
        before: TODO,
        after: TODO,
        result: "未执行",
        remark: "尚未轮到",
      });
      const resumed = await rig.run(["resume", runId, ...more], { env });
      expect(resumed.code).toBe(0);
      expect(rowOf(rig.progress(), "002")).toMatchObject({ after: DONE, result: "成功" });
      expect(rig.stepsReport(runId).spent.cost_usd).toBe(1);
    },
  );
});
