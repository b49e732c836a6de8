import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DOING, DONE, StepsRig, TODO } from "../rig/steps.ts";

/** Passes once the work of a later round exists. */
const NEEDS_FIX = "test -f fixed || { seq 1 400; echo boom at the end; exit 3; }";

test("R13 R14 every call is a separate process with the prompt of one step", async () => {
  const rig = new StepsRig();
  rig.step(1);
  rig.step(2);
  rig.script({ "reviewer step-001 1": { fail: [1] } });
  expect((await rig.steps()).code).toBe(0);
  const calls = rig.calls();
  expect(rig.called()).toEqual([
    "worker step-001 1",
    "reviewer step-001 1",
    "worker step-001 2",
    "reviewer step-001 2",
    "worker step-002 1",
    "reviewer step-002 1",
  ]);
  expect(new Set(calls.map(({ pid, started }) => `${pid} ${started}`)).size).toBe(calls.length);
  for (const { id, prompt } of calls) {
    const other = id === "step-001" ? "step 2" : "step 1";
    expect(prompt).toContain(id === "step-001" ? "Do the work of step 1" : "Do the work of step 2");
    expect(prompt).not.toContain(`Do the work of ${other}`);
  }
});

test("R13 R14 no call continues the conversation of another", async () => {
  const rig = new StepsRig();
  rig.write("agent-foreman.yaml", "agents: [claude]\n");
  rig.step(1);
  rig.step(2);
  const env = rig.withAgents({ CLAUDE_DOES: "work review work review" });
  expect((await rig.steps([], { env })).code).toBe(0);
  for (const turn of [1, 2, 3, 4])
    expect(fs.readFileSync(join(rig.home, `claude-args-${turn}`), "utf8")).not.toMatch(/--resume|--continue/);
  expect(fs.existsSync(join(rig.home, "claude-args-5"))).toBe(false);
});

test("R15 R26 R27 a step gets five rounds; the fifth failure stops the run and is reported with file, id and reason", async () => {
  const rig = new StepsRig();
  rig.step(1);
  const name = rig.step(2, { unit_test: { command: "echo never; exit 9" } });
  rig.step(3);
  const { code, stdout, progress, report } = await rig.steps();
  expect(code).toBe(1);
  const rounds = rig.called().filter((call) => call.startsWith("worker step-002"));
  expect(rounds).toEqual([1, 2, 3, 4, 5].map((round) => `worker step-002 ${round}`));
  expect(rig.called().some((call) => call.includes("step-003"))).toBe(false);
  expect(rig.stepNow(name)["status"]).toBe(TODO);
  expect(stdout).toMatch(
    /失败 +002-step\.json step-002[:：] ?单元测试失败: echo never; exit 9 \(退出码 9\)\n/,
  );
  expect(rig.rows(progress).map((row) => [row[0], row[4], row[6]])).toEqual([
    ["001", DONE, "成功"],
    ["002", TODO, "失败"],
    ["003", TODO, "未执行"],
  ]);
  expect(report).toMatchObject({
    final_status: "failed",
    exit_code: 1,
    end_reason: "limit_reached",
    first_failure: "002",
    totals: { total: 3, passed: 1, failed: 1, not_run: 1, already_done: 0 },
  });
});

test("R15 a step that passes is not worked on again", async () => {
  const rig = new StepsRig();
  rig.step(1, { unit_test: { command: NEEDS_FIX } });
  rig.script({ "worker step-001 3": { write: { fixed: "yes" } } });
  const { code, report } = await rig.steps();
  expect(code).toBe(0);
  expect(rig.called()).toEqual([
    "worker step-001 1",
    "worker step-001 2",
    "worker step-001 3",
    "reviewer step-001 3",
  ]);
  expect(report.steps[0]?.attempts.map(({ decision }) => decision)).toEqual([
    "rejected",
    "rejected",
    "accepted",
  ]);
});

