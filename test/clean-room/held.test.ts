import { describe, expect, test } from "vitest";
import { Key, TerminalSession } from "../rig/terminal.ts";
import { NODE_TESTS, put, reasonsOf, RoomRig, TEST_ADDS, WEAKENS, WORKS } from "./project.ts";

/** Changes the test without weakening it. */
const other = (from: string, to: string): string => put("test/add.test.js", TEST_ADDS.replace(from, to));
const FIRST = `${WORKS}\n${other("add(7, 0), 7", "add(70, 0), 70")}`;
const SECOND = other("add(7, 0), 7", "add(0, 7), 7");

/** A run at a terminal whose first attempt is held, because the user wants to see every edit of a test. */
async function held(rig: RoomRig): Promise<TerminalSession> {
  const args = rig.superviseArgs({
    agent: rig.agent(FIRST, SECOND),
    full: [NODE_TESTS],
    loops: 2,
    more: ["--test-changes", "hold"],
  });
  const terminal = new TerminalSession(rig, args, {}, true);
  await terminal.shows(/1\/2 HELD for you[\s\S]*● refuse/);
  return terminal;
}

describe("a person at a terminal", () => {
  test("sees the results of the tests, refuses, and the agent tries again; then allows the edit", async () => {
    const rig = new RoomRig();
    const terminal = await held(rig);
    const asked = terminal.text();
    expect(asked).toContain("HELD for you: the agent modified protected files");
    expect(asked).toContain("- test/add.test.js (changed)");
    expect(asked).toContain('| -test("adds nothing", () => assert.strictEqual(add(7, 0), 7));');
    expect(asked).toContain('| +test("adds nothing", () => assert.strictEqual(add(70, 0), 70));');
    expect(asked).toContain("with the agent's tests: exit 0, 2 passed");
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press("leave the tests alone", Key.enter);
    await terminal.shows(/2\/2 HELD for you[\s\S]*● refuse/);
    terminal.press(Key.up);
    await terminal.shows(/2\/2 HELD for you[\s\S]*● allow/);
    terminal.press(Key.enter);
    await terminal.shows(/Note \(may be empty\)[\s\S]*Note \(may be empty\)/);
    terminal.press(Key.enter);
    await terminal.shows("changed tests allowed by a person");
    expect(await terminal.ended).toBe(0);

    const report = rig.report(rig.runIds()[0] ?? "");
    expect(reasonsOf(report)).toEqual([["oracle_changed"], []]);
    expect(report.attempts.map(({ candidate }) => candidate?.decided)).toEqual(["refuse", "allow"]);
    expect(report.attempts[1]?.candidate?.confirmed).toBe(true);
    expect(report.protected_decisions).toMatchObject([
      { attempt: 1, decision: "refuse", note: "leave the tests alone", via: "terminal" },
      { attempt: 2, decision: "allow", via: "terminal" },
    ]);
    expect(rig.feedback(report)).toContain("A person looked at these changes and refused them.");
  });

  test("a refused change is not asked about again, and the agent learns of the refusal", async () => {
    const rig = new RoomRig();
    const asked = await rig.untilAsked([`echo "//" >> src/add.js\n${WEAKENS}`], {
      fast: [NODE_TESTS],
      loops: 4,
    });
    expect([asked.code, asked.reasons]).toEqual([3, [["oracle_changed"]]]);
    const open = await rig.run(["show", asked.runId]);
    expect(open.stdout).toMatch(
      /agent +2\/\d+ ended[\s\S]*fast undecided: node --test[\s\S]*full undecided: node --test/,
    );
    expect(open.stdout).not.toContain("passed: node --test");
    expect(asked.stdout).toContain(
      "2/4 full undecided: node --test, 2 passed, 0 skipped, only with the agent's tests",
    );
    expect(asked.stdout).not.toContain("passed: node --test");

    const decided = await rig.run(["decide", asked.runId, "refuse"]);
    expect(decided.stdout).toContain("resumed: 2 of 4 attempts used");
    expect(decided.stdout).toContain(
      "2/4 rejected: a person refused these changes of protected files: test/add.test.js (changed) (oracle_changed)",
    );
    expect((await rig.run(["decide", asked.runId, "refuse"])).stderr).toContain("asks nothing now");
    const resumed = await rig.run(["resume", asked.runId]);
    expect(resumed.stdout).not.toContain("HELD for you");
    expect(resumed.stdout).toContain("3/4 rejected: a person refused these changes of protected files");
    expect(resumed.stdout).not.toContain("--allow-oracle-change");
    const original = "with the original tests: exit 1, 1 passed, 1 failed, 0 skipped";
    expect(resumed.stdout).toContain(`3/4 full failed: node --test, ${original}`);
    expect(resumed.stdout).not.toContain("passed: node --test");
    const shown = (await rig.run(["show", asked.runId])).stdout;
    expect(shown.match(/\d\/4 full \w+: node --test/g)).toEqual([
      "1/4 full undecided: node --test",
      "2/4 full undecided: node --test",
      "3/4 full failed: node --test",
      "4/4 full failed: node --test",
    ]);
    expect(
      shown.match(/node --test(?:, |: )with the original tests: exit 1, 1 passed, 1 failed/g),
    ).toHaveLength(12);
    expect(shown).not.toContain("passed: node --test");
    const report = rig.report(asked.runId);
    expect(report.attempts.map(({ candidate }) => candidate?.decided)).toEqual([
      null,
      "refuse",
      "refuse",
      "refuse",
    ]);

    const feedback = rig.feedback(report, 2);
    expect(feedback).toContain("- a person refused your changes of protected files");
    expect(feedback).toContain("Restore the originals: `git checkout");
    expect(feedback).not.toContain("keep the change");
    // Fast and full test are the same command here.
    expect(feedback.match(/^## Tests:/gm)).toHaveLength(1);
    expect(rig.feedback(report)).toContain("keep the change and say why in your final message");
  });

  test("is not asked about tests that fail in the agent's version, whatever the old ones do", async () => {
    const rig = new RoomRig();
    const red = `${WORKS}\n${other("add(7, 0), 7", "add(7, 0), 8")}`;
    const gone = put("test/add.test.js", TEST_ADDS.replace(/test\("adds nothing.*\n/, ""));
    const args = rig.superviseArgs({ agent: rig.agent(red, gone), full: [NODE_TESTS], loops: 2 });
    const terminal = new TerminalSession(rig, args, {}, true);
    await terminal.shows(/2\/2 HELD for you[\s\S]*● refuse/);
    expect(terminal.text()).not.toContain("1/2 HELD");
    // Removed tests are part of the question, and no failure.
    expect(terminal.text()).toContain("with the agent's tests: exit 0, 1 passed");
    terminal.press(Key.up);
    await terminal.shows(/2\/2 HELD for you[\s\S]*● allow/);
    terminal.press(Key.enter);
    await terminal.shows("Note (may be empty)");
    terminal.press(Key.enter);
    expect(await terminal.ended).toBe(0);
    const report = rig.report(rig.runIds()[0] ?? "");
    expect(reasonsOf(report)).toEqual([["full_test_failed", "own_tests_failed"], []]);
    expect(report.attempts[1]?.tests[1]?.lost.some).toEqual(["test/add.test.js: adds nothing"]);
    expect(rig.feedback(report)).toContain("`node --test` failed with your tests: exit code 1");
  });

  test("leaving without an answer allows it later, from anywhere", async () => {
    const rig = new RoomRig();
    const terminal = await held(rig);
    const runId = rig.runIds()[0] ?? "";
    terminal.press(Key.ctrlC);
    expect(await terminal.ended).toBe(3);
    expect(rig.hasReport(runId)).toBe(false);

    const wrong = await rig.run(["decide", runId, "pass"]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("allow");
    const decided = await rig.run(["decide", runId, "allow", "--note", "seen"]);
    expect(decided.code).toBe(0);
    expect((await rig.run(["resume", runId])).code).toBe(0);
    const report = rig.report(runId);
    expect(reasonsOf(report)).toEqual([[]]);
    expect(report.attempts[0]?.candidate).toMatchObject({ decided: "allow", confirmed: true });
    expect(report.protected_decisions).toMatchObject([{ decision: "allow", note: "seen", via: "decide" }]);
  });
});
