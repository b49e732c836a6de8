import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { duration } from "../../src/text/time-text.ts";
import { until } from "../rig/rig.ts";
import { DOING, DONE, StepsRig, TODO } from "../rig/steps.ts";

const LOCAL = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \+\d\d:\d\d`;

/** R40: its statuses match the files. */
function expectTrueStatuses(rig: StepsRig): void {
  for (const [, file = "", , , after] of rig.rows())
    expect({ file, status: after }).toEqual({ file, status: rig.stepNow(file)["status"] });
}

test("R35 R36 R37 R38 R40 the progress file of a run that failed half way, to the letter", async () => {
  const rig = StepsRig.inWorkTree();
  rig.step(1, { status: DONE }, "setup");
  rig.step(2, { description: `${"d".repeat(80)}\nmore` }, "auth");
  rig.step(3);
  rig.step(4, { description: "a | b\n`c`", unit_test: { command: "echo no; exit 3" } }, "page");
  for (const number of [5, 6, 7]) rig.step(number);
  const { code, progress, runId, report } = await rig.steps([], { env: { TZ: "UTC" } });
  expect(code).toBe(1);
  const [title, , ...rest] = progress.split("\n");
  expect(title).toBe("# run 进度报告");
  const started = `- 开始时间: ${report.started_at.slice(0, 19).replace("T", " ")} +00:00`;
  expect(rest.slice(0, 9)).toEqual([
    `- 运行: ${runId}`,
    "- 步骤目录: steps",
    started,
    expect.stringMatching(new RegExp(`^- 结束时间: ${LOCAL}$`)),
    "- 总步骤数: 7",
    "- 成功: 2",
    "- 失败: 1",
    "- 未执行: 4（其中此前已完成：1）",
    "- 首个失败步骤: 004-page.json (step-004)",
  ]);
  const times = report.steps.map(({ attempts }) =>
    duration(attempts.reduce((sum, attempt) => sum + attempt.duration_ms, 0)),
  );
  expect(rest.slice(9)).toEqual([
    "",
    "| 序号 | 文件 | id | 执行前状态 | 执行后状态 | 描述 | 尝试次数 | 用时 | 结果 | 错误或说明 |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    `| 001 | 001-setup.json | step-001 | ${DONE} | ${DONE} | Do the work of step 1 | - | - | 未执行 | 此前已完成，跳过 |`,
    `| 002 | 002-auth.json | step-002 | ${TODO} | ${DONE} | ${"d".repeat(57)}... | 1 | ${times[1] ?? ""} | 成功 |  |`,
    `| 003 | 003-step.json | step-003 | ${TODO} | ${DONE} | Do the work of step 3 | 1 | ${times[2] ?? ""} | 成功 |  |`,
    `| 004 | 004-page.json | step-004 | ${TODO} | ${TODO} | a \\| b | 5 | ${times[3] ?? ""} | 失败 | 单元测试失败: echo no; exit 3 (退出码 3) |`,
    ...[5, 6, 7].map(
      (number) =>
        `| 00${number} | 00${number}-step.json | step-00${number} | ${TODO} | ${TODO} | Do the work of step ${number} | - | - | 未执行 | 尚未轮到 |`,
    ),
    "",
  ]);
  expectTrueStatuses(rig);
});

test("R35 R41 one file, overwritten by every run, without other inputs", async () => {
  const rig = StepsRig.inWorkTree();
  const name = rig.step(1);
  rig.write(join(rig.dir, "run-progress.md"), "# of another time\n\n| 009 | 009-x.json |\n");
  rig.write("ai/progress.log", "kept\n");
  const first = await rig.steps(["--quiet"]);
  expect(first.progress).toContain(first.runId);
  expect(first.progress).not.toContain("009");
  // A new run needs neither the old run's record nor the rest of the progress file.
  fs.rmSync(rig.state, { recursive: true });
  const second = await rig.steps(["--json"]);
  expect(second.progress).toContain(second.runId);
  expect(second.progress).not.toContain(first.runId);
  expect(rig.rows(second.progress)[0]?.slice(6)).toEqual(["未执行", "此前已完成，跳过"]);
  expect(fs.readdirSync(join(rig.project, rig.dir)).toSorted()).toEqual([name, "run-progress.md"]);
  expect(rig.read("ai/progress.log")).toBe("kept\n");
});

test("R39 rewritten after a failed unit test, a failed verification, a verified success and at the end", async () => {
  const rig = StepsRig.inWorkTree();
  rig.step(1, { unit_test: { command: "test -f fixed" } });
  rig.step(2);
  const keep = (name: string): Record<string, string> => ({ "steps/run-progress.md": `../${name}` });
  rig.script({
    "worker step-001 1": { copy: keep("beginning") },
    "worker step-001 2": { write: { fixed: "" }, copy: keep("after-unit-test") },
    "reviewer step-001 2": { fail: [1], evidence: "not good" },
    "worker step-001 3": { copy: keep("after-verification") },
    "worker step-002 1": { copy: keep("after-success") },
  });
  const { code, progress } = await rig.steps();
  expect(code).toBe(0);
  const at = (name: string): { text: string; rows: string[][] } => {
    const text = fs.readFileSync(join(rig.root, name), "utf8");
    return { text, rows: rig.rows(text).map((row) => row.slice(4).toSpliced(1, 1)) };
  };
  const countsAt = (name: string): string[] =>
    at(name)
      .text.split("\n")
      .filter((line) => /^- (成功|失败|进行中|未执行|首个失败步骤): /.test(line));
  expect(countsAt("beginning")).toEqual(["- 成功: 0", "- 失败: 0", "- 进行中: 1", "- 未执行: 1"]);
  expect(countsAt("after-unit-test")).toEqual(["- 成功: 0", "- 失败: 0", "- 进行中: 1", "- 未执行: 1"]);
  expect(countsAt("after-success")).toEqual(["- 成功: 1", "- 失败: 0", "- 进行中: 1", "- 未执行: 0"]);
  expect(progress).not.toContain("- 进行中: ");
  expect(at("beginning")).toMatchObject({
    text: expect.stringContaining("- 结束时间: 进行中；"),
    rows: [
      [DOING, "未执行", "进行中"],
      [TODO, "未执行", "尚未轮到"],
    ],
  });
  expect(at("after-unit-test").rows[0]).toEqual([
    DOING,
    "失败",
    "单元测试失败: test -f fixed (退出码 1); 进行中",
  ]);
  expect(at("after-verification").rows[0]).toEqual([
    DOING,
    "失败",
    "1 个条目中 1 个未通过: 1. it does what step 1 says - not good; 进行中",
  ]);
  expect(at("after-success").rows).toEqual([
    [DONE, "成功", ""],
    [DOING, "未执行", "进行中"],
  ]);
  expect(progress).toMatch(new RegExp(`- 结束时间: ${LOCAL}\n`));
  expect(rig.rows(progress).map((row) => [row[4], row[6]])).toEqual([
    [DONE, "成功"],
    [DONE, "成功"],
  ]);
});

test("R39 rewritten when a step file cannot be used", async () => {
  const rig = StepsRig.inWorkTree();
  rig.step(1);
  rig.write(join(rig.dir, "002-bad.json"), "{");
  rig.step(3, { status: DONE });
  const { code, progress } = await rig.steps();
  expect(code).toBe(2);
  expect(progress).toMatch(/- 总步骤数: 3\n- 成功: 0\n- 失败: 1\n- 未执行: 2\n- 首个失败步骤: 002-bad\.json/);
  expect(rig.rows(progress)).toEqual([
    ["001", "001-step.json", "step-001", TODO, TODO, "Do the work of step 1", "未执行", ""],
    ["002", "002-bad.json", "-", "-", "-", "", "失败", "不是 JSON：002-bad.json:1:2（内容不完整）"],
    ["003", "003-step.json", "step-003", DONE, DONE, "Do the work of step 3", "未执行", expect.any(String)],
  ]);
});

test("R39 R40 rewritten when a step file cannot be written", async () => {
  const rig = StepsRig.inWorkTree();
  const name = rig.step(1);
  rig.step(2);
  // Between two looks. Before the run it would be bad input.
  rig.script({ "worker step-001": { chmod: { [`steps/${name}`]: 0o444 }, unitTest: { command: "true" } } });
  const { code, progress, report } = await rig.steps();
  expect(code).toBe(6);
  expect(rig.called()).toEqual(["worker step-001 1"]);
  expect(rig.rows(progress).map((row) => row.slice(4).toSpliced(1, 1))).toEqual([
    [DOING, "失败", expect.stringMatching(/^步骤文件无法写入：/)],
    [TODO, "未执行", "尚未轮到"],
  ]);
  expect(report).toMatchObject({
    final_status: "failed",
    end_reason: "step_write_failed",
    first_failure: "001",
  });
  expectTrueStatuses(rig);
});

test("R40 a killed foreman leaves the step under way counted as that, also in a later round", async () => {
  const rig = StepsRig.inWorkTree();
  rig.step(1, { unit_test: { command: "false" } });
  rig.step(2);
  rig.script({ "worker step-001 2": { run: "touch ../there; exec sleep 3600" } });
  const running = rig.start(["run", rig.dir, "--lang", "en"]);
  await until(() => fs.existsSync(join(rig.root, "there")));
  process.kill(running.pid, "SIGKILL");
  await running.ended;
  await until(() => rig.survivors().length === 0);
  const counts = "- Steps: 2\n- Succeeded: 0\n- Failed: 0\n- Under way: 1\n- Not run: 1\n\n";
  expect(rig.progress()).toContain(counts);
  const [runId = ""] = rig.runIds();
  expect((await rig.run(["show", runId])).stdout).toContain(
    "2 in all: 0 succeeded, 0 failed, 0 done before, 1 under way, 1 not run\n",
  );
  expect((await rig.run(["cancel", runId])).code).toBe(0);
  expect(rig.progress()).toContain("- Failed: 1\n- Not run: 1\n- First failure: 001-step.json");
  expect(rig.stepsReport(runId).steps[0]).toMatchObject({ result: "failed", note: null });
});

test("R40 is correct if no agent could work, with what to do next", async () => {
  const rig = StepsRig.inWorkTree();
  rig.write("agent-foreman.yaml", "agents: [claude]\n");
  rig.step(1);
  rig.step(2);
  const { code, progress, runId } = await rig.steps([], { env: rig.withAgents({ CLAUDE_DOES: "auth" }) });
  expect(code).toBe(5);
  expect(progress).toContain(`- 结束时间: 尚未结束；下一步：\`agent-foreman resume ${runId}\`\n`);
  expect(rig.rows(progress).map((row) => [row[4], row[6]])).toEqual([
    [DOING, "未执行"],
    [TODO, "未执行"],
  ]);
  expectTrueStatuses(rig);
});

