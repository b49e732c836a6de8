import { expect, test } from "vitest";
import { DONE, TODO, type StepsRig } from "../rig/steps.ts";
import { stepsRig } from "./scene.ts";

const testOf = (...lines: readonly string[]): string =>
  ['const { test } = require("node:test");', 'const assert = require("node:assert");', ...lines, ""].join(
    "\n",
  );
const GREETS = `test("greets", () => assert.match(require("../greet.js")(), /^hello/));`;
const ENDS = `test("ends", () => assert.match(require("../greet.js")(), /!$/));`;
const greeting = (text: string): string => `module.exports = () => "${text}";\n`;

/** The second step continues the work of the first, including its tests. */
function twoSteps(
  second: Readonly<Record<string, string | null>>,
  command: string,
  first = "node --test test/first.js",
): StepsRig {
  const rig = stepsRig();
  rig.alwaysWith({ cleanRoom: true });
  rig.write("test/README.md", "tests\n");
  rig.step(1, { unit_test: { command: first } });
  rig.step(2, { unit_test: { command } });
  rig.script({
    "worker step-001": { write: { "greet.js": greeting("hello"), "test/first.js": testOf(GREETS) } },
    "worker step-002": { write: second },
  });
  return rig;
}

test("R25 a later step may edit the test of an earlier one as long as the original passes", async () => {
  const rig = twoSteps(
    { "greet.js": greeting("hello!"), "test/first.js": testOf(GREETS, ENDS) },
    "node --test test/first.js",
  );
  const { code, stdout } = await rig.steps(["--lang", "en"]);
  expect([code, rig.stepNow("002-step.json")["status"]]).toEqual([0, DONE]);
  expect(stdout).toContain(
    "protected files edited; the original tests passed at that step, too: test/first.js",
  );
});

test("R25 a later step may rename the test of an earlier one", async () => {
  const rig = twoSteps(
    { "greet.js": greeting("hello!"), "test/first.js": null, "test/renamed.js": testOf(GREETS) },
    "node --test test/",
    "node --test test/",
  );
  const { code } = await rig.steps(["--lang", "en"]);
  expect([code, rig.stepNow("002-step.json")["status"]]).toEqual([0, DONE]);
});

test("R24 holds a later step that breaks the test of an earlier one, though its own unit test does not run it", async () => {
  const rig = twoSteps(
    {
      "greet.js": greeting("good day!"),
      "test/first.js": testOf(GREETS.replace("^hello", "^good")),
      "test/second.js": testOf(ENDS),
    },
    "node --test test/second.js",
  );
  const { code, stdout } = await rig.steps(["--lang", "en"]);
  expect(code).toBe(3);
  expect(rig.called().filter((call) => call.startsWith("worker step-002"))).toHaveLength(2);
  expect(stdout).toMatch(/node --test test\/first\.js: with the original tests: exit 1/);
  const [runId = ""] = rig.runIds();
  const decided = await rig.run(["decide", runId, "allow"]);
  expect(decided.code).toBe(0);
  expect((await rig.run(["resume", runId])).code).toBe(0);
  expect(rig.stepNow("002-step.json")["status"]).toBe(DONE);
});

test("R25 a step whose worker changes nothing is not done, and the second time a person is asked", async () => {
  const rig = twoSteps({}, "node --test test/first.js");
  const { code, runId, stdout } = await rig.steps(["--lang", "en"]);
  expect([code, rig.stepNow("002-step.json")["status"]]).toEqual([3, TODO]);
  const reasons = rig
    .events(runId)
    .flatMap((event) => (event.type === "attempt_judged" ? [event.reasons] : []));
  expect(reasons).toEqual([[], ["nothing_changed"], ["nothing_changed"]]);
  // The verdict is known without it.
  expect(rig.called().filter((call) => call.startsWith("reviewer step-002"))).toEqual([]);
  expect(stdout).toContain("start the run with --allow-no-change (nothing_changed)");
  const prompts = rig.calls().map(({ prompt }) => prompt);
  expect(prompts.at(-1)).toContain("you changed no file");
  expect(prompts.join("\n")).not.toContain("--allow-no-change");
});

test("uses up rounds that a person grants to a step whose worker changes nothing, and not for the next step", async () => {
  const rig = stepsRig();
  rig.step(1, { unit_test: { command: "true" } });
  rig.step(2, { unit_test: { command: "true" } });
  rig.script({ worker: { write: {} }, "worker step-001 4": { write: { "work.txt": "done" } } });
  const { code, runId } = await rig.steps(["--lang", "en"]);
  expect(code).toBe(3);
  await rig.run(["decide", runId, "continue", "5"]);
  expect((await rig.run(["resume", runId])).code).toBe(3);
  expect(rig.called().filter((call) => call.startsWith("worker"))).toEqual([
    ...["worker step-001 1", "worker step-001 2", "worker step-001 3", "worker step-001 4"],
    ...["worker step-002 1", "worker step-002 2"],
  ]);
});
