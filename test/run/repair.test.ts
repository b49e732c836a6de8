import { describe, expect, test } from "vitest";
import { DOING, DONE, TODO, type StepsEnded, type StepsRig } from "../rig/steps.ts";
import { between, linesOf, rowOf, stepsRig } from "./scene.ts";

const UNIT_TEST = 'seq -f "line %g" 300; echo FAILED at two >&2; test $(wc -l <step-001.txt) -ge 2';
const ITEMS = [
  { type: "unit", description: "it adds" },
  { type: "manual", description: "it subtracts" },
];

interface Repaired {
  readonly ended: StepsEnded;
  readonly called: readonly string[];
  /** The workers' prompts. */
  readonly prompts: readonly string[];
  readonly file: Readonly<Record<string, unknown>>;
}

let once: Promise<Repaired> | undefined;
const repaired = (): Promise<Repaired> => (once ??= repair());

/** Fails by its test, its verification, then its agent; passes in the fourth round. */
async function repair(): Promise<Repaired> {
  const rig = stepsRig();
  rig.step(1, { verification: ITEMS, owner: "mia" });
  rig.step(2);
  rig.script({
    "worker step-001 1": { unitTest: { command: UNIT_TEST, files: ["a.test.ts"], notes: "the sums" } },
    "reviewer step-001 2": { fail: [2], evidence: "src/sum.ts:7 adds" },
    "worker step-001 3": { exit: 3, say: "cannot find the compiler" },
  });
  const ended = await rig.steps();
  const prompts = rig
    .calls()
    .filter(({ role, id }) => role === "worker" && id === "step-001")
    .map(({ prompt }) => prompt);
  return { ended, prompts, called: rig.called(), file: rig.stepNow("001-step.json") };
}

describe("a step that is fixed", () => {
  test("M5 M6 M7 M9 M10 M13 M14 M18 M20 M23 prints its lines to the letter and in order", async () => {
    const { called, ended } = await repaired();
    expect(ended.code).toBe(0);
    const lines = between(linesOf(ended), "[1/2] 001-step.json", "[2/2] 002-step.json");
    const unitFailed = between(lines, "✗ 单元测试失败", "本轮失败摘要");
    // Only the end of the output, which has the errors.
    expect(unitFailed.join("\n")).toContain("line 300");
    expect(unitFailed.join("\n")).toContain("FAILED at two");
    expect(unitFailed.join("\n")).not.toContain("line 200\n");
    expect(lines.filter((line) => !unitFailed.slice(1).includes(line))).toEqual([
      `[1/2] 001-step.json step-001  ${TODO}  Do the work of step 1`,
      `状态更新: ${TODO} → ${DOING}`,
      "🔁 [1/2] 第 1/5 次尝试执行该步骤（首次尝试）...",
      `单元测试信息已记录到步骤 JSON（命令：${UNIT_TEST}）`,
      `🧪 执行单元测试: ${UNIT_TEST}`,
      "✗ 单元测试失败",
      `本轮失败摘要：单元测试失败: ${UNIT_TEST} (退出码 1)`,
      `状态更新: ${DOING} → ${TODO}`,
      `状态更新: ${TODO} → ${DOING}`,
      "🔁 [1/2] 第 2/5 次尝试执行该步骤（基于上一轮失败原因进行修复）...",
      `🧪 执行单元测试: ${UNIT_TEST}`,
      "✓ 单元测试通过",
      "正在调用命令行 AI 按 verification 进行验证...",
      "✗ verification 验证未通过：2 个条目中 1 个未通过: 2. it subtracts - src/sum.ts:7 adds",
      "本轮失败摘要：2 个条目中 1 个未通过: 2. it subtracts - src/sum.ts:7 adds",
      `状态更新: ${DOING} → ${TODO}`,
      `状态更新: ${TODO} → ${DOING}`,
      "🔁 [1/2] 第 3/5 次尝试执行该步骤（基于上一轮失败原因进行修复）...",
      expect.stringContaining("✗ agent 执行失败："),
      "  | exit 3",
      expect.stringContaining("本轮失败摘要：AI 实现失败："),
      `状态更新: ${DOING} → ${TODO}`,
      `状态更新: ${TODO} → ${DOING}`,
      "🔁 [1/2] 第 4/5 次尝试执行该步骤（基于上一轮失败原因进行修复）...",
      `🧪 执行单元测试: ${UNIT_TEST}`,
      "✓ 单元测试通过",
      "正在调用命令行 AI 按 verification 进行验证...",
      "✓ verification 验证通过",
      "  2/2 项，由 stepper 验证",
      "✓ 第 4 次尝试后步骤已通过所有测试与验证",
      `状态更新: ${DOING} → ${DONE}`,
    ]);
    expect(called.slice(0, 6)).toEqual([
      "worker step-001 1",
      "worker step-001 2",
      "reviewer step-001 2",
      "worker step-001 3",
      "worker step-001 4",
      "reviewer step-001 4",
    ]);
  });

  test("M3 the prompt demands a trailing bare JSON object, and says that it may be left out", async () => {
    const { prompts } = await repaired();
    expect(prompts[0]).toContain('{"unit_test":{"command":"<command>"');
    for (const demand of ["不使用 Markdown 代码块", "英文双引号", "结尾", "请省略整个 JSON", "裸 JSON"])
      expect(prompts[0]).toContain(demand);
    expect(prompts[0]).toContain("1. [unit] it adds\n2. [manual] it subtracts");
    expect(prompts[0]).not.toContain("上一轮尝试失败原因摘要");
  });

  test("M16 M17 M18 the next prompt says how the last round failed, from which status to which", async () => {
    const { prompts } = await repaired();
    const [, afterTest = "", afterReview = "", afterAgent = ""] = prompts;
    for (const prompt of [afterTest, afterReview, afterAgent]) {
      expect(prompt).toContain("# 上一轮尝试失败原因摘要");
      expect(prompt).toContain(`状态：${TODO} → ${TODO}`);
    }
    expect(afterTest).toContain("尝试：第 1/5 次");
    expect(afterTest).toContain(`单元测试命令: ${UNIT_TEST}`);
    expect(afterTest).toContain("line 300");
    expect(afterTest).toContain("FAILED at two");
    expect(afterReview).toContain("尝试：第 2/5 次");
    expect(afterReview).toContain(
      "verification 错误: 2 个条目中 1 个未通过: 2. it subtracts - src/sum.ts:7 adds",
    );
    expect(afterReview).not.toContain("line 300\n");
    expect(afterAgent).toContain("尝试：第 3/5 次");
    expect(afterAgent).toContain("AI 错误: AI 实现失败：");
    expect(afterAgent).toContain("cannot find the compiler");
  });

  test("M2 M4 M21 leaves 🟢, 成功 and no error, the test in its file, and its other content", async () => {
    const { file, ended } = await repaired();
    expect(rowOf(ended.progress, "001")).toEqual({ before: TODO, after: DONE, result: "成功", remark: "" });
    expect(file).toEqual({
      id: "step-001",
      description: "Do the work of step 1",
      status: DONE,
      verification: ITEMS,
      owner: "mia",
      unit_test: { command: UNIT_TEST, files: ["a.test.ts"], notes: "the sums" },
    });
    expect(ended.report.steps[0]).toMatchObject({ result: "passed", error: null, note: null });
    expect(ended.report.steps[0]?.attempts.map(({ reasons }) => reasons)).toEqual([
      ["unit_test_failed"],
      ["verification_failed"],
      ["agent_exit_nonzero", "agent_crashed"],
      [],
    ]);
  });
});