test("R40 is correct after a signal, and after the run continued to its end", async () => {
  const rig = StepsRig.inWorkTree();
  rig.step(1);
  rig.step(2);
  rig.script({ "worker step-002": { run: "until [ -e ../go ]; do sleep 0.02; done" } });
  const running = rig.start(["run", rig.dir, "--lang", "zh"]);
  await until(() => rig.called().includes("worker step-002 1"));
  process.kill(running.pid, "SIGINT");
  await until(() => running.output().stderr.includes("SIGINT"));
  fs.writeFileSync(join(rig.root, "go"), "");
  expect((await running.ended).code).toBe(130);
  const [runId = ""] = rig.runIds();
  expect(rig.progress()).toContain(`- 结束时间: 尚未结束；下一步：\`agent-foreman resume ${runId}\`\n`);
  expect(rig.rows().map((row) => [row[4], row[6]])).toEqual([
    [DONE, "成功"],
    [DOING, "未执行"],
  ]);
  expectTrueStatuses(rig);
  expect((await rig.run(["resume", runId])).code).toBe(0);
  expect(rig.progress()).toMatch(new RegExp(`- 结束时间: ${LOCAL}\n`));
  expect(rig.rows().map((row) => [row[4], row[6]])).toEqual([
    [DONE, "成功"],
    [DONE, "成功"],
  ]);
  expectTrueStatuses(rig);
});

