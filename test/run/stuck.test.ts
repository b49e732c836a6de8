import { describe, expect, test } from "vitest";
import type { Doing, StepsEnded, StepsRig } from "../rig/steps.ts";
import { linesOf, rowOf, stepsRig } from "./scene.ts";

const A: Doing = { write: { "work.txt": "A" } };
const B: Doing = { write: { "work.txt": "B" } };
const NOTHING: Doing = { write: {} };
const UNDONE: Doing = { write: { "work.txt": null } };

/** The worker's action in each round. The reviewer rejects all rounds except a given one. */
async function rounds(
  doings: readonly Doing[],
  more: readonly string[] = [],
  script: Readonly<Record<string, Doing>> = {},
  agents: readonly string[] = ["stepper"],
): Promise<StepsEnded & { readonly rig: StepsRig }> {
  const rig = stepsRig(agents);
  rig.step(1);
  rig.step(2);
  const worker = doings.map((doing, index) => [`worker step-001 ${index + 1}`, doing] as const);
  rig.script({
    ...Object.fromEntries(worker),
    "reviewer step-001": { fail: [1], evidence: "no" },
    ...script,
  });
  return { ...(await rig.steps(more)), rig };
}

const stuckOf = ({ report }: StepsEnded): unknown[] =>
  report.steps[0]?.attempts.map(({ stuck }) => stuck) ?? [];
const promptsOf = (rig: StepsRig): string[] =>
  rig.calls().flatMap(({ role, id, prompt }) => (role === "worker" && id === "step-001" ? [prompt] : []));

describe("reports attempts that go in circles in prompt, screen, report and progress file", () => {
  test("M18 the same failure and an unchanged tree, then the state of an earlier round", async () => {
    const played = await rounds([A, NOTHING, B, A, { write: { "work.txt": "C" } }]);
    expect(played.code).toBe(1);
    expect(stuckOf(played)).toEqual([
      null,
      { kind: "same_failure", like: 1 },
      null,
      { kind: "tree_seen_before", like: 2 },
      null,
    ]);
    const [first, second, third, fourth, fifth] = promptsOf(played.rig);
    for (const prompt of [first, second, fourth]) expect(prompt).not.toContain("你在原地打转");
    expect(third).toContain(
      "你在原地打转：最近两轮以同样的方式失败，而且工作区没有变化。这一轮请换一种做法。",
    );
    expect(fifth).toContain("你在原地打转：工作区回到了第 2 轮尝试之后的状态，而那一轮失败了。");
    const lines = linesOf(played);
    expect(lines).toContain("! 陷入循环：与第 1 次尝试的失败相同，且工作区没有变化");
    expect(lines).toContain("! 陷入循环：工作区回到了第 2 次尝试之后的状态，而那次失败了");
    expect(lines.filter((line) => line.startsWith("! 陷入循环"))).toHaveLength(2);
    // The last round did something new.
    expect(rowOf(played.progress, "001").remark).not.toContain("原地打转");
  });

  test("M18 back to the first state, then no change until the end", async () => {
    const played = await rounds([A, UNDONE, NOTHING, NOTHING, NOTHING]);
    expect(stuckOf(played)).toEqual([
      null,
      { kind: "tree_seen_before", like: 0 },
      ...[2, 3, 4].map((like) => ({ kind: "same_failure", like })),
    ]);
    expect(promptsOf(played.rig)[2]).toContain("你在原地打转：工作区回到了第一轮尝试之前的状态。");
    expect(linesOf(played)).toContain("! 陷入循环：工作区回到了首次尝试之前的状态");
    expect(rowOf(played.progress, "001").remark).toContain("原地打转");
    expect(played.stdout).toMatch(/循环 +与第 4 次尝试的失败相同/);
  });

  test("M18 ping-pong: A, B, A", async () => {
    const played = await rounds([A, B, A], ["--on-stuck", "stop"]);
    expect(stuckOf(played)).toEqual([null, null, { kind: "tree_seen_before", like: 1 }]);
  });

  test("M18 another failure with the same tree is another matter, but the tree has been seen", async () => {
    const script = { "worker step-001 2": { ...NOTHING, unitTest: { command: "false" } } };
    const played = await rounds([A, NOTHING], ["--on-stuck", "stop"], script);
    expect(stuckOf(played)).toEqual([null, { kind: "tree_seen_before", like: 1 }]);
  });

  test("M18 changes only in a step's file, or in ignored files, are no progress", async () => {
    const rig = stepsRig();
    rig.write(".gitignore", "cache\n");
    rig.step(1, { n: 0 });
    rig.script({
      worker: {
        write: {},
        run: `date +%s%N > cache; sed -i "s/\\"n\\": .*/\\"n\\": $(date +%s%N)/" steps/001-step.json`,
      },
      "reviewer step-001": { fail: [1] },
    });
    const { report } = await rig.steps(["--on-stuck", "stop"]);
    expect(report.steps[0]?.attempts.map(({ stuck }) => stuck?.kind)).toEqual([undefined, "same_failure"]);
    expect(report.steps[0]?.edited).toBe(true);
  });

  test("M18 a step that passes at last is not called stuck", async () => {
    const played = await rounds([A, NOTHING, NOTHING], [], { "reviewer step-001 3": {} });
    expect(played.code).toBe(0);
    expect(stuckOf(played)).toEqual([null, { kind: "same_failure", like: 1 }, null]);
    expect(rowOf(played.progress, "001")).toMatchObject({ result: "成功", remark: "" });
    expect(played.report.steps[1]?.result).toBe("passed");
  });
});