describe("a step that is not fixed", () => {
  async function failed(script: Parameters<StepsRig["script"]>[0], unitTest?: string): Promise<Failed> {
    const rig = stepsRig();
    rig.step(1, unitTest === undefined ? {} : { unit_test: { command: unitTest } });
    rig.step(2);
    rig.script(script);
    return { rig, ...(await rig.steps()) };
  }
  type Failed = StepsEnded & { readonly rig: StepsRig };

  test("M1 M22 has five attempts; then 🔴, 失败, the last summary, and the rest does not run", async () => {
    const { rig, code, progress, report, stdout } = await failed({
      "reviewer step-001": { fail: [1], evidence: "still wrong" },
      "reviewer step-001 5": { fail: [1], evidence: "wrong for the last time" },
    });
    expect(code).toBe(1);
    expect(report).toMatchObject({
      max_attempts: 5,
      first_failure: "001",
      end_reason: "limit_reached",
      final_status: "failed",
    });
    expect(rig.called()).toEqual(
      [1, 2, 3, 4, 5].flatMap((round) => [`worker step-001 ${round}`, `reviewer step-001 ${round}`]),
    );
    expect(rowOf(progress, "001")).toMatchObject({ before: TODO, after: TODO, result: "失败" });
    expect(rowOf(progress, "001").remark).toContain("wrong for the last time");
    expect(rowOf(progress, "002")).toEqual({
      before: TODO,
      after: TODO,
      result: "未执行",
      remark: "尚未轮到",
    });
    expect(progress).toContain("- 首个失败步骤: 001-step.json (step-001)");
    expect(rig.stepNow("001-step.json")["status"]).toBe(TODO);
    expect(stdout).toMatch(/失败 +001-step\.json step-001：.*wrong for the last time/);
  });

  test("M8 M22 by its unit test: the error says so, and there is no review of refuted work", async () => {
    const { rig, progress, report } = await failed({}, "echo nope; exit 7");
    expect(rowOf(progress, "001").remark).toBe("单元测试失败: echo nope; exit 7 (退出码 7)");
    expect(report.steps[0]?.error).toMatch(/^单元测试失败/);
    expect(rig.called().filter((call) => call.startsWith("reviewer"))).toEqual([]);
  });

  test("M17 M22 by its agent: five turns that fail are five attempts", async () => {
    const { rig, code, report } = await failed({ "worker step-001": { exit: 3 } });
    expect(code).toBe(1);
    expect(rig.called()).toHaveLength(5);
    expect(report.steps[0]?.error).toMatch(/^AI 实现失败：/);
  });
});

