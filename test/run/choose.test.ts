import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DONE, StepsRig, TODO } from "../rig/steps.ts";
import { refused } from "./refused.ts";

function withSteps(count = 4): StepsRig {
  const rig = new StepsRig();
  for (let number = 1; number <= count; number++) rig.step(number);
  return rig;
}

const workedOn = (rig: StepsRig): string[] =>
  rig.calls().flatMap(({ role, id }) => (role === "worker" ? [id] : []));

describe("--only and --from", () => {
  test("--only takes numbers with or without zeros, in commas or again, in the order of the files", async () => {
    const rig = withSteps();
    const { code, stdout, progress, report } = await rig.steps(["--only", "4,2", "--only", "002"]);
    expect(code).toBe(0);
    expect(workedOn(rig)).toEqual(["step-002", "step-004"]);
    expect(rig.rows(progress).map((row) => row.slice(4).toSpliced(1, 1))).toEqual([
      [TODO, "未执行", "未选择"],
      [DONE, "成功", ""],
      [TODO, "未执行", "未选择"],
      [DONE, "成功", ""],
    ]);
    expect(stdout).toContain("[2/4] 002-step.json");
    expect(stdout).toContain("总步骤数 4：成功 2，失败 0，此前已完成 0，未执行 2\n");
    expect(report).toMatchObject({ totals: { total: 4, passed: 2, failed: 0, not_run: 2, already_done: 0 } });
    expect(report.steps.map(({ note }) => note)).toEqual(["not_chosen", null, "not_chosen", null]);
    expect(stdout).toContain("  下一步  agent-foreman run steps --lang zh --only 001,003\n");
  });

  test("--from takes that step and all after it", async () => {
    const rig = withSteps();
    expect((await rig.steps(["--from", "3"])).code).toBe(0);
    expect(workedOn(rig)).toEqual(["step-003", "step-004"]);
    expect(rig.stepNow("001-step.json")["status"]).toBe(TODO);
  });

  test("a chosen step that is done is left alone, or checked with --full-verify", async () => {
    const rig = withSteps(2);
    rig.step(1, { status: DONE });
    const { code, stdout, report, runId } = await rig.steps(["--only", "1", "--lang", "en"]);
    expect(code).toBe(2);
    expect(rig.called()).toEqual([]);
    expect(stdout).toContain(`[1/2] 001-step.json step-001  ${DONE}  skipped: already done\n`);
    expect(stdout).toMatch(
      /- NOTHING TO DO: the chosen step is done already \(1 of 2 steps done\); nothing was run or accepted/,
    );
    expect(stdout).not.toContain("ACCEPTED");
    expect(stdout).toContain("  next    agent-foreman run steps --lang en --only 002\n");
    expect(report).toMatchObject({ final_status: "failed", end_reason: "nothing_to_do", exit_code: 2 });
    expect((await rig.run(["runs"])).stdout).toContain("- nothing to do");
    expect((await rig.run(["resume", runId])).code).toBe(2);
    expect((await rig.steps(["--only", "1", "--full-verify"])).code).toBe(0);
    expect(rig.calls().map(({ role, id }) => `${role} ${id}`)).toEqual(["reviewer step-001"]);
  });

  test("numbers that no step has, no numbers, and both flags are refused", async () => {
    const rig = withSteps(3);
    for (const [more, error] of [
      [["--only", "2,9"], "--only names no step: 9 (there are 001, 002, 003)"],
      [["--only", "step-001"], "--only names no step: step-001 (there are 001, 002, 003)"],
      [["--only", "-1"], "--only"],
      [["--only", ","], "--only is empty"],
      [["--only", ""], "--only is empty"],
      [["--from", "0"], "--from names no step: 0 (there are 001, 002, 003)"],
      [["--from", "1e0"], "--from names no step: 1e0 (there are 001, 002, 003)"],
      [["--from", ""], "--from"],
      [["--only", "1", "--from", "2"], "--only cannot be used with --from"],
    ] as const) {
      const { code, errors } = await refused(rig, [rig.dir, ...more]);
      expect({ more, code, errors }).toEqual({ more, code: 2, errors: [expect.stringContaining(error)] });
    }
    expect((await refused(rig, [rig.dir, "--only", "7", "--lang", "zh"])).errors).toEqual([
      "--only 没有对应的步骤：7（现有 001, 002, 003）",
    ]);
  });

  test("of many steps only the first and the last number are named", async () => {
    const { errors } = await refused(withSteps(12), ["steps", "--only", "13"]);
    expect(errors).toEqual(["--only names no step: 13 (there are 001, ..., 012)"]);
  });
});

