import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { put, RIGHT, RoomRig, testOf, WORKS } from "./project.ts";

const BROKEN_TEST = put("test/mine.test.js", testOf("is mine", "add(1, 1)", "3"));

/** The test file fails at its first import. */
function withoutProduct(): RoomRig {
  const rig = new RoomRig();
  fs.rmSync(join(rig.project, "src/add.js"));
  rig.commit({});
  return rig;
}

test("quotes the failing run everywhere if only the agent's own tests fail", async () => {
  const rig = new RoomRig({ "src/add.js": RIGHT });
  const work = `echo '// faster' >> src/add.js\n${BROKEN_TEST}`;
  const { code, stdout, report, runId } = await rig.rounds([work]);
  expect(code).toBe(1);
  const feedback = rig.feedback(report);
  expect(feedback).toContain("## `node --test` failed with your tests: exit code 1");
  expect(feedback).toMatch(/^\| .*Expected values to be strictly equal/m);
  expect(feedback).toContain("### new test, failing: 1\n\n| test/mine.test.js: is mine\n");
  expect(feedback).not.toContain("exit code 0");
  expect(feedback.match(/All of it .*/g)).toEqual([expect.stringMatching(/full-1\.own\.log$/)]);

  const { stdout: story } = await rig.run(["show", runId]);
  for (const screen of [stdout, story]) {
    expect(screen).toMatch(/with the agent's tests: exit 1, 2 passed \(1 new\), 1 failed, 0 skipped/);
    expect(screen).toMatch(/new test, failing +test\/mine\.test\.js: is mine/);
    expect(screen).toContain("full-1.own.log");
    expect(screen).not.toContain("full-1.log");
    expect(screen).not.toMatch(/node --test[^\n]*exit 0/);
  }
  expect(stdout).toMatch(/why +full tests failed: node --test, with the agent's tests: 1 of 3 failed/);
});

test("tests of a file that could not be loaded before are failing, not new", async () => {
  const rig = withoutProduct();
  const wrong = put("src/add.js", "exports.add = (a, b) => a * b;\n");
  const rejected = await rig.rounds([wrong]);
  expect(rig.feedback(rejected.report)).toMatch(/### failing: 2\n\n\| test\/add\.test\.js: adds\n/);
  expect(rejected.stdout).not.toMatch(/new test|passed \(/);
  const accepted = await withoutProduct().rounds([WORKS]);
  expect(accepted.code).toBe(0);
  expect(accepted.stdout).toContain("2 passed, 0 skipped");
});

test("a comment in a test file is not announced as a test", async () => {
  const rig = new RoomRig();
  const work = `${WORKS}\necho '// more' >> test/add.test.js`;
  const { stdout } = await rig.rounds([work]);
  expect(stdout).toContain("lines were added to test files: test/add.test.js");
});
