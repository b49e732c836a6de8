import fs from "node:fs";
import { describe, expect, test } from "vitest";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { NODE_TESTS, put, RoomRig, WEAKENS } from "./project.ts";

const BREAKS = put("src/add.js", "exports.add = () => 8;\n");
/** Sixty passing tests and one that fails. */
const AMONG_MANY = `const assert = require("node:assert");
const { test } = require("node:test");
for (let at = 0; at < 60; at += 1) test("passes " + at, () => {});
test("adds a list", () => assert.deepStrictEqual([require("../src/add.js").add(1, 2)], [3]));
`;
const FOOTER = /# tests \d|# suites|# duration_ms|# pass/;
const PASSED = /passes \d|^\s*(?:\| )?ok \d/m;

describe("a failed check", () => {
  test("starts with each failing test and its assertion, in every place that a person or agent reads", async () => {
    const rig = new RoomRig({ "test/many.test.js": AMONG_MANY });
    const { report, stdout, runId } = await rig.rounds([BREAKS]);
    const shown = (await rig.run(["show", runId])).stdout;
    const feedback = rig.feedback(report);
    for (const text of [stdout, shown]) {
      expect(text).toMatch(
        /test\/add\.test\.js: adds\n\s*\|? +Expected values to be strictly equal: 8 !== 5\n/,
      );
      expect(text).toMatch(/test\/many\.test\.js: adds a list\n.*\n.*expected: \[ 3 \]\n.*actual: \[ 8 \]\n/);
      expect(text).not.toMatch(FOOTER);
      expect(text).not.toMatch(PASSED);
    }
    expect(feedback).toMatch(
      /\| test\/add\.test\.js: adds\n\| +Expected values to be strictly equal: 8 !== 5\n/,
    );
    expect(feedback).not.toMatch(FOOTER);
    expect(feedback).not.toMatch(PASSED);
    // Before the command's long output.
    expect(feedback.indexOf("8 !== 5")).toBeLessThan(feedback.indexOf("## The full test 1 failed"));
  });

  test("starts with the failing test's own words in Python as well", async () => {
    const rig = new RoomRig({
      "tests/__init__.py": "",
      "tests/test_sum.py": `import unittest
class Sum(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(open("src/value").read().strip(), "3", "the sum")
`,
      "src/value": "3\n",
    });
    const { stdout } = await rig.rounds([put("src/value", "4\n")], {
      full: ["python3 -m unittest discover -s tests -t ."],
    });
    expect(stdout).toMatch(/tests\/test_sum\.py: Sum > test_adds\n.*AssertionError: '4' != '3'\n/);
  });

  const LONG = "abcdefghij".repeat(40);
  test.each([
    ["read test by test", NODE_TESTS],
    ["of a runner that is not known", "sh compare.sh"],
  ])("shows where two long values differ: %s", async (_, full) => {
    const rig = new RoomRig({
      "src/add.js": `exports.add = () => "${LONG}RIGHT";\n`,
      "test/add.test.js": `const { add } = require("../src/add.js");
require("node:test").test("long", () => require("node:assert").strictEqual(add(), "${LONG}RIGHT"));
`,
      "compare.sh": `actual=$(node -p 'require("./src/add.js").add()')
echo "Expected: ${LONG}RIGHT"
echo "Received: $actual"
test "$actual" = "${LONG}RIGHT"
`,
    });
    const wrong = put("src/add.js", `exports.add = () => "${LONG}WRONG";\n`);
    const { report, stdout, runId } = await rig.rounds([wrong], { full: [full] });
    const shown = (await rig.run(["show", runId])).stdout;
    for (const text of [stdout, shown, rig.feedback(report)]) {
      expect(text).toMatch(/[Ee]xpected: \.\.\. \w{40}RIGHT\n/);
      expect(text).toMatch(/(?:actual|Received): \.\.\. \w{40}WRONG\n/);
    }
  });

  test("wraps a long word on a terminal instead of cutting it", async () => {
    const rig = new RoomRig({
      "check.sh": "echo error: the file $(cat src/name) is missing; test -e src/done\n",
    });
    const agent = rig.agent(put("src/name", `${"folder/".repeat(20)}last\n`));
    const args = rig.superviseArgs({ agent, fast: ["sh check.sh"], loops: 1 });
    const terminal = new TerminalSession(rig, args, {}, true);
    await terminal.shows(/● Continue/);
    expect(terminal.text().replaceAll(/\s*\n\s*/g, "")).toContain(`${"folder/".repeat(20)}last`);
    terminal.press(Key.ctrlC);
    await terminal.ended;
  });

  test("names its reasons in words, with the code in brackets", async () => {
    const rig = new RoomRig();
    const { stdout } = await rig.rounds([BREAKS]);
    expect(stdout).toContain("verdict 1/1 rejected: full tests failed (full_test_failed)");
  });
});

