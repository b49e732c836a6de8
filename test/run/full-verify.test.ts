import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DOING, DONE, StepsRig, TODO } from "../rig/steps.ts";

const REGRESSION = "当前步骤已标记为已完成，将仅重新运行测试进行回归验证...";
/** Leaves a trace of every run. */
const traced = (command: string): { readonly command: string } => ({
  command: `echo x >>../tests; ${command}`,
});
const NEEDS_FIX = traced("test -f fixed || { echo broken; exit 3; }");

function testsRun(rig: StepsRig): number {
  const path = join(rig.root, "tests");
  return fs.existsSync(path) ? fs.readFileSync(path, "utf8").split("\n").length - 1 : 0;
}

test("R28 by default neither implements nor tests nor verifies a 🟢 step", async () => {
  const rig = new StepsRig();
  const name = rig.step(1, { status: DONE, unit_test: traced("exit 1") });
  rig.step(2);
  const before = rig.read(join(rig.dir, name));
  const { code, stdout, progress, report } = await rig.steps();
  expect(code).toBe(0);
  expect(rig.called()).toEqual(["worker step-002 1", "reviewer step-002 1"]);
  expect(testsRun(rig)).toBe(0);
  expect(stdout).toContain("总步骤数 2：成功 1，失败 0，此前已完成 1，未执行 0\n");
  expect(stdout).not.toContain(REGRESSION);
  expect(rig.read(join(rig.dir, name))).toBe(before);
  expect(rig.rows(progress)[0]?.slice(3)).toEqual([
    DONE,
    DONE,
    "Do the work of step 1",
    "未执行",
    "此前已完成，跳过",
  ]);
  expect(progress).toContain("- 未执行: 1（其中此前已完成：1）");
  expect(report).toMatchObject({
    full_verify: false,
    totals: { total: 2, passed: 1, failed: 0, not_run: 1, already_done: 1 },
  });
});

test("R29 R31 --full-verify runs unit test, then verification, of a 🟢 step, which stays 🟢 when both pass", async () => {
  const rig = new StepsRig();
  const name = rig.step(1, { status: DONE, unit_test: traced("true") });
  rig.step(2, { status: DONE });
  const before = rig.read(join(rig.dir, name));
  rig.script({
    "reviewer step-001": { copy: { "../tests": "../tests-at-review", [join(rig.dir, name)]: "../seen" } },
  });
  const { code, stdout, progress, report } = await rig.steps(["--full-verify"]);
  expect(code).toBe(0);
  // There are no workers.
  expect(rig.calls().map(({ role, id }) => `${role} ${id}`)).toEqual([
    "reviewer step-001",
    "reviewer step-002",
  ]);
  expect(testsRun(rig)).toBe(1);
  expect(fs.existsSync(join(rig.root, "tests-at-review"))).toBe(true);
  expect(stdout.split(REGRESSION)).toHaveLength(3);
  expect(stdout).not.toContain("状态更新");
  expect(fs.readFileSync(join(rig.root, "seen"), "utf8")).toBe(before);
  expect(rig.read(join(rig.dir, name))).toBe(before);
  expect(rig.rows(progress).map((row) => [row[3], row[4], row[6], row[7]])).toEqual([
    [DONE, DONE, "成功", ""],
    [DONE, DONE, "成功", ""],
  ]);
  expect(report).toMatchObject({ full_verify: true, totals: { passed: 2, already_done: 0 } });
});

