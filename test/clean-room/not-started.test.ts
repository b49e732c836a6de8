import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NODE_TESTS, RoomRig, WORKS } from "./project.ts";

const SCRIPTS = JSON.stringify({ name: "demo", scripts: { test: "vitset run" } });

/** The output of a run that never called its agent. */
async function refused(rig: RoomRig, commands: { fast?: string[]; full?: string[]; more?: string[] }) {
  const args = rig.superviseArgs({ agent: "touch ../paid; claim", full: [NODE_TESTS], ...commands });
  const { code, stdout, stderr } = await rig.run(args);
  const runId = rig.runIds()[0] ?? "";
  expect(fs.existsSync(rig.outside("paid"))).toBe(false);
  expect(rig.survivors()).toEqual([]);
  return { code, stdout, stderr, runId, report: rig.report(runId) };
}

describe("a test command that cannot start ends the run before the agent is paid", () => {
  test.each([
    ["vitset", "127", "test command not found: `vitset` (exit 127)", /^ {2}.*sh: (?:1: )?vitset: /m],
    ["./nothing.sh --all", "127", "test command not found: `./nothing.sh --all` (exit 127)", /nothing\.sh/],
    ["./plain.txt", "126", "test command cannot be executed: `./plain.txt` (exit 126)", /plain\.txt/],
    [
      "npm test",
      "127",
      "test command runs a program that is not installed: `npm test` (exit 127)",
      /sh: (?:1: )?vitset: .*\n {2}next {4}install the project's dependencies/,
    ],
    ["npm tset", "1", "test command names a script that does not exist: `npm tset` (exit 1)", /tset/],
    ["npm run tset", "1", "test command names a script that does not exist: `npm run tset` (exit 1)", /tset/],
    ["node --test && npm run tset", "1", "test command names a script that does not exist", /tset/],
  ])("S22 %s", async (command, exit, message, said) => {
    const rig = new RoomRig({
      "package.json": SCRIPTS,
      "plain.txt": "no program\n",
      "src/add.js": "exports.add = (a, b) => a + b;\n",
    });
    fs.chmodSync(join(rig.project, "plain.txt"), 0o644);
    const { code, stdout, stderr, report } = await refused(rig, { fast: [command] });
    expect(code).toBe(2);
    expect(stderr).toContain(`error: ${message}`);
    expect(stderr).toMatch(said);
    expect(stderr).toContain(
      "fix --test-fast (tests.fast in the configuration)\n          agent-foreman init suggests test commands\n",
    );
    expect(stdout).toContain(`exit ${exit}`);
    expect(stdout).toContain("✗ NOT STARTED: a test command cannot start (test_cannot_start)");
    expect(`${stdout}${stderr}`.match(/^ {2}next /gm)).toHaveLength(1);
    expect(report).toMatchObject({
      final_status: "failed",
      end_reason: "test_cannot_start",
      exit_code: 2,
      attempts: [],
    });
  });

  test("S23 the full tests, too, with the flag's name in the message; in Chinese as well", async () => {
    const rig = new RoomRig();
    const { code, stderr, stdout } = await refused(rig, { full: ["vitset"], more: ["--lang", "zh"] });
    expect(code).toBe(2);
    expect(stderr).toContain("错误：找不到测试命令：`vitset`（退出码 127）");
    expect(stderr).toContain("--test-full");
    expect(stdout).toContain("未开始：测试命令无法启动 (test_cannot_start)");
  });

  test("the run has ended: `runs` and `show` show the cause, `resume` does not continue it", async () => {
    const rig = new RoomRig();
    const { runId } = await refused(rig, { fast: ["vitset"] });
    expect((await rig.run(["runs"])).stdout).toMatch(new RegExp(`${runId} +supervise +✗ not started +0/6`));
    const shown = await rig.run(["show", runId]);
    expect(shown.stdout).toContain("NOT STARTED: a test command cannot start (test_cannot_start)");
    expect(shown.stdout).toMatch(/vitset: (?:command )?not found/);
    const resumed = await rig.run(["resume", runId]);
    expect(resumed).toMatchObject({ code: 2 });
    expect(resumed.stdout + resumed.stderr).toContain("test_cannot_start");
  });

  test("a conversation without a terminal does not begin either", async () => {
    const rig = new RoomRig();
    rig.write("SUPERVISOR.md", "Review.\n");
    const env = rig.withAgents({ CLAUDE_DOES: "work" });
    const { code, stderr } = await rig.run(
      ["chat", "--print", "do it", "--check", "vitset", "--agent", "claude"],
      { env },
    );
    expect(code).toBe(2);
    expect(stderr).toContain("test command not found: `vitset` (exit 127)");
    expect(stderr).toContain("fix --check");
  });
});

