import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answer, AnalyzeRig, DIR, step, validator } from "./rig.ts";

describe("an unusable answer", () => {
  const whole = answer();
  const ITEM = { type: "unit", description: "x" };
  const cases: readonly (readonly [name: string, says: string, why: string])[] = [
    ["no JSON", "I would do it in three steps.", '"steps"'],
    ["JSON that is cut off", whole.slice(0, -20), '"steps"'],
    ["a whole one, then one that is cut off", `${whole}\n${whole.slice(0, -20)}`, '"steps"'],
    ["another object", JSON.stringify({ name: "greeter", plan: [] }), '"steps"'],
    ["a list", JSON.stringify([1, 2]), '"steps"'],
    ["no step", answer({ steps: [] }), "steps"],
    ["1000 steps", answer({ steps: Array.from({ length: 1000 }, () => step()) }), "steps"],
    ["steps that are text", answer({ steps: "one, two" }), "steps"],
    ["a step that is text", answer({ steps: ["Say hello"] }), "steps[0]"],
    ["no name", answer({ name: null }), "name"],
    ["a name of which nothing is left", answer({ name: "//..//\u0000" }), "name"],
    ["no description", answer({ steps: [step({ description: " " })] }), "steps[0].description"],
    [
      "a description that is a number",
      answer({ steps: [step(), step({ description: 7 })] }),
      "steps[1].description",
    ],
    ["done that is text", answer({ steps: [step({ done: "yes" })] }), "steps[0].done"],
    ["no verification", answer({ steps: [step({ verification: [] })] }), "steps[0].verification"],
    [
      "a verification without a type",
      answer({ steps: [step({ verification: [ITEM, { description: "x" }] })] }),
      "steps[0].verification[1].type",
    ],
    [
      "a step from the prototype",
      `{"name": "x", "steps": [{"__proto__": ${JSON.stringify(step())}}]}`,
      "steps[0].description",
    ],
  ];

  test.each(cases)("%s: asks once more, with the error", async (_, says, why) => {
    const rig = new AnalyzeRig();
    rig.script({ "analyst 1": { say: says }, "analyst 2": { say: answer() } });
    const { code, stdout, report } = await rig.analyze();
    expect(code).toBe(0);
    expect(report.attempts).toMatchObject([
      { decision: "rejected", reasons: ["analysis_unusable"] },
      { decision: "accepted", problem: null },
    ]);
    expect(report.attempts[0]?.problem).toContain(why);
    expect(stdout).toContain(why);
    const [first, second, ...more] = rig.calls();
    expect(more).toEqual([]);
    expect(first?.prompt).not.toContain("could not be used");
    expect(second?.prompt).toContain("Your last answer could not be used");
    expect(second?.prompt).toContain(why);
    expect(second?.prompt).toContain("It greets the person it is given.");
    expect(rig.filesIn(DIR)).toEqual(["001-hello.json"]);
  });

  test("the echo of its own prompt", async () => {
    const rig = new AnalyzeRig();
    rig.write(
      "agent-foreman.yaml",
      "agents: [echo]\nprofiles:\n  echo: { extends: command, command: cat }\n",
    );
    const { code, report } = await rig.analyze();
    expect({ code, written: rig.written() }).toEqual({ code: 1, written: [] });
    expect(report.attempts.map(({ reasons }) => reasons)).toEqual([
      ["analysis_unusable"],
      ["analysis_unusable"],
    ]);
  });

  test("twice: writes nothing, exit 1, and the report has both reasons", async () => {
    const rig = new AnalyzeRig();
    rig.script({ "analyst 1": { say: "Three steps." }, "analyst 2": { say: answer({ name: "/" }) } });
    const before = new Set(rig.everything());
    const { code, stdout, report, runId } = await rig.analyze();
    expect(code).toBe(1);
    expect(rig.everything().filter((path) => path.startsWith("project") && !before.has(path))).toEqual([
      join("project", `goldagent-analyze-report-${runId}.json`),
    ]);
    expect(rig.called()).toHaveLength(2);
    expect(report).toMatchObject({
      final_status: "failed",
      end_reason: "limit_reached",
      steps_dir: null,
      files: [],
    });
    expect(report.attempts.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('"steps"'),
      expect.stringContaining("name"),
    ]);
    expect(validator("analyze-report.schema.json")(report)).toEqual([]);
    expect(stdout).toContain("NO STEPS written: no answer could be used");
    expect((await rig.resumeAnalysis()).code, "it has ended").toBe(1);
    expect(rig.called()).toHaveLength(2);
  });

  test("from an agent that changes the tree: rejected, and the feedback names the file", async () => {
    const rig = new AnalyzeRig();
    const meddling = { write: { "src.txt": "begun already\n" }, say: answer() };
    rig.script({ "analyst 1": meddling, "analyst 2": { say: answer() } });
    const { code, report } = await rig.analyze();
    expect(code).toBe(0);
    expect(report.attempts).toMatchObject([
      { decision: "rejected", reasons: ["agent_changed_tree"], problem: null, changed_files: ["src.txt"] },
      { decision: "accepted", changed_files: [] },
    ]);
    expect(rig.calls()[1]?.prompt).toContain("src.txt");
  });

  test("from an agent that changes the requirements: reported, and the next prompt has the original ones", async () => {
    const rig = new AnalyzeRig();
    const meddling = { write: { "requirements.md": "Nothing to do.\n" }, say: answer() };
    rig.script({ "analyst 1": meddling, "analyst 2": { say: answer() } });
    const { report } = await rig.analyze();
    expect(report.attempts[0]).toMatchObject({
      reasons: ["agent_changed_tree"],
      changed_inputs: [join(rig.project, "requirements.md")],
    });
    expect(rig.calls()[1]?.prompt).toContain("It greets the person it is given.");
    expect(rig.calls()[1]?.prompt).not.toContain("Nothing to do.");
  });

  test("from an agent that exits with an error, however good the answer", async () => {
    const rig = new AnalyzeRig();
    rig.script({ analyst: { say: answer(), exit: 3 } });
    const { code, report } = await rig.analyze();
    expect({ code, written: rig.written() }).toEqual({ code: 1, written: [] });
    expect(report.attempts[0]?.reasons).toContain("agent_exit_nonzero");
  });
});
