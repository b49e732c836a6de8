import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DOING, DONE, StepsRig, TODO } from "../rig/steps.ts";
import { refused } from "./refused.ts";

const ITEM = { type: "unit", description: "it works" };

/** The problems of steps with these fields, one file each. Undefined removes a field. */
async function problems(...steps: readonly Readonly<Record<string, unknown>>[]): Promise<string[]> {
  const rig = new StepsRig();
  for (const [index, fields] of steps.entries()) rig.step(index + 1, fields);
  const { code, errors } = await refused(rig, [rig.dir]);
  expect(code).toBe(2);
  expect(errors.at(-1)).toMatch(/^steps cannot be run: \S+ \((?:1 problem|\d+ problems)\)$/);
  return errors.slice(0, -1).map((error) => error.replace(/-step\.json:\d+:\d+/, ""));
}

test("R6 id is a string that is not empty", async () => {
  expect(await problems({ id: undefined }, { id: 1 }, { id: null }, { id: " " })).toEqual([
    "wrong field: 001 id (must be text that is not empty, found nothing)",
    "wrong field: 002 id (must be text that is not empty, found 1)",
    "wrong field: 003 id (must be text that is not empty, found null)",
    'wrong field: 004 id (must be text that is not empty, found " ")',
  ]);
});

test("R6 an id is one short line: agents get it in a variable of their environment", async () => {
  const reported = await problems({ id: "step-\u0000001" }, { id: "two\nlines" }, { id: "x".repeat(201) });
  expect(reported).toEqual([
    expect.stringMatching(/^wrong field: 001 id \(must be one line of at most 200 characters, found "step-/),
    expect.stringMatching(/^wrong field: 002 id \(must be one line of at most 200 characters, found "two/),
    expect.stringMatching(/^wrong field: 003 id \(must be one line of at most 200 characters, found "xxx/),
  ]);
});

test("R7 description is not empty", async () => {
  const bad = [undefined, "", " \n", 7, ["text"]];
  const reported = await problems(...bad.map((description) => ({ description })));
  expect(reported).toEqual(
    ["nothing", '""', '" \\n"', "7", '[ "text" ]'].map(
      (found, index) =>
        `wrong field: 00${index + 1} description (must be text that is not empty, found ${found})`,
    ),
  );
});

test("R8 status is one of 🔴 待完成, 🟡 进行中, 🟢 已完成, to the letter", async () => {
  const bad = [undefined, "待完成", "🟢", "done", "🟢 已完成 ", "🔴  待完成", true];
  const reported = await problems(...bad.map((status) => ({ status })));
  expect(reported.map((text) => text.replace(/found .*/, "found"))).toEqual(
    bad.map(
      (_, index) => `wrong field: 00${index + 1} status (must be 🔴 待完成, 🟡 进行中 or 🟢 已完成, found`,
    ),
  );
  const rig = new StepsRig();
  for (const [index, status] of [TODO, DOING, DONE].entries()) rig.step(index + 1, { status });
  const { code, progress } = await rig.steps();
  expect(code).toBe(0);
  expect(rig.rows(progress).map((row) => row[3])).toEqual([TODO, DOING, DONE]);
  expect(rig.called()).toEqual([
    "worker step-001 1",
    "reviewer step-001 1",
    "worker step-002 1",
    "reviewer step-002 1",
  ]);
});

test("R9 verification is an array of objects with type and description", async () => {
  const reported = await problems(
    { verification: undefined },
    { verification: "all of it" },
    { verification: ["it works", ITEM, { type: 1 }, { description: "d" }, null] },
  );
  expect(reported).toEqual([
    "wrong field: 001 verification (must be a list, found nothing)",
    'wrong field: 002 verification (must be a list, found "all of it")',
    'wrong field: 003 verification[0] (must be an object, found "it works")',
    "wrong field: 003 verification[2].type (must be text, found 1)",
    "wrong field: 003 verification[2].description (must be text that is not empty, found nothing)",
    "wrong field: 003 verification[3].type (must be text, found nothing)",
    "wrong field: 003 verification[4] (must be an object, found null)",
  ]);
});

test("R9 an empty verification list is verified as a whole, and further fields of an item are no harm", async () => {
  const rig = new StepsRig();
  rig.step(1, { verification: [] });
  const name = rig.step(2, { verification: [{ ...ITEM, by: "QA" }] });
  expect((await rig.steps()).code).toBe(0);
  const [, whole] = rig.calls();
  expect(whole?.prompt).toContain("1. [manual] 步骤已按其 description 实现");
  expect(rig.stepNow(name)["verification"]).toEqual([{ ...ITEM, by: "QA" }]);
});

test("R10 unit_test is optional; command is text, files and notes are optional", async () => {
  expect(await problems({ unit_test: "npm test" }, { unit_test: { files: [1], notes: 2 } })).toEqual([
    'wrong field: 001 unit_test (must be an object, found "npm test")',
    expect.stringMatching(/^wrong field: 002 unit_test\.command \(must be a command: .*, found nothing\)$/),
    "wrong field: 002 unit_test.files (must be a list of texts, found [ 1 ])",
    "wrong field: 002 unit_test.notes (must be text, found 2)",
  ]);
  const rig = new StepsRig();
  rig.step(1, { unit_test: { command: "true" } });
  rig.step(2, { unit_test: { command: "true", files: ["a.test.ts"], notes: "all of it" } });
  rig.step(3);
  const { code, report } = await rig.steps();
  expect(code).toBe(0);
  expect(report.steps.map(({ unit_test: unitTest }) => unitTest)).toEqual([
    { command: "true" },
    { command: "true", files: ["a.test.ts"], notes: "all of it" },
    null,
  ]);
});

test("R11 a bad structure is an error that names file, line and column; no other step is run", async () => {
  const rig = new StepsRig();
  rig.step(1);
  rig.write(
    join(rig.dir, "002-broken.json"),
    '{\n  "id": "step-002",\n  "description": "x"\n  "status": 1\n}\n',
  );
  const zh = await refused(rig, [rig.dir, "--lang", "zh"]);
  expect(zh).toMatchObject({
    code: 2,
    errors: [
      "不是 JSON：002-broken.json:4:3（此处应为逗号或结尾）",
      `步骤无法执行：${join(rig.project, rig.dir)}（1 个问题）`,
    ],
  });
  rig.write(
    join(rig.dir, "002-broken.json"),
    '{\n  "id": "step-002",\n  "status": 1,\n  "verification": []\n}\n',
  );
  expect((await refused(rig, [rig.dir])).errors.slice(0, 2)).toEqual([
    "wrong field: 002-broken.json:1:1 description (must be text that is not empty, found nothing)",
    "wrong field: 002-broken.json:3:13 status (must be 🔴 待完成, 🟡 进行中 or 🟢 已完成, found 1)",
  ]);
  expect(rig.stepNow("001-step.json")["status"]).toBe(TODO);
});

test("R11 reports the problems of all files at once, with those of the whole", async () => {
  const rig = new StepsRig();
  rig.write(join(rig.dir, "001-empty.json"), "");
  rig.write(join(rig.dir, "002-list.json"), "[]");
  rig.step(3, { id: 3 });
  rig.step(4, { id: "step-4" }, "a");
  rig.step(4, { id: "step-4" }, "b");
  rig.step(5, { unit_test: { command: "rm -rf /" } });
  const { errors } = await refused(rig, [rig.dir]);
  expect(errors).toEqual([
    "step file is empty: 001-empty.json",
    "not a JSON object: 002-list.json:1:1 (found [])",
    "wrong field: 003-step.json:2:9 id (must be text that is not empty, found 3)",
    "two steps have the same number: 004-a.json, 004-b.json (004)",
    "two steps have the same id: 004-a.json, 004-b.json (step-4)",
    "dangerous command in 005-step.json unit_test.command: rm -rf / (rm_root)",
    `steps cannot be run: ${join(rig.project, rig.dir)} (6 problems)`,
  ]);
});

test("R11 a repeated field is an error with the place of the second, in both languages", async () => {
  const rig = new StepsRig();
  const text = `{
  "id": "step-001",
  "description": "x",
  "status": "${TODO}",
  "verification": [{ "type": "unit", "description": "hard" }],
  "verification": [{ "type": "unit", "description": "easy", "type": "manual" }],
  "status": "${DONE}",
  "unit_test": { "command": "npm test", "command": "true" }
}
`;
  rig.write(join(rig.dir, "001-twice.json"), text);
  const { code, errors } = await refused(rig, [rig.dir]);
  expect(code).toBe(2);
  expect(errors.slice(0, -1)).toEqual([
    "duplicate field: 001-twice.json:6:3 verification",
    "duplicate field: 001-twice.json:7:3 status",
    "duplicate field: 001-twice.json:6:61 verification[0].type",
    "duplicate field: 001-twice.json:8:41 unit_test.command",
  ]);
  const zh = await refused(rig, [rig.dir, "--lang", "zh"]);
  expect(zh.errors[0]).toBe("字段重复：001-twice.json:6:3 verification");
  expect(rig.read(join(rig.dir, "001-twice.json"))).toBe(text);
});

test("R11 of two steps with the same number or id both are at fault in run-progress.md", async () => {
  const rig = new StepsRig();
  rig.step(1, { id: "step-002" }, "first");
  rig.step(2);
  rig.step(3, {}, "a");
  rig.step(3, { id: "step-3" }, "b");
  rig.step(4);
  await refused(rig, [rig.dir, "--lang", "en"]);
  const sameId = "two steps have the same id: 001-first.json, 002-step.json (step-002)";
  const sameNumber = "two steps have the same number: 003-a.json, 003-b.json (003)";
  expect(rig.rows().map((row) => [row[1], row[6], row[7]])).toEqual([
    ["001-first.json", "failed", sameId],
    ["002-step.json", "failed", sameId],
    ["003-a.json", "failed", sameNumber],
    ["003-b.json", "failed", sameNumber],
    ["004-step.json", "not run", ""],
  ]);
});

test("R4 numbers of different lengths are a warning: the order is by file name", async () => {
  const rig = new StepsRig();
  rig.step(999);
  rig.step(1000);
  const zh = await rig.steps();
  expect(zh.stderr).toContain("警告：步骤序号位数不一致：1000-step.json、999-step.json（步骤按文件名");
  expect(rig.called()[0]).toBe("worker step-1000 1");
  const en = await rig.steps(["--lang", "en"]);
  expect(en.stderr).toContain(
    "warning: step numbers have different lengths: 1000-step.json, 999-step.json (steps are run in the order of their file names",
  );
});

test("R12 an id that does not fit the number of its file is a warning, in both languages, and the step is run", async () => {
  const rig = new StepsRig();
  rig.step(1, { id: "step-007" });
  rig.step(2, { id: "step-2" });
  rig.step(3, { id: "login-page" });
  const zh = await rig.steps();
  expect(zh.stderr).toContain("警告：id 与文件名不一致：001-step.json（id step-007，序号 001）\n");
  expect(zh.stderr).not.toContain("002-step.json");
  expect(zh).toMatchObject({ code: 0, report: { totals: { passed: 3 } } });
  const en = await rig.steps(["--lang", "en"]);
  expect(en.stderr).toContain(
    "warning: id does not fit the file name: 001-step.json (id step-007, number 001)\n",
  );
});

test("R7 R11 names a misspelt key next to the missing field", async () => {
  const rig = new StepsRig();
  rig.step(1, {
    description: undefined,
    descripton: "Do it",
    verification: [{ type: "unit", desc: "it works" }],
  });
  const { errors } = await refused(rig, [rig.dir]);
  expect(errors.join("\n")).toContain(
    "description (must be text that is not empty, found nothing; is descripton misspelt?)",
  );
  expect(errors.join("\n")).not.toContain("is desc misspelt");
});

test("M15 the next command makes read-only steps writable", async () => {
  const rig = new StepsRig();
  fs.chmodSync(join(rig.project, rig.dir, rig.step(1)), 0o444);
  const { code, stderr } = await rig.run(["run", rig.dir, "--lang", "en"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/\n {2}next {4}chmod u\+w steps\/001-step\.json\n$/);
});