test("R16 R17 R18 R20 R21 R22 R25 a round: 🟡 on disk, the prompts, the unit test where it belongs, its failure, 🟢", async () => {
  const rig = new StepsRig();
  const verification = [
    { type: "unit", description: "adds numbers" },
    { type: "manual", description: "reads well" },
  ];
  const name = rig.step(1, { description: "Build the adder", verification });
  const unitTest = { command: `pwd >../where; ${NEEDS_FIX}`, files: ["adder.test.ts"], notes: "the sum" };
  const seen = (file: string): Record<string, unknown> =>
    JSON.parse(fs.readFileSync(join(rig.root, file), "utf8")) as Record<string, unknown>;
  const file = join(rig.dir, name);
  rig.script({
    "worker step-001 1": { unitTest, copy: { [file]: "../at-1.json" } },
    "worker step-001 2": { write: { fixed: "" }, copy: { [file]: "../at-2.json" } },
    "reviewer step-001 2": { copy: { [file]: "../at-review.json" } },
  });
  const { code, stdout } = await rig.steps();
  expect(code).toBe(0);

  // R16
  expect([seen("at-1.json")["status"], seen("at-2.json")["status"]]).toEqual([DOING, DOING]);
  expect(stdout).toContain(`状态更新: ${TODO} → ${DOING}\n🔁 [1/1] 第 1/5 次尝试执行该步骤（首次尝试）...\n`);
  expect(stdout).toContain("🔁 [1/1] 第 2/5 次尝试执行该步骤（基于上一轮失败原因进行修复）...\n");

  const [first, second] = rig.calls();
  // R18
  for (const part of [
    "Build the adder",
    "1. [unit] adds numbers",
    "2. [manual] reads well",
    '{"unit_test":{"command":',
  ])
    expect(first?.prompt).toContain(part);
  // R17, R22
  expect(first?.prompt).not.toContain("上一轮尝试失败原因摘要");
  expect(second?.prompt).toContain("# 上一轮尝试失败原因摘要");
  expect(second?.prompt).toContain("单元测试失败");
  expect(second?.prompt).toContain("| boom at the end");
  expect(second?.prompt).not.toContain("| 200\n");

  // R20
  expect(seen("at-1.json")).not.toHaveProperty("unit_test");
  expect(rig.stepNow(name)["unit_test"]).toEqual(unitTest);
  // R21
  expect(fs.readFileSync(join(rig.root, "where"), "utf8").trim()).toBe(rig.project);
  // R22
  expect(stdout).toContain(`状态更新: ${DOING} → ${TODO}`);
  expect(stdout).toContain("✗ 单元测试失败\n");
  expect(stdout).toContain("| boom at the end\n");
  expect(stdout).not.toContain("| 200\n");
  // R25: not before all evidence is complete.
  expect(seen("at-review.json")["status"]).toBe(DOING);
  expect(rig.stepNow(name)["status"]).toBe(DONE);
  expect(stdout).toMatch(
    /✓ 单元测试通过\n正在调用命令行 AI 按 verification 进行验证\.\.\.\n✓ verification 验证通过\n.*\n✓ 第 2 次尝试后步骤已通过所有测试与验证\n状态更新: 🟡 进行中 → 🟢 已完成\n/,
  );
});

test("R19 an implementation that fails: 🔴, aiError, written back, progress, and the next round knows", async () => {
  const rig = new StepsRig();
  const name = rig.step(1);
  rig.script({
    worker: { exit: 4 },
    "worker step-001 2": { exit: 4, copy: { "steps/run-progress.md": "../at-2.md" } },
  });
  const { code, stdout, progress, report } = await rig.steps();
  expect(code).toBe(1);
  expect(rig.called()).toEqual([1, 2, 3, 4, 5].map((round) => `worker step-001 ${round}`));
  expect(rig.stepNow(name)["status"]).toBe(TODO);
  expect(stdout).toContain("本轮失败摘要：AI 实现失败：");
  expect(rig.calls()[1]?.prompt).toMatch(/- AI 错误: AI 实现失败：.*exit 4/);
  const early = fs.readFileSync(join(rig.root, "at-2.md"), "utf8");
  for (const text of [early, progress]) expect(rig.rows(text)[0]?.[7]).toMatch(/^AI 实现失败：.*exit 4/);
  expect(report.steps[0]?.attempts[0]).toMatchObject({
    reasons: ["agent_exit_nonzero", "agent_crashed"],
    verification: null,
  });
});