describe("--on-stuck", () => {
  test("M22 stop: the run ends at once, exit 1, reason stuck; later steps are not run", async () => {
    const played = await rounds([A, NOTHING], ["--on-stuck", "stop"]);
    expect(played.code).toBe(1);
    expect(played.report).toMatchObject({ end_reason: "stuck", final_status: "failed", on_stuck: "stop" });
    expect(promptsOf(played.rig)).toHaveLength(2);
    expect(played.stdout).toContain("✗ 陷入循环，已停止：0/2 个步骤已完成");
    expect(rowOf(played.progress, "001")).toMatchObject({ result: "失败" });
    expect(rowOf(played.progress, "001").remark).toContain("原地打转");
    expect(rowOf(played.progress, "002")).toMatchObject({ result: "未执行" });
    expect(played.stdout).toMatch(/继续 {4}重新启动即可[^\n]*\n +在 001-\S+\.json 中给 agent 写下提示\n/);
    const next = /下一步 {2}agent-foreman (run .*--on-stuck continue)\n/.exec(played.stdout)?.[1] ?? "";
    const again = await played.rig.run(next.split(" "));
    expect(again.code).toBe(1);
    expect(promptsOf(played.rig)).toHaveLength(2 + 5);
  });

  test("M1 continue, which is the default: all five rounds", async () => {
    const played = await rounds([NOTHING, NOTHING, NOTHING, NOTHING, NOTHING], ["--on-stuck", "continue"]);
    expect(played.report).toMatchObject({ end_reason: "limit_reached", on_stuck: "continue" });
    expect(promptsOf(played.rig)).toHaveLength(5);
  });

  test("M14 next-agent: another agent takes the next round, and continues as long as it makes progress", async () => {
    const played = await rounds(
      [A, NOTHING, B, { write: { "work.txt": "C" } }],
      ["--on-stuck", "next-agent"],
      {
        "reviewer step-001 4": {},
      },
      ["a", "b", "c"],
    );
    expect(played.code).toBe(0);
    const workers = played.rig.calls().filter(({ role, id }) => role === "worker" && id === "step-001");
    expect(workers.map(({ name, round }) => `${name} ${round}`)).toEqual(["a 1", "a 2", "b 3", "b 4"]);
    expect(workers[2]?.prompt).toContain("你在原地打转");
    expect(played.report.on_stuck).toBe("next-agent");
  });

  test("M14 next-agent with a single agent: continues after another failure, not after the same again", async () => {
    const played = await rounds([A, B, A, NOTHING], ["--on-stuck", "next-agent"]);
    expect(stuckOf(played).slice(1)).toEqual([
      null,
      { kind: "tree_seen_before", like: 1 },
      { kind: "same_failure", like: 3 },
    ]);
    expect(played.report).toMatchObject({ end_reason: "stuck", on_stuck: "next-agent" });
    expect(promptsOf(played.rig)).toHaveLength(4);
  });

  test("M22 the configuration can say so as well", async () => {
    const rig = stepsRig(["stepper"], "on_stuck: stop\n");
    rig.step(1);
    rig.script({ worker: NOTHING, reviewer: { fail: [1] } });
    const { report } = await rig.steps();
    expect(report).toMatchObject({ end_reason: "stuck", on_stuck: "stop" });
  });
});
