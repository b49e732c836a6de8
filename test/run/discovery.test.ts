import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DONE, StepsRig, TODO } from "../rig/steps.ts";
import { refused } from "./refused.ts";

const ZH = ["--lang", "zh"];

test("R1 the steps directory must exist and be a directory", async () => {
  const rig = StepsRig.inWorkTree();
  const missing = await refused(rig, ["nowhere", ...ZH]);
  expect(missing).toMatchObject({ code: 2, errors: [`找不到步骤目录：${join(rig.project, "nowhere")}`] });
  const file = await refused(rig, ["plan.md", ...ZH]);
  expect(file).toMatchObject({ code: 2, errors: [`步骤目录不是目录：${join(rig.project, "plan.md")}`] });
  const none = await rig.run(["run"]);
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("missing argument steps-dir") });
  expect((await refused(rig, ["", ...ZH])).errors).toEqual(["<steps-dir> 为空"]);
});

test("R1 finds the directory relative to the caller's, also by an absolute path or a link", async () => {
  const rig = StepsRig.inWorkTree();
  const name = rig.step(1);
  fs.symlinkSync(rig.dir, join(rig.project, "link"));
  for (const [dir, cwd] of [
    [join("..", "steps"), join(rig.project, "deeper")],
    [join(rig.project, "steps"), rig.project],
    ["link", rig.project],
  ] as const) {
    fs.mkdirSync(cwd, { recursive: true });
    rig.step(1);
    const { code } = await rig.run(["run", dir, "--cwd", rig.project], { cwd });
    expect({ dir, code, status: rig.stepNow(name)["status"] }).toEqual({ dir, code: 0, status: DONE });
  }
});

test("R2 a directory without .json is an error that says so", async () => {
  const rig = StepsRig.inWorkTree();
  fs.mkdirSync(join(rig.project, rig.dir));
  rig.write(join(rig.dir, "001-step.md"), "not a step");
  const zh = await refused(rig, [rig.dir, ...ZH]);
  expect(zh.code).toBe(2);
  expect(zh.errors).toEqual([expect.stringContaining("步骤目录中未找到任何 JSON 步骤文件")]);
  const en = await refused(rig, [rig.dir]);
  expect(en.errors).toEqual([expect.stringContaining("no JSON step file found in the steps directory")]);
});

test("R3 a directory with .json files but no NNN-*.json is an error that lists their names", async () => {
  const rig = StepsRig.inWorkTree();
  for (const name of ["notes.json", "1-short.json", "001.json", "a01-step.json"])
    rig.write(join(rig.dir, name), "{}");
  const { code, errors } = await refused(rig, [rig.dir, ...ZH]);
  expect(code).toBe(2);
  expect(errors).toEqual([expect.stringContaining("001.json, 1-short.json, a01-step.json, notes.json")]);
});

test("R4 other .json files are skipped with a warning that lists them, on stderr, in both languages", async () => {
  const rig = StepsRig.inWorkTree();
  rig.step(1);
  for (const name of ["package.json", "12-b.json", "notes.md"])
    rig.write(join(rig.dir, name), "no step at all");
  const zh = await rig.steps();
  expect(zh.stderr).toBe(
    "警告：以下 JSON 文件不符合 NNN-<slug>.json，不会作为步骤执行：12-b.json, package.json\n",
  );
  expect(zh).toMatchObject({ code: 0, report: { totals: { total: 1, passed: 1 } } });
  expect(rig.called()).toEqual(["worker step-001 1", "reviewer step-001 1"]);
  const en = await rig.steps(["--lang", "en"]);
  expect(en.stderr).toBe(
    "warning: not named NNN-<slug>.json, so not taken for steps: 12-b.json, package.json\n",
  );
  expect(rig.read(join(rig.dir, "package.json"))).toBe("no step at all");
});

test("R5 the order is that of the file names, whatever the ids and the order of writing", async () => {
  const rig = StepsRig.inWorkTree();
  rig.step(10, {}, "a");
  rig.step(2, {}, "z");
  rig.step(1000, {}, "late");
  rig.step(1, {}, "b");
  const { stdout } = await rig.steps();
  expect(rig.called().filter((call) => call.startsWith("worker"))).toEqual([
    "worker step-001 1",
    "worker step-002 1",
    "worker step-010 1",
    "worker step-1000 1",
  ]);
  expect(stdout).toContain("001-b.json → 002-z.json → 010-a.json → 1000-late.json");
});

test("R42 run works on the files that analyze writes", async () => {
  const rig = StepsRig.inWorkTree();
  rig.write("req.md", "# Login\n\nUsers log in.\n");
  const steps = ["first thing", "second thing"].map((description, index) => ({
    slug: `part-${index + 1}`,
    description,
    done: index === 0,
    verification: [{ type: "unit", description: `${description} works` }],
  }));
  rig.script({ analyst: { say: JSON.stringify({ name: "登录", steps }) } });
  expect((await rig.run(["analyze", "req.md", "--lang", "zh"])).code).toBe(0);
  const dir = "登录需求实现步骤";
  const ended = await rig.run(["run", dir, ...ZH]);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  expect(rig.called().slice(1)).toEqual(["worker step-002 1", "reviewer step-002 1"]);
  expect(rig.rows(rig.read(join(dir, "run-progress.md")))).toEqual([
    ["001", "001-part-1.json", "step-001", DONE, DONE, "first thing", "未执行", "此前已完成，跳过"],
    ["002", "002-part-2.json", "step-002", TODO, DONE, "second thing", "成功", ""],
  ]);
});