test("R21 with --cwd the unit test runs there, wherever the steps are", async () => {
  const rig = new StepsRig();
  rig.step(1, { unit_test: { command: "pwd >../where" } });
  fs.renameSync(join(rig.project, rig.dir), join(rig.root, "elsewhere"));
  const { code } = await rig.run(["run", "elsewhere", "--cwd", "project"], { cwd: rig.root });
  expect(code).toBe(0);
  expect(fs.readFileSync(join(rig.root, "where"), "utf8").trim()).toBe(rig.project);
  expect(fs.readdirSync(join(rig.root, "elsewhere")).toSorted()).toEqual([
    "001-step.json",
    "run-progress.md",
  ]);
});

test("R23 R24 verification is a separate process with a prompt that only verifies; its failure fails the round", async () => {
  const rig = new StepsRig();
  const name = rig.step(1, { verification: [{ type: "ui", description: "shows the sum" }] });
  const copy = { [join(rig.dir, name)]: "../at-2.json" };
  rig.script({
    worker: { say: "I did all of it, believe me." },
    "worker step-001 2": { copy: { ...copy, "steps/run-progress.md": "../at-2.md" } },
    "reviewer step-001 1": { fail: [1], evidence: "the sum is not shown" },
  });
  const { code, stdout, report } = await rig.steps();
  expect(code).toBe(0);
  const [worker, reviewer, repair] = rig.calls();
  expect(reviewer).toMatchObject({ role: "reviewer", round: 1 });
  expect(reviewer?.started).not.toBe(worker?.started);
  expect(reviewer?.prompt).toContain("只验证，不改代码");
  expect(reviewer?.prompt).toContain("1. [ui] shows the sum");
  expect(reviewer?.prompt).not.toContain("believe me");
  expect(reviewer?.prompt).not.toContain("unit_test");
  const error = "1 个条目中 1 个未通过: 1. shows the sum - the sum is not shown";
  expect(stdout).toContain(`✗ verification 验证未通过：${error}\n`);
  expect(stdout).toContain(`状态更新: ${DOING} → ${TODO}\n状态更新: ${TODO} → ${DOING}\n`);
  expect(repair?.prompt).toContain(`- verification 错误: ${error} (verification_failed)\n`);
  const row = rig.rows(fs.readFileSync(join(rig.root, "at-2.md"), "utf8"))[0];
  expect([row?.[4], row?.[6], row?.[7]]).toEqual([DOING, "失败", `${error}; 进行中`]);
  expect(report.steps[0]?.attempts[0]?.verification?.items).toEqual([
    { item: 1, passed: false, evidence: "the sum is not shown" },
  ]);
  expect(rig.stepNow(name)["status"]).toBe(DONE);
});

test("R24 five failed verifications end the run as failed", async () => {
  const rig = new StepsRig();
  const name = rig.step(1);
  rig.script({ reviewer: { fail: [1] } });
  const { code, progress } = await rig.steps();
  expect(code).toBe(1);
  expect(rig.called()).toHaveLength(10);
  expect(rig.stepNow(name)["status"]).toBe(TODO);
  expect(rig.rows(progress)[0]?.slice(3, 7)).toEqual([TODO, TODO, "Do the work of step 1", "失败"]);
});

test("R38 M22 summary and run-progress.md name the test that failed", async () => {
  const rig = new StepsRig();
  rig.write(
    "test/refund.test.js",
    'require("node:test").test("rejects a negative amount", () => { throw 1; });\n',
  );
  rig.step(1, { unit_test: { command: "node --test" } });
  rig.script({ worker: { write: { "work.txt": "done" } } });
  const { stdout, progress } = await rig.steps(["--lang", "en", "--on-stuck", "stop"]);
  const name = "test/refund.test.js: rejects a negative amount";
  expect(stdout).toMatch(
    new RegExp(`failed +001-step.json step-001: unit test failed: node --test .*: ${name}`),
  );
  expect(progress).toContain(name);
});
