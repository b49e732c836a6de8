import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BoardRig } from "../rig/board.ts";
import { outcomes } from "./refusals.ts";

test("files of earlier runs stay, files planted under our names go, and an invisible test does not count", async () => {
  const rig = new BoardRig();
  const review = "blackboard/reports/0003-REVIEW.md";
  rig.write(review, "FAIL\n");
  rig.write(".gitignore", "hidden/\n");
  const decision =
    "## Iteration 1: all\nquestion: leave M1-T1?\noption: drop_tasks\ndescription: leave M1-T1\n";
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "TEST", fields: { root_cause_analysis: "x" } },
    ],
    {
      "TEST 4": { write: { "hidden/a.test.sh": "exit 1\n" }, files: ["hidden/a.test.sh"] },
      "TEST 5": {
        write: {
          "test/M1-T1.sh": "exit 1\n",
          "blackboard/user_decisions.md": decision,
          "blackboard/orders/0900-DEV.md": "# x\n",
          [review]: "PASS\n",
        },
      },
    },
  );
  const { code, stdout, report } = await rig.orchestrate(["--max-iterations", "2"]);
  expect(code).toBe(1);
  expect(outcomes(report).slice(0, 1)).toEqual(["TEST rejected: report_incomplete"]);
  expect(stdout).toContain("user_decisions.md");
  expect(stdout).toContain("reports/0003-REVIEW.md");
  expect(rig.read(review)).toBe("FAIL\n");
  expect(rig.exists("blackboard/user_decisions.md")).toBe(false);
  expect(rig.exists("blackboard/orders/0900-DEV.md")).toBe(false);
});

test("a linked file of the board is refused: the foreman would put another in its place", async () => {
  const rig = new BoardRig();
  rig.write("real.md", rig.plan());
  fs.rmSync(join(rig.project, "blackboard/dev_plan.md"));
  fs.symlinkSync("../real.md", join(rig.project, "blackboard/dev_plan.md"));
  const { code, stderr } = await rig.run(["board", "check"]);
  expect(code).toBe(2);
  expect(stderr).toContain("blackboard/dev_plan.md: the file is a link");
});

test("a test on the board is guarded like any other", async () => {
  const rig = new BoardRig();
  const weak = { "blackboard/test/a.test.sh": "exit 0\n" };
  rig.script([{ next: "TEST", moves: { "M1-T1": "DOING" } }, { next: "DEV" }], {
    TEST: { write: { "blackboard/test/a.test.sh": "exit 1\n", "test/M1-T1.sh": "exit 1\n" } },
    DEV: { write: weak },
  });
  const { report } = await rig.orchestrate(["--max-iterations", "2"]);
  expect(outcomes(report)).toEqual(["TEST accepted", "DEV rejected: forbidden_change"]);
});

test("a product that rewrites its test while it is looked at is not reviewed before the test is right again", async () => {
  const rig = new BoardRig();
  rig.planned({ "M1-T1": { acceptance: ["sh src/build.sh", "sh test/M1-T1.sh"] } });
  rig.write("src/build.sh", "true\n");
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "DEV" },
      { next: "REVIEW", moves: { "M1-T1": "DONE" } },
    ],
    { DEV: { write: { "src/build.sh": "echo 'exit 0' > test/M1-T1.sh\n" } } },
  );
  // In a clean room it would change the room's copy of the test.
  const { report } = await rig.orchestrate(["--max-iterations", "3"], { cleanRoom: false });
  expect(outcomes(report)).toEqual(["TEST accepted", "DEV accepted", "REVIEW rejected: tests_not_restored"]);
  expect(rig.roleReport(3)).toContain("test/M1-T1.sh");
});
