import { describe, expect, test } from "vitest";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { NODE_TESTS, put, reasonsOf, RIGHT, RoomRig, TEST_ADDS, testOf, WORKS } from "./project.ts";

/** Renames the module and its tests, so that the original tests cannot even be loaded. */
const RENAMES = [
  put("src/sum.js", RIGHT),
  "git rm -q src/add.js test/add.test.js",
  put("test/sum.test.js", TEST_ADDS.replace("../src/add.js", "../src/sum.js")),
].join("\n");

describe("original tests fail, and the agent's versions pass", () => {
  test("are for a person at a terminal to decide about, who is shown both", async () => {
    const rig = new RoomRig();
    const args = rig.superviseArgs({ agent: rig.agent(RENAMES), full: [NODE_TESTS], loops: 1 });
    const terminal = new TerminalSession(rig, args, {}, true);
    await terminal.shows(/1\/1 HELD for you[\s\S]*● refuse/);
    expect(terminal.text()).toContain("- test/add.test.js (deleted)");
    expect(terminal.text()).toMatch(/node --test: with the original tests: exit 1/);
    expect(terminal.text()).toMatch(/node --test: with the agent's tests: exit 0, 2 passed/);
    terminal.press(Key.up);
    await terminal.shows(/● allow/);
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press(Key.enter);
    expect(await terminal.ended).toBe(0);
    const report = rig.report(rig.runIds()[0] ?? "");
    expect(reasonsOf(report)).toEqual([[]]);
    expect(report.attempts[0]?.tests[1]).toMatchObject({ frozen: { exit_code: 1 }, own: { exit_code: 0 } });
  });

  test("are rejected without a terminal, and the person learns of a way", async () => {
    const rig = new RoomRig();
    const { code, report, stdout } = await rig.rounds([RENAMES]);
    expect(code).toBe(1);
    expect(reasonsOf(report)).toEqual([["oracle_changed"]]);
    expect(report.attempts[0]?.tests[1]).toMatchObject({ frozen: { exit_code: 1 }, own: { exit_code: 0 } });
    expect(stdout).toContain("if you want these changes: --allow-oracle-change PATTERN");
  });
});

/** Fails for code without tests. */
const COVERED = `const fs = require("node:fs");
const tests = fs.readdirSync("test").map((name) => fs.readFileSync("test/" + name, "utf8")).join("");
const bare = fs.readdirSync("src").filter((name) => !tests.includes("../src/" + name));
if (bare.length > 0) throw new Error("no test for " + bare.join(", "));
`;
const WITH_RULE = `${NODE_TESTS} && node scripts/covered.js`;
const MODULE = put("src/twice.js", "exports.twice = (a) => 2 * a;\n");

describe("a command that requires more than passing tests", () => {
  test("passes with the new tests, if those of the base pass without them", async () => {
    const rig = new RoomRig({ "scripts/covered.js": COVERED });
    const tested = put(
      "test/twice.test.js",
      testOf("twice", "add(1, 1)", "2")
        .replace("add.js", "twice.js")
        .replaceAll("add", "twice")
        .replace("twice(1, 1)", "twice(1)"),
    );
    const { code, report } = await rig.rounds([`${WORKS}\n${MODULE}`, tested], { full: [WITH_RULE] });
    expect([code, reasonsOf(report)]).toEqual([0, [["full_test_failed"], []]]);
    expect(report.attempts[1]?.tests[1]).toMatchObject({
      frozen: { exit_code: 1, tests: { failed: 0 } },
      own: { exit_code: 0 },
    });
  });

  test("does not have it by new tests that change files of the tree while they run", async () => {
    const rig = new RoomRig({ "scripts/covered.js": COVERED });
    const removes = put(
      "test/aside.test.js",
      'require("node:fs").writeFileSync("scripts/covered.js", "");\nrequire("node:test").test("aside", () => {});\n',
    );
    const { code, report } = await rig.rounds([`${WORKS}\n${MODULE}\n${removes}`], { full: [WITH_RULE] });
    expect([code, reasonsOf(report)]).toEqual([1, [["full_test_failed"]]]);
  });
});

describe("a failing set-up", () => {
  test.each([
    ["nmp ci", "127", ["nmp: not found"]],
    ["echo one; echo two >&2; echo three; exit 3", "3", ["one", "two", "three"]],
    ["npm ci (", "2", ["yntax error"]],
  ])("on the base is bad input: no agent is paid for %s", async (setup, exit, said) => {
    const rig = new RoomRig();
    const { code, stdout, stderr, report, runId } = await rig.supervise({
      agent: rig.agent(WORKS),
      full: [NODE_TESTS],
      more: ["--setup", setup],
    });
    expect(code).toBe(2);
    expect(stderr).toContain(`error: the --setup command failed: \`${setup}\` (exit ${exit})\n`);
    expect(stderr).toContain("next    fix --setup (clean_room.setup in the configuration)");
    expect(stdout).toContain("✗ NOT STARTED: the --setup command failed (setup_failed)");
    expect(stdout).toContain(`why     ${setup}: exit ${exit}\n`);
    for (const line of said) {
      expect(stderr).toContain(line);
      expect(stdout.slice(stdout.indexOf("NOT STARTED"))).toContain(line);
    }
    expect(stdout).toContain("base    true: not run, because --setup failed");
    expect(report).toMatchObject({ final_status: "failed", end_reason: "setup_failed", attempts: [] });
    expect(rig.events(runId).filter(({ type }) => type === "turn_started")).toEqual([]);
    expect((await rig.run(["show", runId])).stdout).toContain("the --setup command failed");
  });

  test("the same in Chinese", async () => {
    const rig = new RoomRig();
    const args = { agent: rig.agent(WORKS), full: [NODE_TESTS], more: ["--setup", "exit 3", "--lang", "zh"] };
    const { stdout, stderr } = await rig.run(rig.superviseArgs(args));
    expect(stderr).toContain("错误：--setup 命令失败：`exit 3`（退出码 3）");
    expect(stderr).toContain("请修正 --setup（配置文件中为 clean_room.setup）");
    expect(stdout).toContain("✗ 未开始：--setup 命令失败 (setup_failed)");
  });

  test("after the work fails the attempt, and the agent learns of it", async () => {
    const rig = new RoomRig();
    const { code, report, stdout } = await rig.rounds([`${WORKS}\ntouch broken`, "rm broken"], {
      more: ["--setup", "test ! -e broken"],
    });
    expect([code, reasonsOf(report)]).toEqual([0, [["fast_test_failed", "room_failed"], []]]);
    const said = "--setup failed: test ! -e broken (exit 1)";
    expect(rig.feedback(report)).toContain(said);
    expect(stdout).toContain(said);
  });
});