test("M23 without a unit test only the verification decides", async () => {
  const rig = stepsRig();
  rig.step(1);
  const { code, stdout, report } = await rig.steps();
  expect(code).toBe(0);
  expect(stdout).not.toContain("单元测试");
  expect(report.steps[0]?.attempts[0]).toMatchObject({ unit_test: null, decision: "accepted" });
  expect(rig.calls()[1]?.prompt).toContain("该步骤没有单元测试");
});

describe("--full-verify", () => {
  test("M11 a step that is done is only tested and verified again", async () => {
    const rig = stepsRig();
    rig.step(1, { status: DONE, unit_test: { command: "true" } });
    const { code, progress, ...ended } = await rig.steps(["--full-verify"]);
    expect(code).toBe(0);
    expect(linesOf(ended)).toContain("当前步骤已标记为已完成，将仅重新运行测试进行回归验证...");
    expect(rig.called()).toEqual(["reviewer step-001 0"]);
    expect(rowOf(progress, "001")).toEqual({ before: DONE, after: DONE, result: "成功", remark: "" });
  });

  test("M12 a failed test: written to the progress file, reported, opened again, and worked on", async () => {
    const rig = stepsRig();
    rig.step(1, {
      status: DONE,
      unit_test: { command: "cp steps/run-progress.md seen; test -f step-001.txt" },
    });
    rig.script({ "worker step-001 1": { run: "cp steps/run-progress.md at-work; touch step-001.txt" } });
    const { code, report, ...ended } = await rig.steps(["--full-verify"]);
    expect(code).toBe(0);
    const lines = linesOf(ended);
    const shown = between(lines, "✗ 单元测试失败", `状态更新: ${TODO} → ${DOING}`).join("\n");
    expect(shown).toContain("回归验证未通过，将重新打开该步骤");
    expect(shown).toContain(`状态更新: ${DONE} → ${TODO}`);
    expect(rowOf(rig.read("at-work"), "001")).toMatchObject({ result: "失败", after: DOING });
    expect(rowOf(rig.read("at-work"), "001").remark).toContain("单元测试失败");
    expect(rig.calls()[0]?.prompt).toContain("尝试：已完成步骤的回归验证");
    expect(rig.calls()[0]?.prompt).toContain(`状态：${DONE} → ${TODO}`);
    expect(report.steps[0]?.attempts.map(({ index, decision }) => [index, decision])).toEqual([
      [0, "rejected"],
      [1, "accepted"],
    ]);
    expect(rig.called()).toEqual(["worker step-001 1", "reviewer step-001 1"]);
  });
});

test("M5 M6 M7 M9 M10 M14 M18 M20 have an English rendering; the content of files stays", async () => {
  const rig = stepsRig();
  rig.step(1);
  rig.script({
    "worker step-001 1": { unitTest: { command: "test $(wc -l <step-001.txt) -ge 2" } },
    "reviewer step-001 2": { fail: [1] },
  });
  const { code, progress, stdout } = await rig.steps(["--lang", "en"]);
  expect(code).toBe(0);
  for (const line of [
    "🔁 [1/1] attempt 1/5 (first)...",
    "unit test recorded in the step's JSON (command: test $(wc -l <step-001.txt) -ge 2)",
    "🧪 unit test: test $(wc -l <step-001.txt) -ge 2",
    "✗ unit test failed",
    "this round failed: unit test failed",
    `status: ${DOING} → ${TODO}`,
    "🔁 [1/1] attempt 2/5 (repairs the last failure)...",
    "✓ unit test passed",
    "verification by stepper...",
    "✗ verification failed: 1 of 1 items failed",
    "✓ verification passed: 1 of 1 (stepper)",
    "✓ the step passed all tests and its verification after attempt 3",
  ])
    expect(stdout).toContain(line);
  expect(rig.calls()[1]?.prompt).toContain("# Summary of why the last attempt failed");
  expect(rowOf(progress, "001")).toEqual({ before: TODO, after: DONE, result: "succeeded", remark: "" });
});
