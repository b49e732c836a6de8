import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { untimed } from "../rig/steps.ts";
import { answer, AnalyzeRig, DIR, step, validator } from "./rig.ts";

const DOCUMENT = `# Greeter

- It says hello
- It says bye
- It is friendly
`;
const STEPS = [
  step({ covers: ["R1"] }),
  step({ slug: "bye", description: "Say bye\nto everybody", done: true, covers: ["r2: It says bye", "R9"] }),
];

function withDocument(says: string): AnalyzeRig {
  const rig = new AnalyzeRig(says);
  rig.write("requirements.md", DOCUMENT);
  return rig;
}

test("prints what each step is and covers, and warns of requirements that no step covers", async () => {
  const rig = withDocument(answer({ steps: STEPS }));
  const { code, stdout, report, runId } = await rig.analyze();
  expect(code).toBe(0);
  expect(untimed(stdout)).toContain(
    [
      "  | 001-hello.json  🔴 待完成  Say hello",
      "  |   covers R1 It says hello (line 3)",
      "  | 002-bye.json  🟢 已完成  Say bye",
      "  |   covers R2 It says bye (line 4)",
      "! 1 requirement that no step covers:",
      "  | R3 It is friendly (line 5)",
      "",
    ].join("\n"),
  );
  expect(stdout).toContain("  covers  2 of 3 requirements, by the agent's word; no step covers R3\n");
  expect(report.steps).toEqual([
    { file: "001-hello.json", summary: "Say hello", done: false, covers: ["R1"] },
    { file: "002-bye.json", summary: "Say bye", done: true, covers: ["R2"] },
  ]);
  expect(report.coverage).toEqual([
    { id: "R1", line: 3, text: "It says hello", covered_by: ["001-hello.json"] },
    { id: "R2", line: 4, text: "It says bye", covered_by: ["002-bye.json"] },
    { id: "R3", line: 5, text: "It is friendly", covered_by: [] },
  ]);
  expect(validator("analyze-report.schema.json")(report)).toEqual([]);
  expect(rig.calls()[0]?.prompt).toContain("    R3 (5): It is friendly\n");
  expect(rig.calls()[0]?.prompt).toContain('"covers": ["<id of a requirement>"]');
  const shown = await rig.run(["show", runId]);
  expect(shown.stdout).toContain("covers R1 It says hello (line 3)");
  // The step files have the documented fields only.
  expect(Object.keys(JSON.parse(rig.read(`${DIR}/001-hello.json`)) as object)).toEqual([
    "id",
    "description",
    "status",
    "verification",
  ]);
});

test("coverage that the agent does not state is not guessed", async () => {
  const rig = withDocument(answer({ steps: [step(), step({ slug: "bye", covers: "R2" })] }));
  const { code, stdout, report } = await rig.analyze(["--lang", "zh"]);
  expect(code).toBe(0);
  expect(untimed(stdout)).toContain("\n! 覆盖情况未知：agent 没有说明各步骤覆盖哪些需求\n");
  expect(stdout).not.toContain("没有任何步骤覆盖");
  expect(report.coverage.map(({ covered_by }) => covered_by)).toEqual([null, null, null]);
});

test("a requirement that no step names is not uncovered where the coverage of a step is not stated", async () => {
  const rig = withDocument(answer({ steps: [step({ covers: ["R1"] }), step({ slug: "bye" })] }));
  const { stdout, report } = await rig.analyze();
  expect(stdout).not.toContain("no step covers");
  expect(stdout).toContain("  covers  1 of 3 requirements, by the agent's word; not stated for R2, R3\n");
  expect(report.coverage.map(({ covered_by }) => covered_by)).toEqual([["001-hello.json"], null, null]);
});

test("steps that are in the directory already are not said to be written", async () => {
  const rig = withDocument(answer({ steps: STEPS }));
  expect((await rig.analyze()).stdout).toContain("✓ 2 steps written: ");
  const again = await rig.analyze();
  expect(again.code).toBe(0);
  expect(again.stdout).toContain(" contains these 2 steps already");
  expect(again.stdout).not.toContain("written");
});

test("a document without structure is said to be one", async () => {
  const rig = new AnalyzeRig(answer());
  rig.write("requirements.md", "It greets the person it is given.\n");
  const { stdout } = await rig.analyze();
  expect(untimed(stdout)).toContain(
    "\n! coverage not checked: the document has no list items or headings with text\n",
  );
  expect(rig.calls()[0]?.prompt).not.toContain("covers");
});

test("--dry-run names the command that writes the steps with the same --cwd and --out", async () => {
  const rig = withDocument(answer({ steps: STEPS }));
  fs.mkdirSync(join(rig.project, "inner"));
  const { code, stdout } = await rig.analyze(["--dry-run", "--cwd", "inner", "--out", "my steps"]);
  expect(code).toBe(0);
  expect(stdout).toContain(
    "  next    agent-foreman analyze requirements.md --cwd inner --lang en --out 'my steps'\n",
  );
});

test("the next command repeats who works: with --dry-run analyze again, else the steps", async () => {
  const rig = withDocument(answer({ steps: STEPS }));
  const flags = ["--agents", "stepper", "--lang", "en", "--max-time", "1h"];
  const dry = await rig.analyze(["--dry-run", ...flags]);
  expect(dry.stdout).toContain(
    "  next    agent-foreman analyze requirements.md --agents stepper --lang en --max-time 1h\n",
  );
  const { stdout } = await rig.analyze(flags);
  const next = `  next    agent-foreman run '${DIR}' --agents stepper --lang en\n`;
  expect(stdout).toContain(next);
  expect((await rig.run(["show"])).stdout).toContain(next);
});

test("--dry-run asks and prints, and writes no steps", async () => {
  const rig = withDocument(answer({ steps: STEPS }));
  const { code, stdout, report, runId } = await rig.analyze(["--dry-run"]);
  expect(code).toBe(0);
  expect(rig.written()).toEqual([]);
  expect(untimed(stdout)).toContain("  | 001-hello.json  🔴 待完成  Say hello\n");
  expect(stdout).toContain(`- DRY RUN: 2 steps, nothing written; without --dry-run: ${rig.project}/${DIR}`);
  expect(stdout).toContain("  next    agent-foreman analyze requirements.md --lang en\n");
  expect(report).toMatchObject({ dry_run: true, steps_dir: null, files: [], steps: [{}, {}] });
  const shown = await rig.run(["show", runId]);
  expect(shown.stdout).toContain("- DRY RUN: 2 steps");
  expect(shown.stdout).toContain("  next    agent-foreman analyze requirements.md --lang en\n");
});