describe("--dry-run", () => {
  test("prints the plan and writes nothing", async () => {
    const rig = withSteps(3);
    rig.step(1, { status: DONE });
    rig.step(2, { unit_test: { command: "touch started" } });
    rig.profiles(["one", "two"]);
    const before = rig.everything();
    const { code, stdout } = await rig.run(["run", rig.dir, "--dry-run", "--lang", "zh", "--only", "1,2"]);
    expect(code).toBe(0);
    expect({ left: rig.everything(), calls: rig.calls() }).toEqual({ left: before, calls: [] });
    expect(stdout.split("\n")).toEqual([
      "共 3 个步骤：1 个待执行，1 个已完成",
      "  实现    one, two",
      "  验证    其中任意一个，优先选择未参与实现的",
      `[1/3] 001-step.json step-001  ${DONE}  跳过：已完成`,
      "  Do the work of step 1",
      "  1 个 verification 条目",
      `[2/3] 002-step.json step-002  ${TODO}  实现、测试、验证`,
      "  Do the work of step 2",
      "  单元测试: touch started; 1 个 verification 条目",
      `[3/3] 003-step.json step-003  ${TODO}  跳过：未选择`,
      "  Do the work of step 3",
      "  1 个 verification 条目",
      "试运行：没有启动或写入任何内容。",
      "",
    ]);
    const en = await rig.run(["run", rig.dir, "--dry-run", "--full-verify", "--verifier", "two"]);
    expect(en.stdout).toContain(`[1/3] 001-step.json step-001  ${DONE}  test and verify again\n`);
    expect(en.stdout).toContain("  verify    two\n");
    expect(en.stdout).toContain("Dry run: nothing was started or written.\n");
    expect(rig.everything()).toEqual(before);
  });

  test("the same as JSON", async () => {
    const rig = withSteps(2);
    rig.step(1, { status: DONE });
    const before = rig.everything();
    const { code, stdout } = await rig.run(["run", rig.dir, "--dry-run", "--json"]);
    expect(code).toBe(0);
    expect(rig.everything()).toEqual(before);
    expect(JSON.parse(stdout)).toMatchObject({
      type: "plan",
      steps_dir: join(rig.project, rig.dir),
      workers: ["stepper"],
      verifiers: [],
      steps: [
        { number: "001", file: "001-step.json", id: "step-001", status: DONE, plan: "skip_done" },
        { number: "002", status: TODO, plan: "implement", unit_test: null },
      ],
    });
  });

  test("checks everything that a run would: files, danger, numbers, agents", async () => {
    const rig = withSteps(1);
    rig.step(2, { status: "done", unit_test: { command: "rm -rf /" } });
    const bad = await refused(rig, [rig.dir, "--dry-run", "--json"]);
    expect(bad).toMatchObject({
      code: 2,
      errors: [expect.stringContaining("002-step.json"), expect.any(String)],
    });
    expect(rig.exists(join(rig.dir, "run-progress.md"))).toBe(false);
    rig.step(2);
    expect(await refused(rig, [rig.dir, "--dry-run", "--only", "5"])).toMatchObject({ code: 2 });
    rig.write(
      "agent-foreman.yaml",
      "agents: [gone]\nprofiles:\n  gone: { extends: claude, program: no-such-program }\n",
    );
    expect(await refused(rig, [rig.dir, "--dry-run"])).toMatchObject({ code: 5 });
  });
});

describe("again", () => {
  test("with no work left, calls and needs no agent", async () => {
    const rig = withSteps(2);
    expect((await rig.steps()).code).toBe(0);
    const files = ["001-step.json", "002-step.json"].map((name) => rig.read(join(rig.dir, name)));
    const calls = rig.calls().length;
    rig.write(
      "agent-foreman.yaml",
      "agents: [gone]\nprofiles:\n  gone: { extends: claude, program: no-such-program }\n",
    );
    const { code, stdout, report, progress } = await rig.steps();
    expect({ code, calls: rig.calls().length }).toEqual({ code: 0, calls });
    expect(stdout).not.toContain("已通过");
    expect(stdout).toMatch(/^- 无事可做：全部步骤此前已完成（2\/2 个步骤已完成）；未执行也未验收任何内容/m);
    expect(stdout).toContain("  下一步  agent-foreman run steps --lang zh --full-verify\n");
    expect(report).toMatchObject({
      final_status: "passed",
      end_reason: "nothing_to_do",
      totals: { passed: 0, not_run: 2, already_done: 2 },
    });
    expect(rig.rows(progress).map((row) => row[6])).toEqual(["未执行", "未执行"]);
    expect(["001-step.json", "002-step.json"].map((name) => rig.read(join(rig.dir, name)))).toEqual(files);
  });

  test("after a failure continues there, with five new rounds", async () => {
    const rig = withSteps(3);
    rig.script({ "reviewer step-002": { fail: [1] } });
    expect((await rig.steps()).code).toBe(1);
    const before = rig.called().length;
    rig.script({ "reviewer step-002 1": { fail: [1] } });
    expect((await rig.steps()).code).toBe(0);
    expect(rig.called().slice(before)).toEqual([
      "worker step-002 1",
      "reviewer step-002 1",
      "worker step-002 2",
      "reviewer step-002 2",
      "worker step-003 1",
      "reviewer step-003 1",
    ]);
    expect(rig.calls()[before]?.prompt).not.toContain("上一轮尝试失败原因摘要");
  });
});
