import { describe, expect, test } from "vitest";
import { DONE, TODO, type Doing, type StepsRig } from "../rig/steps.ts";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { rowOf, stepsRig } from "./scene.ts";

const NO: Readonly<Record<string, Doing>> = { "reviewer step-001": { fail: [1], evidence: "no" } };
const workedOn = (rig: StepsRig, id: string): number[] =>
  rig.calls().flatMap((call) => (call.role === "worker" && call.id === id ? [call.round] : []));

interface Scene {
  readonly rig: StepsRig;
  readonly terminal: TerminalSession;
  readonly runId: string;
}

/** A run at a terminal that has used up the five rounds of its first step and asks. */
async function asked(script: Readonly<Record<string, Doing>> = {}): Promise<Scene> {
  const rig = stepsRig();
  rig.step(1);
  rig.step(2);
  rig.script({ ...NO, ...script });
  const terminal = new TerminalSession(rig, ["run", "steps", "--lang", "zh"]);
  await terminal.shows(/● 继续/);
  return { rig, terminal, runId: rig.runIds()[0] ?? "" };
}

/** The same without an answer. */
async function left(script: Readonly<Record<string, Doing>> = {}): Promise<Scene> {
  const scene = await asked(script);
  scene.terminal.press(Key.ctrlC);
  expect(await scene.terminal.ended).toBe(3);
  return scene;
}

describe("R26 at the limit a person on a terminal is asked", () => {
  test("M22 about the step, with why it failed; left without an answer the run waits, and the progress file says so", async () => {
    const { rig, terminal, runId } = await left();
    expect(terminal.text()).toMatch(/\[1\/2\] 001-step\.json：已用 5\/5 轮，未通过：/);
    expect(terminal.text()).toContain(`agent-foreman decide ${runId}`);
    expect(workedOn(rig, "step-001")).toEqual([1, 2, 3, 4, 5]);
    expect(rig.stepNow("001-step.json")["status"]).toBe(TODO);
    expect(rowOf(rig.progress(), "001")).toMatchObject({ after: TODO, result: "失败" });
    expect(rowOf(rig.progress(), "002")).toMatchObject({ result: "未执行" });
    expect(rig.progress()).toContain(`尚未结束；下一步：\`agent-foreman decide ${runId}\``);
  });

  test("M1 M22 continue 2 at the terminal: two more rounds, then it asks again; failed ends the run", async () => {
    const { rig, terminal, runId } = await asked();
    terminal.press(Key.enter);
    await terminal.shows("再继续几轮？");
    terminal.press("2", Key.enter);
    await terminal.shows("备注（可留空）");
    terminal.press(Key.enter);
    await terminal.shows(/已用 7\/7 轮[\s\S]*● 继续/);
    expect(workedOn(rig, "step-001")).toEqual([1, 2, 3, 4, 5, 6, 7]);
    terminal.press(Key.up);
    await terminal.shows(/● 以失败结束/);
    terminal.press(Key.enter);
    await terminal.shows(/备注（可留空）[\s\S]*备注（可留空）/);
    terminal.press("enough", Key.enter);
    expect(await terminal.ended).toBe(1);
    expect(rig.stepsReport(runId)).toMatchObject({
      final_status: "manually_failed",
      end_reason: "marked_by_person",
      manual_decision: { decision: "mark_fail", note: "enough", via: "terminal" },
      max_attempts: 5,
    });
    expect(rowOf(rig.progress(), "001")).toMatchObject({ after: TODO, result: "失败" });
    expect(rowOf(rig.progress(), "002")).toMatchObject({ result: "未执行" });
  });

  test("M21 marked as done at the terminal: 🟢 by a person, the run continues with the next step, manually_passed", async () => {
    const { rig, terminal, runId } = await asked();
    terminal.press(Key.down);
    await terminal.shows(/● 将该步骤标记为已完成/);
    terminal.press(Key.enter);
    await terminal.shows("备注（可留空）");
    terminal.press("checked by hand", Key.enter);
    expect(await terminal.ended).toBe(0);
    expect(rig.stepNow("001-step.json")["status"]).toBe(DONE);
    expect(rig.stepNow("002-step.json")["status"]).toBe(DONE);
    expect(workedOn(rig, "step-002")).toEqual([1]);
    const report = rig.stepsReport(runId);
    expect(report).toMatchObject({
      final_status: "manually_passed",
      manual_decision: { decision: "mark_pass", note: "checked by hand" },
      exit_code: 0,
    });
    expect(report.steps.map(({ result, note }) => [result, note])).toEqual([
      ["passed", "marked_by_person"],
      ["passed", null],
    ]);
    expect(rowOf(rig.progress(), "001")).toMatchObject({
      after: DONE,
      remark: "由人工标记为完成，并非凭证据",
    });
    expect(rowOf(rig.progress(), "002")).toMatchObject({ after: DONE, remark: "" });
  });
});