describe("a test that started and failed is not bad input", () => {
  test("S22 a script of the package that calls another one, which the task is to create", async () => {
    const scripts = { test: "npm run build && node --test" };
    const rig = new RoomRig({ "package.json": JSON.stringify({ name: "demo", scripts }) });
    const built = JSON.stringify({ name: "demo", scripts: { ...scripts, build: "true" } });
    const agent = rig.agent(`echo '${built}' > package.json`);
    const { report } = await rig.supervise({ agent, fast: ["npm test"], loops: 1 });
    expect(report.end_reason).not.toBe("test_cannot_start");
    expect(report.attempts).toHaveLength(1);
  });

  test("S22 a script of the project that calls a program the task must create", async () => {
    const rig = new RoomRig({ "check.sh": "./hello.sh\n" });
    const agent = rig.agent("printf '#!/bin/sh\\necho hi\\n' > hello.sh; chmod +x hello.sh");
    const { report } = await rig.supervise({ agent, fast: ["sh check.sh"], loops: 1 });
    expect(report.base?.tests).toMatchObject([{ exit_code: 127 }, { exit_code: 0 }]);
    expect(report.attempts).toMatchObject([{ fast_tests_passed: true }]);
  });

  test("S22 failed tests of a runner whose exit code is their number", async () => {
    const many = `for (let i = 0; i < 127; i++) require("node:test").test("t" + i, () => { if (require("../src/add.js").add(1, 1) !== 2) throw new Error("no"); });
process.on("exit", (code) => { process.exitCode = code === 0 ? 0 : 127; });\n`;
    const rig = new RoomRig({ "test/many.js": many });
    const { code, report } = await rig.rounds([WORKS], { full: ["node test/many.js"] });
    expect([code, report.end_reason]).toEqual([0, "accepted"]);
  });
});

describe("without tests before the work, a program that is not on PATH is refused", () => {
  test("--no-clean-room: starts nothing at all", async () => {
    const rig = new RoomRig();
    const args = { agent: "touch ../paid; claim", fast: ["vitset run"], full: [NODE_TESTS] };
    const { code, stdout, stderr } = await rig.run(rig.superviseArgs({ ...args, more: ["--no-clean-room"] }));
    expect([code, stdout, rig.runIds()]).toEqual([2, "", []]);
    expect(stderr).toBe(
      `error: test command not found: \`vitset run\` (no program vitset on PATH)
  next    fix --test-fast (tests.fast in the configuration)
          agent-foreman init suggests test commands
`,
    );
  });

  test.each([
    ["test -d src", "a builtin"],
    ["vitset || node --test", "another command follows"],
    ["PATH=$PWD/bin:$PATH vitset", "a PATH of its own"],
    ["./later.sh", "a file that the work may create"],
  ])("--no-clean-room: %s is not judged by its name", async (fast) => {
    const rig = new RoomRig();
    const args = { agent: "touch ../paid; claim", fast: [fast], full: [NODE_TESTS], loops: 1 };
    await rig.run(rig.superviseArgs({ ...args, more: ["--no-clean-room"] }));
    expect(fs.existsSync(rig.outside("paid"))).toBe(true);
  });
});