describe("at a terminal", () => {
  test("the question at the limit shows the failing tests, and lines wrap between words", async () => {
    const long = "a title of so many words that no line of eighty columns holds all of them at once".repeat(
      2,
    );
    const rig = new RoomRig({
      "test/long.test.js": `require("node:test").test(${JSON.stringify(long)}, () => { throw new Error("no such sum"); });\n`,
    });
    const args = rig.superviseArgs({ agent: rig.agent(BREAKS), full: [NODE_TESTS], loops: 1 });
    const terminal = new TerminalSession(rig, args, {}, true);
    await terminal.shows(/● Continue/);
    const asked = terminal.text().slice(terminal.text().indexOf("Ctrl-C"));
    expect(asked).toContain("Expected values to be strictly equal: 8 !== 5");
    expect(asked).toContain("no such sum");
    terminal.press(Key.ctrlC);
    await terminal.ended;
    const words = new Set(long.split(" "));
    const pieces = terminal
      .text()
      .split(/\s+/)
      .filter((piece) => /^[a-z]{4,}$/.test(piece));
    expect(pieces.filter((piece) => long.includes(piece) && !words.has(piece))).toEqual([]);
  });
});

describe("edits of tests that a person refuses", () => {
  test("are not called passed: the originals that fail are listed on screen, in show and in the feedback", async () => {
    const rig = new RoomRig();
    const args = rig.superviseArgs({ agent: rig.agent(WEAKENS), full: [NODE_TESTS], loops: 1 });
    const terminal = new TerminalSession(rig, args, {}, true);
    await terminal.shows(/1\/1 HELD for you[\s\S]*● refuse/);
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press(Key.enter);
    await terminal.shows(/✗ 1 rejected/);
    await terminal.shows(/● Continue/);
    terminal.press(Key.ctrlC);
    await terminal.ended;
    const screen = terminal.text().slice(terminal.text().indexOf("✗ 1 rejected"));
    const runId = rig.runIds()[0] ?? "";
    const shown = (await rig.run(["show", runId])).stdout;
    const judged = rig.events(runId).find((event) => event.type === "attempt_judged");
    const feedback = judged?.type === "attempt_judged" ? fs.readFileSync(judged.feedback.path, "utf8") : "";
    for (const text of [screen, shown, feedback]) {
      expect(text).toContain("test/add.test.js: adds");
      expect(text).toContain("Expected values to be strictly equal: -1 !== 5");
    }
    expect(screen).not.toMatch(/full tests passed(?!\s+only)/);
    expect(screen.replaceAll(/\s+/g, " ")).toContain("full tests passed only with the agent's tests");
    expect(shown).not.toContain("passed: node --test");
    expect(feedback).not.toContain("The checks ran with the original version of these files.");
    expect(feedback).toContain("With your version of the tests the command passed.");
  });
});

describe("the summary gives the cause if no test does", () => {
  const AFTER_WORK = "test -e src/work || exit 0\n";
  const WORK = put("src/work", "done\n");
  const summaryOf = (stdout: string): string => stdout.slice(stdout.indexOf("\n✗ REJECTED"));

  test.each([
    [
      "a runner that is not known",
      "echo one; echo two; echo 'the sum is wrong'; exit 4\n",
      "why     full tests failed: sh check.sh, exit 4 (full_test_failed)\n          | one\n          | two\n          | the sum is wrong\n",
    ],
    [
      "a check that takes too long",
      "echo waiting; sleep 60\n",
      "why     full tests failed: sh check.sh, timed out after 2.0s (full_test_failed)\n",
    ],
    [
      "a check that is killed by a signal",
      "kill -SEGV $$\n",
      "why     full tests failed: sh check.sh, exit 139 (SIGSEGV) (full_test_failed)\n",
    ],
  ])("%s", async (_, check, why) => {
    const rig = new RoomRig({ "check.sh": AFTER_WORK + check });
    const more = ["--test-timeout-sec", "2"];
    const { stdout } = await rig.rounds([WORK], { full: ["sh check.sh"], more });
    expect(summaryOf(stdout)).toContain(why);
  });

  test.each([
    ["crashes", "echo 'no such model' >&2; exit 3", "exit 3 (agent_exit_nonzero)", "| no such model\n"],
    ["is killed", "echo gone >&2; kill -SEGV $$", "(SIGSEGV) (agent_exit_nonzero)", "| gone\n"],
    [
      "takes too long",
      "echo thinking >&2; sleep 60",
      "agent, timed out after 1.0s (timeout)",
      "| thinking\n",
    ],
  ])("an agent that %s", async (_, agent, reason, said) => {
    const rig = new RoomRig();
    const more = ["--agent-timeout-sec", "1"];
    const { stdout } = await rig.supervise({ agent, loops: 1, more });
    expect(summaryOf(stdout)).toContain(reason);
    expect(summaryOf(stdout)).toContain(said);
  });
});
