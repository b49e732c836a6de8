import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DOING, DONE, TODO, type Doing, type StepsEnded, type StepsRig } from "../rig/steps.ts";
import { refused } from "./refused.ts";
import { linesOf, rowOf, stepsRig } from "./scene.ts";

type Played = StepsEnded & { readonly rig: StepsRig };
const FIRST = "001-step.json";
const SECOND = "002-step.json";

/** Three steps, the first with a test. `doing` is the first worker's action. */
async function played(doing: Doing, more: Readonly<Record<string, Doing>> = {}): Promise<Played> {
  const rig = stepsRig();
  rig.step(1, { unit_test: { command: "test -f step-001.txt || test -f made" } });
  rig.step(2);
  rig.step(3);
  rig.script({ "worker step-001": doing, ...more });
  return { ...(await rig.steps()), rig };
}

const edit = (file: string, from: string, to: string): Doing => ({ edit: { [`steps/${file}`]: [from, to] } });

describe("other content of a step's file", () => {
  const TEXTS: [what: string, text: string, mode: number][] = [
    [
      "key order, odd indentation, big numbers, escapes and unknown fields",
      `{\n     "zeta": 12345678901234567890123, "status": "${TODO}",\n     "ratio": 1.0e+5,\n     "id": "step-001",\n     "list": [1,2,\n 3],\n     "description": "caf\\u00e9 \\/ \u{1F600}",\n     "verification": [ {"type":"unit","description":"d","extra":{"deep":[null]}} ],\n     "alpha": -0\n}`,
      0o640,
    ],
    [
      "a byte order mark and CRLF",
      `\ufeff{\r\n\t"id": "step-001",\r\n\t"description": "d",\r\n\t"status": "${TODO}",\r\n\t"verification": [],\r\n\t"x": 1\r\n}\r\n\r\n`,
      0o664,
    ],
    [
      "all on one line",
      `{"id":"step-001","description":"d","status":"\\ud83d\\udd34 待完成","verification":[{"type":"u","description":"d"}]}`,
      0o600,
    ],
  ];
  test.each(TEXTS)("M2 survives a whole run with a repair: %s", async (_, text, mode) => {
    const rig = stepsRig();
    const path = rig.write(`steps/${FIRST}`, text);
    fs.chmodSync(path, mode);
    rig.script({
      "worker step-001 1": { unitTest: { command: "false", notes: "wrong" } },
      "worker step-001 2": { unitTest: { command: "true", files: ["t"] } },
      "reviewer step-001 2": { fail: [1] },
    });
    const { code } = await rig.steps();
    expect(code).toBe(0);
    const now = rig.read(`steps/${FIRST}`);
    // Except for status and test, the bytes are unchanged.
    const withoutTest = now.replace(/,\s*"unit_test":\s?\{[^}]*\}/, "");
    const statusOf = /"status":\s?"[^"]*"/;
    expect(withoutTest.replace(statusOf, "")).toBe(text.replace(statusOf, ""));
    expect(JSON.parse(now.replace("\ufeff", ""))).toMatchObject({
      status: DONE,
      unit_test: { command: "true", files: ["t"] },
    });
    expect(now).not.toContain("wrong");
    expect(fs.statSync(path).mode & 0o777).toBe(mode);
    expect(fs.readdirSync(join(rig.project, "steps")).sort()).toEqual([FIRST, "run-progress.md"]);
  });
});