describe("decide after the process has left", () => {
  test("M1 continue 1, then resume: one more round, and no more", async () => {
    const { rig, runId } = await left({ "reviewer step-001 6": {} });
    const decided = await rig.run(["decide", runId, "continue", "1", "--note", "once more"]);
    expect(decided.code).toBe(0);
    expect(decided.stdout).toContain(`agent-foreman resume ${runId}`);
    expect(workedOn(rig, "step-001")).toHaveLength(5);
    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect(workedOn(rig, "step-001")).toEqual([1, 2, 3, 4, 5, 6]);
    expect(rig.stepsReport(runId)).toMatchObject({
      final_status: "passed",
      manual_decision: { decision: "continue_n", n: 1, note: "once more", via: "decide" },
    });
    // The next step has exactly five rounds.
    const second = rig.calls().find(({ id }) => id === "step-002");
    expect(second?.prompt).toContain("这是第 1/5 次尝试");
  });

  test("M21 pass, then resume: the step is 🟢 by a person and the run continues", async () => {
    const { rig, runId } = await left();
    expect((await rig.run(["decide", runId, "pass"])).code).toBe(0);
    expect((await rig.run(["resume", runId])).code).toBe(0);
    expect(workedOn(rig, "step-001")).toHaveLength(5);
    expect(rig.stepNow("001-step.json")["status"]).toBe(DONE);
    expect(rig.stepsReport(runId)).toMatchObject({ final_status: "manually_passed", exit_code: 0 });
  });

  test("R38 a person's mark stays visible in later runs, until evidence exists", async () => {
    const { rig, runId } = await left();
    await rig.run(["decide", runId, "pass"]);
    await rig.run(["resume", runId]);
    const rowsOf = (): string[] => ["001", "002"].map((number) => rowOf(rig.progress(), number).remark);
    expect(rowsOf()).toEqual(["由人工标记为完成，并非凭证据", ""]);
    const marked = "此前已完成，跳过; 此前由人工标记为完成，并非凭证据";
    // Also in the run after the next one.
    for (const more of [[], ["--only", "1"]]) {
      const later = await rig.steps(more);
      expect(later.code).toBe(0);
      expect(rowsOf()).toEqual([marked, "此前已完成，跳过"]);
      expect(later.stdout).toContain(`[1/2] 001-step.json step-001  ${DONE}  此前已完成（人工标记），跳过\n`);
      expect(later.stdout).toContain("  人工    此前由人工标记为完成，并非凭证据：001-step.json\n");
      expect(later.report.steps.map((step) => step.marked_by_person)).toEqual([true, false]);
    }
    rig.script({});
    expect((await rig.steps(["--full-verify"])).code).toBe(0);
    expect(rowsOf()).toEqual(["", ""]);
    expect((await rig.steps()).report.steps.map((step) => step.marked_by_person)).toEqual([false, false]);
  });

  test("M22 pass of one step does not carry the next: it fails without a terminal", async () => {
    const { rig, runId } = await left({ "reviewer step-002": { fail: [1] } });
    await rig.run(["decide", runId, "pass"]);
    expect((await rig.run(["resume", runId])).code).toBe(1);
    expect(rig.stepsReport(runId)).toMatchObject({ final_status: "failed", end_reason: "limit_reached" });
    expect(rowOf(rig.progress(), "002")).toMatchObject({ after: TODO, result: "失败" });
  });

  test("M22 fail ends the run; resume says the same", async () => {
    const { rig, runId } = await left();
    expect((await rig.run(["decide", runId, "fail"])).code).toBe(1);
    expect(rig.stepsReport(runId)).toMatchObject({ final_status: "manually_failed", exit_code: 1 });
    expect((await rig.run(["resume", runId])).code).toBe(1);
    expect(rig.stepNow("001-step.json")["status"]).toBe(TODO);
  });

  test("M19 pass of a step whose file became another meanwhile: exit 6, file untouched", async () => {
    const { rig, runId } = await left();
    rig.write("steps/001-step.json", rig.read("steps/001-step.json").replace("Do the work", "Do other work"));
    await rig.run(["decide", runId, "pass"]);
    expect((await rig.run(["resume", runId])).code).toBe(6);
    expect(rig.stepNow("001-step.json")).toMatchObject({
      status: TODO,
      description: "Do other work of step 1",
    });
    expect(rig.stepsReport(runId)).toMatchObject({ end_reason: "step_file_changed", final_status: "failed" });
  });
});

test("M22 without a terminal there is no question", async () => {
  const rig = stepsRig();
  rig.step(1);
  rig.script(NO);
  const { code, runId, report } = await rig.steps();
  expect([code, report.end_reason, report.manual_decision]).toEqual([1, "limit_reached", null]);
  expect(rig.events(runId).map(({ type }) => type)).not.toContain("question_asked");
});
