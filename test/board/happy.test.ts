import fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BoardRig, straight } from "../rig/board.ts";

describe("orchestrate without problems", () => {
  test("takes two tasks of two milestones through TEST, DEV and REVIEW to the end", async () => {
    const rig = new BoardRig(["M1-T1", "M2-T1"]);
    rig.script(straight("M1-T1", "M2-T1"));
    const { code, stdout, runId, report } = await rig.orchestrate();

    expect(code).toBe(0);
    expect(rig.called()).toEqual([
      ...["MAIN 1", "TEST 1 M1-T1", "MAIN 2", "DEV 2 M1-T1", "MAIN 3", "REVIEW 3 M1-T1"],
      ...["MAIN 4", "TEST 4 M2-T1", "MAIN 5", "DEV 5 M2-T1", "MAIN 6", "REVIEW 6 M2-T1"],
      ...["MAIN 7", "MAIN 8"],
    ]);
    expect(rig.statuses()).toEqual(["M1-T1 VERIFIED", "M2-T1 VERIFIED"]);
    expect(rig.plan()).toContain("- evidence: REVIEW Iteration 3 PASS");
    expect(rig.history().match(/^## Iteration \d+:$/gm)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((iteration) => `## Iteration ${iteration}:`),
    );
    expect(fs.readdirSync(join(rig.project, rig.dir)).toSorted()).toEqual([
      "dev_plan.md",
      "global_context.md",
      "orders",
      "project_env.json",
      "project_history.md",
      "reports",
    ]);
    const roles = ["0001-TEST", "0002-DEV", "0003-REVIEW", "0004-TEST", "0005-DEV", "0006-REVIEW"];
    for (const folder of ["orders", "reports"])
      expect(fs.readdirSync(join(rig.project, rig.dir, folder)).toSorted()).toEqual(
        roles.map((name) => `${name}.md`),
      );
    expect(rig.order(2)).toMatch(/^# Current Task \(Iteration 2\)\nassigned_agent: DEV\n/);
    expect(rig.roleReport(1)).toContain("1. `sh test/M1-T1.sh` → red");
    expect(rig.roleReport(2)).toContain("1. `sh test/M1-T1.sh` → green");

    expect(report).toMatchObject({
      final_status: "passed",
      totals: { milestones: 2, tasks: 2, verified: 2, dropped: 0 },
      board_dir: join(rig.project, rig.dir),
    });
    expect(report.iterations.map(({ next_agent, decision }) => `${next_agent} ${decision}`)).toEqual([
      ...["TEST accepted", "DEV accepted", "REVIEW accepted"],
      ...["TEST accepted", "DEV accepted", "REVIEW accepted"],
      ...["FINISH null", "FINISH accepted"],
    ]);
    expect(report.iterations[6]?.finish_refused).toBe(true);
    expect(report.iterations[7]?.checks.map(({ command }) => command)).toEqual([
      "sh test/M1-T1.sh",
      "sh test/M2-T1.sh",
    ]);
    expect(rig.events(runId).at(-1)).toMatchObject({ type: "run_ended", status: "passed" });
    expect(stdout).toContain("[1] MAIN -> TEST");
    expect(rig.survivors()).toEqual([]);
  });
});