test("R30 a unit test that fails re-opens the step: progress, notice, rounds, tested and verified again", async () => {
  const rig = new StepsRig();
  const name = rig.step(1, { status: DONE, unit_test: NEEDS_FIX });
  rig.step(2);
  rig.script({
    "worker step-001 1": {
      copy: { "steps/run-progress.md": "../at-1.md", [join(rig.dir, name)]: "../at-1.json" },
    },
    "worker step-001 2": { write: { fixed: "" } },
  });
  const { code, stdout, progress, report } = await rig.steps(["--full-verify"]);
  expect(code).toBe(0);
  expect(rig.called()).toEqual([
    "worker step-001 1",
    "worker step-001 2",
    "reviewer step-001 2",
    "worker step-002 1",
    "reviewer step-002 1",
  ]);
  expect(testsRun(rig)).toBe(3);
  expect(stdout).toContain(`${REGRESSION}\n`);
  expect(stdout).toContain("✗ 单元测试失败\n");
  expect(stdout).toContain("回归验证未通过，将重新打开该步骤\n");
  expect(stdout.indexOf("将重新打开该步骤")).toBeLessThan(stdout.indexOf("第 1/5 次尝试"));
  expect(rig.calls()[0]?.prompt).toContain("# 上一轮尝试失败原因摘要");
  expect(rig.calls()[0]?.prompt).toContain("| broken");
  expect(JSON.parse(fs.readFileSync(join(rig.root, "at-1.json"), "utf8"))).toMatchObject({ status: DOING });
  const early = rig.rows(fs.readFileSync(join(rig.root, "at-1.md"), "utf8"))[0];
  expect([early?.[3], early?.[6], early?.[7]]).toEqual([
    DONE,
    "失败",
    expect.stringContaining("单元测试失败"),
  ]);
  expect(rig.rows(progress)[0]?.slice(3)).toEqual([
    DONE,
    DONE,
    "Do the work of step 1",
    "成功",
    "回归验证未通过后重新完成",
  ]);
  expect(rig.stepNow(name)["status"]).toBe(DONE);
  expect(report.steps[0]?.attempts.map(({ index, decision }) => [index, decision])).toEqual([
    [0, "rejected"],
    [1, "rejected"],
    [2, "accepted"],
  ]);
});

test("R30 a verification that fails re-opens the step; five rounds that fail leave it 🔴 and stop the run", async () => {
  const rig = new StepsRig();
  const name = rig.step(1, { status: DONE });
  rig.step(2);
  rig.script({ "reviewer step-001": { fail: [1], evidence: "it is gone" } });
  const { code, stdout, progress } = await rig.steps(["--full-verify"]);
  expect(code).toBe(1);
  expect(rig.called().filter((call) => call.startsWith("worker"))).toEqual(
    [1, 2, 3, 4, 5].map((round) => `worker step-001 ${round}`),
  );
  expect(rig.called().filter((call) => call.startsWith("reviewer"))).toHaveLength(6);
  expect(rig.calls()[1]?.prompt).toContain("it is gone");
  expect(stdout).toContain("将重新打开该步骤");
  expect(rig.stepNow(name)["status"]).toBe(TODO);
  expect(rig.rows(progress).map((row) => [row[3], row[4], row[6]])).toEqual([
    [DONE, TODO, "失败"],
    [TODO, TODO, "未执行"],
  ]);
});

test("R30 --no-reverify: accepts repeated work by its own success", async () => {
  const rig = new StepsRig();
  const name = rig.step(1, { status: DONE, unit_test: NEEDS_FIX });
  rig.step(2);
  rig.script({ "worker step-001 1": { exit: 1 } });
  const { code, stdout, report } = await rig.steps(["--full-verify", "--no-reverify"]);
  expect(code).toBe(0);
  // The first round failed by itself. The step that was not done is tested and verified as usual.
  expect(rig.called()).toEqual([
    "worker step-001 1",
    "worker step-001 2",
    "worker step-002 1",
    "reviewer step-002 1",
  ]);
  expect(testsRun(rig)).toBe(1);
  expect(rig.stepNow(name)["status"]).toBe(DONE);
  expect(stdout).toContain("(--no-reverify)");
  expect(stdout).not.toContain("第 2 次尝试后步骤已通过所有测试与验证");
  expect(report).toMatchObject({ reverify: false, final_status: "passed" });
});

test("R30 --no-reverify has no meaning without --full-verify and is refused", async () => {
  const rig = new StepsRig();
  rig.step(1);
  const ended = await rig.steps(["--no-reverify"]);
  expect(ended).toMatchObject({
    code: 2,
    runId: "",
    stderr: expect.stringContaining("--no-reverify 需要与 --full-verify"),
  });
});
