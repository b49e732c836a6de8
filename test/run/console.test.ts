import { join } from "node:path";
import { expect, test } from "vitest";
import { visible } from "../../src/text/text.ts";
import { DONE, StepsRig } from "../rig/steps.ts";
import { TerminalSession } from "../rig/terminal.ts";

const FAILS = { command: "echo no such thing; exit 3" };

/** One done step, one that needs a repair, one that never works, one that is not reached. */
function eventful(rig: StepsRig): void {
  rig.step(1, { status: DONE }, "setup");
  rig.step(2, { description: `${"长".repeat(100)}\nsecond line` }, "auth");
  rig.step(3, { unit_test: FAILS }, "page");
  rig.step(4, {}, "rest");
  rig.script({ "reviewer step-002 1": { fail: [1], evidence: "nothing there" } });
}

test("R32 R33 R34 the complete output of a run in Chinese", async () => {
  const rig = new StepsRig();
  eventful(rig);
  const { code, stdout, stderr } = await rig.steps();
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  const lines = stdout.split("\n");

  // R32
  expect(lines[1]).toMatch(/4 个步骤/);
  expect(lines[1]).toContain("001-setup.json → 002-auth.json → 003-page.json → 004-rest.json");

  // R33
  const head = lines.find((line) => line.startsWith("[2/4] "));
  expect(head).toMatch(/^\[2\/4\] 002-auth\.json step-002 {2}🔴 待完成 {2}长{20,60}\.\.\.$/);
  expect(stdout).not.toContain("second line");
  expect(stdout).toContain("[3/4] 003-page.json step-003  🔴 待完成  Do the work of step 3\n");
  expect(stdout).toContain("[1/4] 001-setup.json step-001  🟢 已完成  此前已完成，跳过\n[2/4] ");
  expect(stdout).not.toMatch(/^\[4\/4\]/m);
  const changes = lines.filter((line) => line.startsWith("状态更新: "));
  const round = ["状态更新: 🔴 待完成 → 🟡 进行中", "状态更新: 🟡 进行中 → 🔴 待完成"];
  expect(changes).toEqual([
    ...round,
    "状态更新: 🔴 待完成 → 🟡 进行中",
    "状态更新: 🟡 进行中 → 🟢 已完成",
    ...[1, 2, 3, 4, 5].flatMap(() => round),
  ]);
  expect(lines.filter((line) => line.startsWith("🔁"))).toEqual([
    "🔁 [2/4] 第 1/5 次尝试执行该步骤（首次尝试）...",
    "🔁 [2/4] 第 2/5 次尝试执行该步骤（基于上一轮失败原因进行修复）...",
    "🔁 [3/4] 第 1/5 次尝试执行该步骤（首次尝试）...",
    ...[2, 3, 4, 5].map((k) => `🔁 [3/4] 第 ${k}/5 次尝试执行该步骤（基于上一轮失败原因进行修复）...`),
  ]);

  // R34
  const end = lines.slice(lines.findIndex((line) => line.startsWith("✗ 未通过"))).join("\n");
  expect(end).toMatch(/总步骤数 4：成功 1，失败 1，此前已完成 1，未执行 1/);
  expect(end).toMatch(/003-page\.json step-003[:：] ?单元测试失败: echo no such thing; exit 3 \(退出码 3\)/);
  expect(end).toContain(join(rig.project, rig.dir, "run-progress.md"));
});

test("R32 R33 R34 the output of a run in English", async () => {
  const rig = new StepsRig();
  eventful(rig);
  const { code, stdout, progress } = await rig.steps(["--lang", "en"]);
  expect(code).toBe(1);
  for (const line of [
    "4 steps, 1 done: 001-setup 002-auth 003-page 004-rest\n",
    "[3/4] 003-page.json step-003  🔴 待完成  Do the work of step 3\n",
    "status: 🔴 待完成 → 🟡 进行中\n🔁 [3/4] attempt 1/5 (first)...\n",
    "🔁 [3/4] attempt 2/5 (repairs the last failure)...\n",
    "🧪 unit test: echo no such thing; exit 3\n✗ unit test failed\n  exit 3\n  | no such thing\n",
    "✗ verification failed: 1 of 1 items failed: 1. it does what step 2 says - nothing there\n",
    "✓ the step passed all tests and its verification after attempt 2\n",
    "4 in all: 1 succeeded, 1 failed, 1 done before, 1 not run\n",
    "003-page.json step-003: unit test failed: echo no such thing; exit 3 (exit code 3)\n",
    "run-progress.md\n",
  ])
    expect(stdout).toContain(line);
  // Statuses are values in files; all other text is in the user's language.
  const rest = (text: string): string => text.replaceAll(/[🔴🟡🟢] (?:待完成|进行中|已完成)|长+/gu, "");
  expect(rest(stdout)).not.toMatch(/\p{Script=Han}/u);
  expect(rest(progress)).not.toMatch(/\p{Script=Han}/u);
  for (const { prompt } of rig.calls()) expect(rest(prompt)).not.toMatch(/\p{Script=Han}/u);
});

