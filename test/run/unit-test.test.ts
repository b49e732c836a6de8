import { describe, expect, test } from "vitest";
import type { Doing, StepsEnded, StepsRig } from "../rig/steps.ts";
import { linesOf, rowOf, stepsRig } from "./scene.ts";

type Played = StepsEnded & { readonly rig: StepsRig; readonly file: Readonly<Record<string, unknown>> };

async function played(
  script: Readonly<Record<string, Doing>>,
  fields: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<Played> {
  const rig = stepsRig();
  const file = rig.step(1, fields);
  rig.script(script);
  const ended = await rig.steps([], { env });
  return { ...ended, rig, file: rig.stepNow(file) };
}

describe("a unit test that the agent names", () => {
  test("M4 M5 is stored with files and notes, and run in the project's directory", async () => {
    const unitTest = { command: "pwd > ../where; test -f plan.md", files: ["a.test.ts"], notes: "all of it" };
    const { code, rig, file, report } = await played({ worker: { unitTest } });
    expect(code).toBe(0);
    expect(file["unit_test"]).toEqual(unitTest);
    expect(rig.read("../where").trim()).toBe(rig.project);
    expect(report.steps[0]?.unit_test).toEqual(unitTest);
    expect(rig.calls()[1]?.prompt).toContain("`pwd > ../where; test -f plan.md`，已通过");
  });

  test("M4 leaves out errors in other fields than the command", async () => {
    const said = '{"unit_test":{"command":" true ","files":"a.test.ts","notes":7}}';
    const { file } = await played({ worker: { say: `Done.\n${said}` } });
    expect(file["unit_test"]).toEqual({ command: "true" });
  });

  const UNUSABLE: [what: string, say: string, why: string][] = [
    ["of several lines", '{"unit_test":{"command":"touch ../harmed\\nnpm test"}}', "命令必须是一行"],
    ["without a command", '{"unit_test":{"command":" "}}', "没有命令；没有单元测试时请省略整个 JSON"],
    ["that is cut off", '{"unit_test":{"command":"touch ../harmed"', "JSON 有误或不完整"],
    [
      "with two commands",
      '{"unit_test":{"command":"touch ../harmed","command":"true"}}',
      "JSON 中有重复的键",
    ],
    ["too long", `{"unit_test":{"command":"touch ../harmed ${"x".repeat(2000)}"}}`, "命令超过 2000 个字符"],
    ["with control characters", '{"unit_test":{"command":"touch ../harmed\\u0007"}}', "命令含有控制字符"],
    ["that is a text", '{"unit_test":"touch ../harmed"}', "unit_test 必须是 JSON 对象"],
  ];
  test.each(
    [UNUSABLE.slice(0, 4), UNUSABLE.slice(4)].map((cases) => ({
      cases,
      what: cases.map(([what]) => what).join("; "),
    })),
  )(
    "M4 refuses one $what: the round fails, the next prompt says why, nothing is stored or run",
    async ({ cases }) => {
      const script = cases.map(([, say], index) => [`worker step-001 ${index + 1}`, { say }] as const);
      const { code, rig, file, report, ...ended } = await played(Object.fromEntries(script));
      expect(code).toBe(0);
      expect(rig.exists("../harmed")).toBe(false);
      expect(file).not.toHaveProperty("unit_test");
      expect(report.steps[0]?.attempts.map(({ reasons }) => reasons)).toEqual([
        ...cases.map(() => ["unit_test_refused"]),
        [],
      ]);
      const workers = rig.calls().filter(({ role }) => role === "worker");
      const lines = linesOf(ended).filter((text) => text.includes("本轮失败摘要："));
      for (const [index, [what, , why]] of cases.entries()) {
        const refused = `agent 给出的单元测试命令被拒绝 (${why})`;
        expect(lines[index], what).toContain(refused);
        expect(workers[index + 1]?.prompt, what).toContain(refused);
      }
      expect(rig.calls().at(-1)?.prompt).toContain("该步骤没有单元测试");
    },
  );

  test("M4 an unusable one is not mixed into the feedback about another failure", async () => {
    const { report, stdout } = await played({
      "worker step-001 1": { say: '{"unit_test":{"command":"npm te', exit: 3 },
    });
    expect(report.steps[0]?.attempts.map(({ reasons }) => reasons)).toEqual([
      ["agent_exit_nonzero", "agent_crashed"],
      [],
    ]);
    expect(stdout).not.toContain("单元测试命令被拒绝");
  });

  test("M4 naming none, in words or as null, is no error", async () => {
    for (const say of ['There is no "unit_test": nothing to test.', '{"unit_test":null}']) {
      const { code, rig, file } = await played({ worker: { say } });
      expect([code, rig.called().length]).toEqual([0, 2]);
      expect(file).not.toHaveProperty("unit_test");
    }
  });

  test("M3 M4 the last one counts, in a code fence as well, whatever was quoted before", async () => {
    const say =
      'First {"unit_test":{"command":"false"}}, then\n```json\n{"unit_test":{"command":"true"}}\n```\n';
    const { code, file } = await played({ worker: { say } });
    expect([code, file["unit_test"]]).toEqual([0, { command: "true" }]);
  });

  test("M4 the placeholder of the prompt's own example is no command, in either language", async () => {
    for (const lang of ["zh", "en"]) {
      const rig = stepsRig();
      const echo = '[ "$GA_ROLE" = worker ] && echo x > work.txt && exec cat; exec stepper';
      rig.write("agent-foreman.yaml", `profiles: { echoer: { extends: command, command: '${echo}' } }\n`);
      const file = rig.step(1);
      const { code, stdout } = await rig.steps(["--agents", "echoer", "--lang", lang]);
      expect(code).toBe(0);
      expect(rig.stepNow(file)).not.toHaveProperty("unit_test");
      expect(stdout).not.toContain("<command>");
    }
  });

  test("M5 M22 refuses a dangerous one: the round fails, the next prompt says why, nothing is stored", async () => {
    const { code, rig, file, report, ...ended } = await played({
      "worker step-001 1": { unitTest: { command: "touch ../harmed && git push --force" } },
    });
    expect(code).toBe(0);
    expect(rig.exists("../harmed")).toBe(false);
    expect(file).not.toHaveProperty("unit_test");
    expect(report.steps[0]?.attempts.map(({ reasons }) => reasons)).toEqual([["unit_test_refused"], []]);
    expect(linesOf(ended).join("\n")).toMatch(
      /本轮失败摘要：agent 给出的单元测试命令被拒绝 \(.*git push --force.*\)/,
    );
    expect(rig.calls()[1]?.prompt).toMatch(
      /agent 给出的单元测试命令被拒绝 \(.*git push --force.*\) \(unit_test_refused\)/,
    );
    expect(rig.called()).toEqual(["worker step-001 1", "worker step-001 2", "reviewer step-001 2"]);
  });

  test("M22 one that is dangerous in every round never runs, and the step has failed", async () => {
    const { code, rig, progress } = await played({
      worker: { unitTest: { command: "touch ../harmed && git push --force" } },
    });
    expect(code).toBe(1);
    expect(rig.exists("../harmed")).toBe(false);
    expect(rig.called()).toHaveLength(5);
    expect(rowOf(progress, "001")).toMatchObject({ result: "失败" });
    expect(rowOf(progress, "001").remark).toContain("单元测试命令被拒绝");
  });

  test.each([
    ["that is known by its value", "a-value-of-mine"],
    ["that is known by its form", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"],
  ])("M5 refuses one that contains a secret %s, and the secret appears nowhere", async (_, secret) => {
    const { code, rig, report, stdout, progress, file } = await played(
      { "worker step-001 1": { unitTest: { command: `echo ${secret} > ../named` } } },
      {},
      { DEPLOY_TOKEN: "a-value-of-mine" },
    );
    expect(rig.exists("../named")).toBe(false);
    expect(file).not.toHaveProperty("unit_test");
    expect(code).toBe(0);
    expect(report.steps[0]?.attempts.map(({ reasons }) => reasons)).toEqual([["unit_test_refused"], []]);
    const written = [stdout, progress, JSON.stringify(report), ...rig.calls().map(({ prompt }) => prompt)];
    for (const text of written) expect(text).not.toContain(secret);
  });

  test("M5 may be replaced by the agent in a later round", async () => {
    const { code, file, rig } = await played({
      "worker step-001 1": { unitTest: { command: "echo one >> ../ran; false", notes: "too strict" } },
      "worker step-001 2": { unitTest: { command: "echo two >> ../ran" } },
    });
    expect(code).toBe(0);
    expect(file["unit_test"]).toEqual({ command: "echo two >> ../ran" });
    expect(rig.read("../ran")).toBe("one\ntwo\n");
  });

  test("M5 stays if a later round names none", async () => {
    const { code, file, rig } = await played({
      "worker step-001 1": { unitTest: { command: "echo ran >> ../ran; test $(wc -l <step-001.txt) -ge 2" } },
    });
    expect(code).toBe(0);
    expect(rig.read("../ran")).toBe("ran\nran\n");
    expect(file["unit_test"]).toEqual({ command: "echo ran >> ../ran; test $(wc -l <step-001.txt) -ge 2" });
  });

  test("M23 a passing test does not replace the verification", async () => {
    const { code, report } = await played({
      worker: { unitTest: { command: "true" } },
      reviewer: { fail: [1] },
    });
    expect(code).toBe(1);
    expect(report.steps[0]?.attempts.map(({ reasons }) => reasons)).toEqual(
      Array.from({ length: 5 }, () => ["verification_failed"]),
    );
  });
});

describe("a person's unit test", () => {
  const OWN = { command: "echo person >> ../ran", notes: "mine" };

  test("M5 is never replaced, and the agent is not asked for another", async () => {
    const { code, file, rig, stdout } = await played(
      { worker: { unitTest: { command: "echo agent >> ../ran" } } },
      { unit_test: OWN },
    );
    expect(code).toBe(0);
    expect(file["unit_test"]).toEqual(OWN);
    expect(rig.read("../ran")).toBe("person\n");
    expect(stdout).not.toContain("单元测试信息已记录");
    expect(rig.calls()[0]?.prompt).toContain("该步骤的单元测试是 `echo person >> ../ran`");
    expect(rig.calls()[0]?.prompt).not.toContain("unit_test");
  });

  test("M5 nor by a dangerous offer, which is not checked", async () => {
    const { code, rig } = await played(
      { worker: { unitTest: { command: "git push --force" } } },
      { unit_test: OWN },
    );
    expect([code, rig.called().length]).toEqual([0, 2]);
  });
});

test("M7 a unit test that leaves processes behind, or never ends, does no harm", async () => {
  const rig = stepsRig();
  rig.step(1, { unit_test: { command: "setsid sleep 1000 & exit 0" } });
  rig.step(2, { unit_test: { command: "test $(wc -l <step-002.txt) -ge 2 || sleep 1000" } });
  const { code, report } = await rig.steps(["--test-timeout-sec", "1"]);
  expect(code).toBe(0);
  expect(report.steps[1]?.attempts.map(({ reasons }) => reasons)).toEqual([
    ["unit_test_failed", "timeout"],
    [],
  ]);
});