describe("an unwritable step file", () => {
  test("M15 at the beginning of a round: progress written, the run ends, exit 6", async () => {
    const rig = stepsRig();
    rig.step(1);
    const second = rig.step(2);
    rig.step(3);
    rig.script({ "worker step-001": { chmod: { [`steps/${second}`]: 0o444 } } });
    const { code, progress, report, stdout } = await rig.steps();
    expect(code).toBe(6);
    expect(rig.called()).toEqual(["worker step-001 1", "reviewer step-001 1"]);
    expect(rowOf(progress, "002")).toMatchObject({ before: TODO, after: TODO, result: "失败" });
    expect(rowOf(progress, "002").remark).toContain("步骤文件无法写入");
    expect(rowOf(progress, "003")).toMatchObject({ result: "未执行" });
    expect(report).toMatchObject({ end_reason: "step_write_failed", exit_code: 6, first_failure: "002" });
    expect(stdout).toContain(`✗ [2/3] ${second}：步骤文件无法写入：`);
    expect(fs.statSync(join(rig.project, "steps", second)).mode & 0o777).toBe(0o444);
  });

  test("R29 --full-verify: a read-only step that is done is found before an agent is called", async () => {
    const rig = stepsRig();
    rig.step(1);
    fs.chmodSync(join(rig.project, "steps", rig.step(2, { status: DONE })), 0o444);
    const { code, stderr } = await rig.run(["run", "steps", "--full-verify"]);
    expect(code).toBe(2);
    expect(stderr).toContain("002-step.json");
    expect(rig.calls()).toEqual([]);
  });

  test("M15 R39 from the beginning: starts nothing, however late the step", async () => {
    const rig = stepsRig();
    rig.step(1);
    rig.step(2, { status: DONE });
    rig.step(3);
    for (const name of ["002-step.json", "003-step.json"])
      fs.chmodSync(join(rig.project, "steps", name), 0o444);
    const { code, errors } = await refused(rig, [rig.dir, "--lang", "en"]);
    expect(code).toBe(2);
    expect(errors).toEqual([
      "step file cannot be written: 003-step.json (EACCES: it is read-only)",
      expect.stringMatching(/^steps cannot be run: .* \(1 problem\)$/),
    ]);
    expect(rowOf(rig.progress(), "003")).toMatchObject({ result: "failed" });
    // Steps that this run leaves alone may be read-only.
    expect((await rig.steps(["--only", "1"])).code).toBe(0);
  });

  const LATER: [when: string, doing: Doing, marked: string][] = [
    ["when the agent has made it so and named a test", { unitTest: { command: "true" } }, DOING],
    ["when the agent has made it so and all evidence is in", {}, DOING],
  ];
  test.each(LATER)("M19 after success, %s: an error, progress, the run ends", async (_, doing, marked) => {
    const rig = stepsRig();
    rig.step(1);
    rig.step(2);
    rig.script({ "worker step-001": { ...doing, chmod: { [`steps/${FIRST}`]: 0o444 } } });
    const { code, progress, report, stdout } = await rig.steps();
    expect(code).toBe(6);
    expect(stdout).toContain(`✗ [1/2] ${FIRST}：步骤文件无法写入：`);
    expect(rig.stepNow(FIRST)["status"]).toBe(marked);
    // The progress file shows the content of the step file.
    expect(rowOf(progress, "001")).toMatchObject({ before: TODO, after: marked, result: "失败" });
    expect(rowOf(progress, "002")).toMatchObject({ after: TODO, result: "未执行" });
    expect(report).toMatchObject({ end_reason: "step_write_failed", final_status: "failed" });
    expect(rig.called().filter((call) => call.includes("step-002"))).toEqual([]);
  });

  test("M19 the same where the unit test makes it so", async () => {
    const rig = stepsRig();
    rig.step(1, { unit_test: { command: `chmod 444 steps/${FIRST}` } });
    // In a clean room it would change the room's copy.
    rig.alwaysWith({ cleanRoom: false });
    const { code, progress } = await rig.steps();
    expect(code).toBe(6);
    expect(rig.called()).toEqual(["worker step-001 1", "reviewer step-001 1"]);
    expect(rowOf(progress, "001")).toMatchObject({ after: DOING, result: "失败" });
    // After the person's repair, the run continues with the remaining work.
    fs.chmodSync(join(rig.project, "steps", FIRST), 0o644);
    rig.write(`steps/${FIRST}`, rig.read(`steps/${FIRST}`).replace(`chmod 444 steps/${FIRST}`, "true"));
    expect((await rig.steps()).code).toBe(0);
    expect(rig.stepNow(FIRST)["status"]).toBe(DONE);
  });
});