test("R37 R38 shows local time, attempts and time of each step; a step that was redone says so", async () => {
  const rig = new StepsRig();
  rig.step(1, { status: DONE, unit_test: { command: "test -f fixed" } });
  rig.step(2, { status: DONE });
  rig.step(3);
  rig.script({ "worker step-001 2": { write: { fixed: "" } }, "worker step-003": { write: { third: "" } } });
  const { code, progress, report } = await rig.steps(["--full-verify"], { env: { TZ: "Asia/Kolkata" } });
  expect(code).toBe(0);
  const local = new Date(Date.parse(report.started_at) + 5.5 * 3_600_000).toISOString();
  expect(progress).toContain(`- 开始时间: ${local.slice(0, 19).replace("T", " ")} +05:30\n`);
  const times = report.steps.map(({ attempts }) =>
    duration(attempts.reduce((sum, attempt) => sum + attempt.duration_ms, 0)),
  );
  expect(rig.efforts(progress)).toEqual([
    ["2", times[0]],
    ["0", times[1]],
    ["1", times[2]],
  ]);
  expect(rig.rows(progress).map((row) => row.slice(6))).toEqual([
    ["成功", "回归验证未通过后重新完成"],
    ["成功", ""],
    ["成功", ""],
  ]);
  expect(report.steps.map(({ redone }) => redone)).toEqual([true, false, false]);
  const table = progress.split("\n").find((line) => line.startsWith("| 序号"));
  expect(table).toContain("| 描述 | 尝试次数 | 用时 | 结果 | 错误或说明 |");
});

test("R36 under --full-verify steps that were not reached do not appear as skipped", async () => {
  const rig = new StepsRig();
  rig.step(1, { unit_test: { command: "exit 1" } });
  rig.step(2, { status: DONE });
  rig.step(3);
  const { code, progress, stdout, report } = await rig.steps(["--full-verify", "--lang", "en"]);
  expect(code).toBe(1);
  expect(rig.rows(progress).map((row) => row.slice(6))).toEqual([
    ["failed", expect.stringContaining("unit test failed")],
    ["not run", "not reached"],
    ["not run", "not reached"],
  ]);
  expect(stdout).toContain("3 in all: 0 succeeded, 1 failed, 0 done before, 2 not run\n");
  expect(report.steps.map(({ note }) => note)).toEqual([null, "not_reached", "not_reached"]);
});