test("R32 of many steps only the first are shown beforehand", async () => {
  const rig = new StepsRig();
  for (let number = 1; number <= 30; number++) rig.step(number, { status: DONE });
  const { stdout } = await rig.steps();
  const [, preview = ""] = stdout.split("\n");
  expect(preview).toContain("30 个步骤");
  expect(preview).toContain("001-step.json → 002-step.json");
  expect(preview).toMatch(/ 等$/);
  expect(preview).not.toContain("030-step.json");
});

test("the language is the locale's, unless the configuration or --lang says otherwise", async () => {
  const rig = new StepsRig();
  rig.step(1, { status: DONE });
  const zh = { env: { LANG: "zh_CN.UTF-8" } };
  expect((await rig.run(["run", rig.dir], zh)).stdout).toContain("发现 1 个步骤文件");
  expect(rig.progress()).toContain("# run 进度报告");
  expect((await rig.run(["run", rig.dir, "--lang", "en"], zh)).stdout).toContain("1 step, 1 done");
  expect(rig.progress()).toContain("# Progress of the run");
  expect((await rig.run(["run", rig.dir])).stdout).toContain("1 step, 1 done");
  rig.profiles(["stepper"], "lang: zh\n");
  expect((await rig.run(["run", rig.dir])).stdout).toContain("发现 1 个步骤文件");
});

test("R33 foreign text cannot draw on the terminal", async () => {
  const rig = new StepsRig();
  rig.step(1, { description: "\u001b[31mred\u001b[0m\u202Eevil" });
  const { stdout, progress } = await rig.steps();
  for (const text of [stdout, progress]) {
    expect(text).toContain("red");
    expect(text).toBe(
      text
        .split("\n")
        .map((line) => visible(line))
        .join("\n"),
    );
  }
});

test("when piped, every line begins with its time, unless it belongs to the one above; the summary has none", async () => {
  const rig = new StepsRig();
  rig.step(1, { status: DONE });
  rig.step(2, { unit_test: { command: "test -f fixed || { echo no such thing; exit 3; }" } });
  rig.script({ "worker step-002 2": { write: { fixed: "" } } });
  const { piped, stdout } = await rig.steps();
  const history = piped.slice(0, piped.indexOf("\n\n")).split("\n");
  expect(history.filter((line) => !/^(?:\d\d:\d\d:\d\d \S| {2})/u.test(line))).toEqual([]);
  const times = history.flatMap((line) => /^\d\d:\d\d:\d\d/.exec(line) ?? []);
  expect(times.length).toBeGreaterThan(10);
  expect(piped).toMatch(/\n\d\d:\d\d:\d\d 🧪 执行单元测试: test -f fixed /);
  expect(piped.slice(piped.indexOf("\n\n"))).toBe(stdout.slice(stdout.indexOf("\n\n")));
});

test("on a terminal the lines have no time", async () => {
  const rig = new StepsRig();
  rig.step(1, { unit_test: { command: "true" } });
  const terminal = new TerminalSession(rig, ["run", rig.dir, "--lang", "zh"]);
  expect(await terminal.ended).toBe(0);
  const lines = terminal.text().split("\n");
  expect(lines).toContain("🧪 执行单元测试: true");
  expect(lines.filter((line) => /^\d\d:\d\d:\d\d/.test(line))).toEqual([]);
});

test("R28 every 🟢 step that is skipped prints a line, also the last ones", async () => {
  const rig = new StepsRig();
  for (const number of [1, 2, 4, 5]) rig.step(number, { status: DONE });
  rig.step(3);
  rig.step(6, { status: DONE });
  const { code, stdout } = await rig.steps(["--lang", "en", "--only", "1,2,3,5"]);
  expect(code).toBe(0);
  expect(stdout.split("\n").filter((line) => line.startsWith("["))).toEqual([
    `[1/6] 001-step.json step-001  ${DONE}  skipped: already done`,
    `[2/6] 002-step.json step-002  ${DONE}  skipped: already done`,
    "[3/6] 003-step.json step-003  🔴 待完成  Do the work of step 3",
    `[5/6] 005-step.json step-005  ${DONE}  skipped: already done`,
  ]);
});
