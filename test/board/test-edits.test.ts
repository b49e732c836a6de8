import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { until } from "../rig/rig.ts";
import { mainPrompts, outcomes, refused } from "./refusals.ts";

const LAWFUL = 'test -f src/M1-T1.txt || { echo "src/M1-T1.txt is missing"; exit 1; }\n';

test("B16 B36 after DEV edited a test the report says what lifts the block, later turns are not accused, and TEST puts it back without a waiver", async () => {
  const rig = new BoardRig();
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "DEV" },
      { next: "DEV" },
      { next: "TEST" },
      { next: "DEV", order: { goal: "once more" } },
      { next: "REVIEW", moves: { "M1-T1": "DONE" } },
      { next: "FINISH", moves: { "M1-T1": "VERIFIED" } },
      { next: "FINISH" },
    ],
    {
      "DEV 2": { write: { "src/M1-T1.txt": "half\n", "test/M1-T1.sh": "true\n" } },
      "DEV 3": { write: { "src/M1-T1.txt": "whole\n" } },
      "TEST 4": { write: { "test/M1-T1.sh": LAWFUL } },
    },
  );
  const { code, report } = await rig.orchestrate();
  expect(outcomes(report)).toEqual([
    "TEST accepted",
    "DEV rejected: forbidden_change",
    "DEV rejected: tests_not_restored",
    ...["TEST accepted", "DEV accepted", "REVIEW accepted", "FINISH null", "FINISH accepted"],
  ]);
  expect(code).toBe(0);
  expect(refused(report)).toEqual(["7 finish_with_update M1-T1"]);
  expect(report.iterations.map(({ changed_files }) => changed_files).slice(1, 4)).toEqual([
    ["test/M1-T1.sh"],
    [],
    [],
  ]);
  const lifted =
    "No work of DEV and no REVIEW is accepted until test/M1-T1.sh is exactly as before the forbidden change (any role or person may put it back), or TEST's work on it is accepted.";
  expect(rig.roleReport(2)).toContain(lifted);
  expect(rig.roleReport(3)).toContain(
    "they are still changed: test/M1-T1.sh. This turn did not change them.",
  );
  expect(rig.roleReport(3)).toContain(lifted);
  expect(mainPrompts(rig)[3]).toContain(lifted);
  expect(rig.roleReport(4)).not.toContain(lifted);
});

test("B35 after DEV edited a test TEST cannot have another one accepted that was never red", async () => {
  const rig = new BoardRig();
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "DEV" },
      { next: "TEST" },
      { next: "TEST", order: { goal: "put the test back" } },
    ],
    {
      "DEV 2": { write: { "src/M1-T1.txt": "whole\n", "test/M1-T1.sh": "true\n" } },
      "TEST 3": { write: { "test/M1-T1.sh": "exit 0\n" } },
      "TEST 4": { write: { "test/M1-T1.sh": LAWFUL } },
    },
  );
  const { report } = await rig.orchestrate(["--max-iterations", "4"]);
  expect(outcomes(report)).toEqual([
    "TEST accepted",
    "DEV rejected: forbidden_change",
    "TEST rejected: not_red",
    "TEST accepted",
  ]);
  const other = "Any other test has to be red, or its order needs a `red_waiver:`.";
  expect([2, 3, 4].map((iteration) => rig.roleReport(iteration).includes(other))).toEqual([
    true,
    true,
    false,
  ]);
});

test("B16 a test that DEV edited and another role restored counts as before", async () => {
  const rig = new BoardRig(["M1-T1", "M1-T2"]);
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "DEV" },
      { next: "DEV", order: { goal: "put the test back" } },
      // Accepted despite the edits; M1-T1 is not in doubt.
      { next: "TEST", moves: { "M1-T1": "DONE", "M1-T2": "DOING" } },
      { next: "DEV" },
      { next: "REVIEW", moves: { "M1-T2": "DONE" } },
      { next: "FINISH", moves: { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED" } },
      { next: "FINISH" },
    ],
    {
      "DEV 2": { write: { "test/M1-T1.sh": "true\n" } },
      "DEV 3": { write: { "test/M1-T1.sh": LAWFUL, "src/M1-T1.txt": "whole\n" } },
    },
  );
  const { code, report } = await rig.orchestrate();
  expect(outcomes(report)).toEqual([
    "TEST accepted",
    "DEV rejected: forbidden_change",
    ...["DEV accepted", "TEST accepted", "DEV accepted", "REVIEW accepted", "FINISH null", "FINISH accepted"],
  ]);
  expect(code).toBe(0);
});

test("B16 after SIGKILL the test that DEV had edited is named", async () => {
  const rig = new BoardRig();
  rig.script([{ next: "TEST", moves: { "M1-T1": "DOING" } }, { next: "DEV" }], {
    DEV: {
      run: "[ -e ../killed ] || { echo true >test/M1-T1.sh; touch ../edited; exec sleep 1000; }",
    },
  });
  const running = rig.start(["orchestrate", "--max-iterations", "2"]);
  await until(() => fs.existsSync(join(rig.root, "edited")));
  fs.writeFileSync(join(rig.root, "killed"), "");
  running.child.kill("SIGKILL");
  await running.ended;
  const [runId = ""] = rig.runIds();
  // The board announces that resume will restore it, even if its files are unreadable.
  const shown = await rig.run(["board"]);
  expect(shown.stdout).toContain(`! the foreman was killed during run ${runId}`);
  expect(shown.stdout).toContain(`next  agent-foreman resume ${runId}`);
  rig.write("blackboard/dev_plan.md", "half a pl");
  const broken = await rig.run(["board"]);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toContain(`next    agent-foreman resume ${runId}\n          repairs the board`);
  const { report } = await rig.resume(runId);
  expect(outcomes(report)).toEqual(["TEST accepted", "DEV rejected: forbidden_change"]);
  expect(report.iterations[1]?.changed_files).toEqual(["test/M1-T1.sh"]);
  expect(rig.roleReport(2)).toContain("were changed: test/M1-T1.sh");
  expect((await rig.run(["board"])).stdout).not.toContain("was killed");
});

test("B16 after SIGKILL only this turn's edits are named, not those of the turn before", async () => {
  const rig = new BoardRig();
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "DEV" },
      { next: "DEV", order: { goal: "once more" } },
    ],
    {
      "DEV 2": { write: { "test/other.sh": "true\n" } },
      "DEV 3": {
        run: "[ -e ../killed ] || { echo true >test/M1-T1.sh; touch ../edited; exec sleep 1000; }",
      },
    },
  );
  const running = rig.start(["orchestrate", "--max-iterations", "3"]);
  await until(() => fs.existsSync(join(rig.root, "edited")));
  fs.writeFileSync(join(rig.root, "killed"), "");
  running.child.kill("SIGKILL");
  await running.ended;
  const [runId = ""] = rig.runIds();
  const { report } = await rig.resume(runId);
  expect(report.iterations.map(({ changed_files }) => changed_files)).toEqual([
    [],
    ["test/other.sh"],
    ["test/M1-T1.sh"],
  ]);
});