describe("a step's file that a person edits during the run", () => {
  test("M2 an unknown field is kept, and shown on the screen, in the progress file and in the report", async () => {
    const { code, rig, progress, report, stdout } = await played({
      edit: {
        [`steps/${FIRST}`]: ["{", '{\n  "ticket": "A-1",'],
        [`steps/${SECOND}`]: ["{", '{"later": [1],'],
      },
    });
    expect(code).toBe(0);
    expect(rig.stepNow(FIRST)).toMatchObject({ ticket: "A-1", status: DONE });
    expect(rig.stepNow(SECOND)).toMatchObject({ later: [1], status: DONE });
    expect(stdout).toContain(`! ${FIRST} 在此期间被他人修改：内容保留，状态以本次运行为准`);
    expect(stdout).toContain(`! ${SECOND} 在此期间被他人修改：内容保留，状态以本次运行为准`);
    for (const number of ["001", "002"])
      expect(rowOf(progress, number)).toMatchObject({ result: "成功", remark: "其文件在运行期间被他人修改" });
    expect(report.steps.map(({ edited }) => edited)).toEqual([true, true, false]);
    expect(report.steps[0]?.attempts[0]?.changed_inputs).toEqual(
      [FIRST, SECOND].map((file) => join(rig.project, "steps", file)),
    );
  });

  const MEANINGFUL: [field: string, from: string, to: string][] = [
    ["description", "Do the work of step", "Do nothing of step"],
    ["verification", "it does what", "it need not do what"],
    ["id", '"step-00', '"step-90'],
    ["unit_test", "\n}", ',\n  "unit_test": {"command": "true"}\n}'],
  ];
  test.each(MEANINGFUL)(
    "M15 another %s of a later step: exit 6 at that step, file untouched",
    async (field, from, to) => {
      const { code, rig, progress, report, stdout } = await played(edit(SECOND, from, to));
      expect(code).toBe(6);
      expect(rig.read(`steps/${SECOND}`)).toContain(to);
      expect(rig.stepNow(SECOND)["status"]).toBe(TODO);
      expect(rig.called()).toEqual(["worker step-001 1", "reviewer step-001 1"]);
      expect(stdout).toContain(`✗ [2/3] ${SECOND}：步骤文件在运行期间被修改：${field}`);
      expect(rowOf(progress, "001")).toMatchObject({ after: DONE, result: "成功" });
      expect(rowOf(progress, "002")).toMatchObject({ after: TODO, result: "失败" });
      expect(rowOf(progress, "002").remark.replaceAll("\\", "")).toBe(`步骤文件在运行期间被修改：${field}`);
      expect(rowOf(progress, "003")).toMatchObject({ result: "未执行" });
      expect(report).toMatchObject({ end_reason: "step_file_changed", exit_code: 6, first_failure: "002" });
      expect(report.steps[1]?.error).toBe(`步骤文件在运行期间被修改：${field}`);
    },
  );

  const OF_THE_CURRENT = [
    ...MEANINGFUL.slice(0, 2),
    ["unit_test", "test -f step-001.txt ||", "true ||"] as const,
  ];
  test.each(OF_THE_CURRENT)(
    "M19 another %s of the step under way: never 🟢, exit 6",
    async (field, from, to) => {
      const { code, rig, progress, report, stdout } = await played(edit(FIRST, from, to));
      expect(code).toBe(6);
      expect(rig.read(`steps/${FIRST}`)).toContain(to);
      expect(rig.stepNow(FIRST)["status"]).toBe(DOING);
      expect(stdout).toContain(`✗ [1/3] ${FIRST}：步骤文件在运行期间被修改：${field}`);
      expect(rowOf(progress, "001")).toMatchObject({ after: DOING, result: "失败" });
      expect(report).toMatchObject({ end_reason: "step_file_changed", first_failure: "001" });
      // Edited content neither runs nor gets a review, so no agent is paid for a step that the run does not know.
      expect(stdout).toContain("🧪 执行单元测试: test -f step-001.txt || test -f made\n");
      expect(rig.called()).toEqual(["worker step-001 1"]);
    },
  );

  test("M19 does not believe an agent that sets its own step to 🟢", async () => {
    const { code, rig, report } = await played(edit(FIRST, DOING, DONE), {
      "reviewer step-001": { fail: [1] },
    });
    expect(code).toBe(1);
    expect(rig.stepNow(FIRST)["status"]).toBe(TODO);
    expect(report.steps[0]).toMatchObject({ result: "failed", status_after: TODO, edited: true });
    expect(report.steps[0]?.attempts).toHaveLength(5);
  });

  test("M19 the status of a later step set to 🟢 by the agent is not believed: it is worked on", async () => {
    const { code, rig, report, progress } = await played(edit(SECOND, TODO, DONE));
    expect(code).toBe(0);
    expect(rig.called()).toContain("worker step-002 1");
    expect(rig.called()).toContain("reviewer step-002 1");
    expect(report.steps[1]).toMatchObject({ status_before: TODO, edited: true, note: null });
    expect(rowOf(progress, "002")).toMatchObject({ before: TODO, after: DONE, result: "成功" });
  });

  test("M19 takes back a 🟢 of a person who also changed the step's text, and keeps their text", async () => {
    const { code, rig } = await played({
      run: `sed -i 's/${TODO}/${DONE}/; s/Do the work/Do no work/' steps/${SECOND}`,
    });
    expect(code).toBe(6);
    expect(rig.stepNow(SECOND)).toMatchObject({ status: TODO, description: "Do no work of step 2" });
  });

  const BROKEN: [what: string, doing: Doing, said: RegExp][] = [
    [
      "is removed",
      { write: { made: "", [`steps/${SECOND}`]: null } },
      /步骤文件已无法使用：.*002-step\.json/,
    ],
    ["is made invalid", edit(SECOND, TODO, "done"), /步骤文件已无法使用：.*002-step\.json.*status/],
    ["is no JSON any more", edit(SECOND, "{", ""), /步骤文件已无法使用：.*002-step\.json/],
    [
      "becomes a link",
      { run: `mv steps/${SECOND} ../kept && ln -s ../../kept steps/${SECOND}` },
      /步骤文件已无法使用：/,
    ],
    ["becomes a pipe", { run: `rm steps/${SECOND}; mkfifo steps/${SECOND}` }, /步骤文件已无法使用：/],
    ["becomes a directory", { run: `rm steps/${SECOND}; mkdir steps/${SECOND}` }, /步骤文件已无法使用：/],
  ];
  test.each(BROKEN)("M15 a later file that %s: reported, exit 6 at that step", async (_, doing, said) => {
    const { code, rig, progress, report, stdout } = await played(doing);
    expect(code).toBe(6);
    expect(stdout).toMatch(said);
    expect(stdout).toContain(`✗ [2/3] ${SECOND}：`);
    expect(report).toMatchObject({ end_reason: "step_file_invalid", first_failure: "002" });
    expect(report.steps[0]?.attempts[0]?.changed_inputs).toEqual([join(rig.project, "steps", SECOND)]);
    expect(rowOf(progress, "001")).toMatchObject({ result: "成功" });
    expect(rowOf(progress, "002")).toMatchObject({ result: "失败" });
    expect(rowOf(progress, "003")).toMatchObject({ result: "未执行" });
  });

  test("M2 a new step file is reported; the run does the steps it was started with", async () => {
    const { code, rig, report, progress, ...ended } = await played({
      write: { made: "", "steps/004-more.json": '{"id":"step-004"}' },
    });
    expect(code).toBe(0);
    const path = join(rig.project, "steps", "004-more.json");
    expect(linesOf(ended).some((line) => line.startsWith("!") && line.includes("004-more.json"))).toBe(true);
    expect(report.steps[0]?.attempts[0]?.changed_inputs).toEqual([path]);
    expect(report.totals.total).toBe(3);
    expect(progress).not.toContain("004");
  });

  test("M2 a step that is done and is edited afterwards is reported, and does not stop the others", async () => {
    const { code, rig, ...ended } = await played(
      {},
      { "worker step-002": edit(FIRST, "Do the work", "Do more") },
    );
    expect(code).toBe(0);
    expect(linesOf(ended).some((line) => line.startsWith("!") && line.includes(FIRST))).toBe(true);
    expect(rig.stepNow(FIRST)["description"]).toBe("Do more of step 1");
  });
});

describe("run-progress.md", () => {
  test("R40 is correct at the end whatever an agent wrote into it", async () => {
    const { progress } = await played({ run: "echo '| 001 | all done |' > steps/run-progress.md" });
    expect(progress).not.toContain("all done");
    expect(rowOf(progress, "003")).toMatchObject({ after: DONE, result: "成功" });
  });

  test("R40 that became a link is replaced; the link's target does not change", async () => {
    const { code, rig, progress } = await played({
      run: "echo mine > ../precious; ln -sf ../../precious steps/run-progress.md; ln -sf ../../precious steps/run-progress.md.agent-foreman.tmp",
    });
    expect(code).toBe(0);
    expect(rig.read("../precious")).toBe("mine\n");
    expect(fs.lstatSync(join(rig.project, "steps", "run-progress.md")).isFile()).toBe(true);
    expect(rowOf(progress, "003")).toMatchObject({ result: "成功" });
  });

  test("R40 with a directory in its place: it is written all the same", async () => {
    const { code, progress } = await played({
      run: "cd steps; rm run-progress.md; mkdir -p run-progress.md/x",
    });
    expect(code).toBe(0);
    expect(rowOf(progress, "001")).toMatchObject({ before: TODO, after: DONE, result: "成功" });
  });

  test("R40 without the steps directory: exit 6 with a report, and run continues once it is back", async () => {
    const { code, rig, report } = await played({ run: "mv steps ../away" });
    expect(code).toBe(6);
    expect(report).toMatchObject({ end_reason: "step_file_invalid", exit_code: 6 });
    fs.renameSync(join(rig.root, "away"), join(rig.project, "steps"));
    rig.script({});
    expect((await rig.steps()).code).toBe(0);
  });

  test("M19 a link in place of the steps directory: writes nothing through it", async () => {
    const { code, rig, report } = await played({
      run: "cp -r steps ../elsewhere; rm -rf steps; ln -s ../elsewhere steps",
    });
    expect(code).toBe(6);
    expect(report).toMatchObject({ end_reason: "step_file_invalid" });
    const kept = (name: string): string => fs.readFileSync(join(rig.root, "elsewhere", name), "utf8");
    expect(kept(FIRST)).toContain(DOING);
    expect(kept("run-progress.md")).toContain("进行中；");
  });
});
