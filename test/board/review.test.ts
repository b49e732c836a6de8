import { describe, expect, test } from "vitest";
import { BoardRig, type Move, type PlannedTask } from "../rig/board.ts";
import { expectRulesNamed, mainPrompts, outcomes, partOf, refused } from "./refusals.ts";

describe("REVIEW", () => {
  test("B18 B21 B32 B33 B34 not too early, and partially only if the rest has long been blocked", async () => {
    const rig = new BoardRig();
    const tasks = {
      "M1-T1": { status: "DONE", acceptance: ["true"] },
      "M1-T2": { status: "DONE", acceptance: ["true first"] },
      "M1-T3": {},
      "M1-T4": { status: "BLOCKED", acceptance: ["false"] },
      "M2-T1": {},
    } satisfies Record<string, PlannedTask>;
    rig.planned({ ...tasks, "M1-T3": { status: "DONE" }, "M1-T4": { ...tasks["M1-T4"], depends: "M1-T1" } });
    const bound = rig.plan();
    rig.planned(tasks);
    const fields = { blockers: "M1-T4 needs a disk" };
    const scope = "In scope: M1-T1, M1-T2, M1-T3. Excluded: M1-T4.";
    const partial: Move = { next: "REVIEW", fields, order: { partial: "M1", goal: scope } };
    const done = { "M1-T3": "DONE" } as const;
    const verified = { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED", "M1-T3": "VERIFIED" } as const;
    rig.script(
      [
        partial,
        { next: "REVIEW", fields },
        { next: "TEST", fields, moves: { "M1-T3": "DOING" } },

        { next: "DEV", fields },

        partial,
        { ...partial, plan: bound },
        { ...partial, moves: done },

        { next: "TEST", fields },
        { next: "REVIEW", fields, order: { goal: scope } },
        partial,

        { ...partial, order: { partial: "M1" } },
        { ...partial, order: { partial: "M2", goal: scope } },
        partial,

        { next: "TEST", fields, moves: { ...verified, "M2-T1": "DOING" } },
      ],
      { "REVIEW 3": { claim: "FAIL" }, "REVIEW 4": { claim: "BLOCKED" } },
    );
    const { code, report } = await rig.orchestrate(["--max-iterations", "6"]);
    expect(refused(report)).toEqual([
      "1 partial_not_allowed BLOCKED <= 2",
      "1 review_too_early M1-T3",
      "3 partial_not_allowed DONE < 3",
      "3 partial_not_allowed depends: M1-T1",
      "4 milestone_not_reviewed M1",
      "4 partial_title M1",
      "5 partial_scope M1-T4",
      "5 partial_title M1",
    ]);
    expectRulesNamed(rig, report);
    expect(outcomes(report)).toEqual([
      ...["TEST accepted", "DEV accepted", "REVIEW rejected: role_failed", "REVIEW rejected: role_blocked"],
      ...["REVIEW accepted", "TEST accepted"],
    ]);
    // Excluded tasks are not reviewed.
    expect(report.iterations[4]).toMatchObject({
      tasks: ["M1-T1", "M1-T2", "M1-T3"],
      order: { partial: "M1" },
    });
    expect(report.iterations[4]?.checks.map(({ command }) => command)).toEqual([
      ...["true", "true first", "sh test/M1-T3.sh"],
    ]);
    expect(rig.order(5)).toContain("## Partial Milestone Review: M1 (excluding blocked tasks)");
    expect(rig.statuses()).toEqual([
      ...["M1-T1 VERIFIED", "M1-T2 VERIFIED", "M1-T3 VERIFIED", "M1-T4 BLOCKED", "M2-T1 DOING"],
    ]);
    expect(code).toBe(1);
    expect(report).toMatchObject({ final_status: "failed", end_reason: "limit_reached" });
  });
});

describe("files of other roles", () => {
  test("B15 B18 B23 B31 B34 rejects DEV after a test edit until the tests are restored; REVIEW may touch nothing", async () => {
    const rig = new BoardRig();
    const lawful = 'test -f src/M1-T1.txt || { echo "src/M1-T1.txt is missing"; exit 1; }\n';
    rig.script(
      [
        { next: "REVIEW", moves: { "M1-T1": "DOING" } },
        { next: "DEV", moves: { "M1-T1": "DOING" } },
        { next: "TEST", moves: { "M1-T1": "DOING" } },
        { next: "DEV" },
        { next: "DEV" },
        { next: "DEV", fields: { root_cause_analysis: "the tests" }, order: { goal: "Put the tests back." } },
        { next: "DEV" },
        { next: "REVIEW", moves: { "M1-T1": "DONE" } },
        { next: "REVIEW" },
        { next: "FINISH", moves: { "M1-T1": "VERIFIED" } },
        { next: "FINISH" },
      ],
      {
        "DEV 2": { write: { "src/M1-T1.txt": "half\n", "test/M1-T1.sh": "true\n" } },
        "DEV 3": { write: { "src/M1-T1.txt": "whole\n" } },
        "DEV 4": { write: { "test/M1-T1.sh": lawful, "src/M1-T1.txt": null }, claim: "FAIL" },
        "DEV 5": { write: { "src/M1-T1.txt": "whole\n" } },
        "REVIEW 6": { write: { "src/M1-T1.txt": "nicer\n" } },
      },
    );
    const { code, report, stdout } = await rig.orchestrate();
    expect(code).toBe(0);
    expect(refused(report)).toEqual([
      "1 order_section acceptance; nothing_to_review",
      "1 red_not_confirmed M1-T1",
      "8 finish_with_update M1-T1",
    ]);
    expectRulesNamed(rig, report);
    expect(outcomes(report)).toEqual([
      "TEST accepted",
      "DEV rejected: forbidden_change",
      "DEV rejected: tests_not_restored",
      "DEV rejected: role_failed, acceptance_failed",
      "DEV accepted",
      "REVIEW rejected: forbidden_change",
      ...["REVIEW accepted", "FINISH null", "FINISH accepted"],
    ]);
    const changed = report.iterations.map(({ changed_files }) => changed_files);
    expect(changed[1]).toEqual(["test/M1-T1.sh"]);
    expect(changed.slice(2, 5)).toEqual([[], [], []]);
    expect(changed[5]).toEqual(["src/M1-T1.txt"]);
    // Tests that already pass prove nothing, so they are not run.
    expect(report.iterations.map(({ checks }) => checks.length).slice(1, 6)).toEqual([0, 0, 1, 1, 0]);
    expect(rig.roleReport(2)).toContain("Files that this role must not change were changed: test/M1-T1.sh");
    expect(stdout).toContain("test/M1-T1.sh");
    // B23 Warnings about the course of the run.
    expect(partOf(mainPrompts(rig)[6] ?? "", "Check yourself")).toContain("- DEV on M1-T1: 3 times in a row");
  });
});

describe("acceptance commands", () => {
  test("B15 B16 B36 tests of TEST that touch the product, hang or cannot be run are no red, and DEV is not sent", async () => {
    const rig = new BoardRig();
    rig.script(
      [
        { next: "TEST", moves: { "M1-T1": "DOING" } },
        { next: "DEV" },
        { next: "TEST" },
        { next: "DEV" },
        { next: "TEST" },
      ],
      {
        "TEST 1": { write: { "test/M1-T1.sh": "exit 1\n", "src/sneaky.txt": "product\n" } },
        "TEST 2": { write: { "test/M1-T1.sh": "exec sleep 1000\n" } },
        "TEST 3": { write: { "test/M1-T1.sh": "no-such-tool\n" } },
      },
    );
    const { code, report } = await rig.orchestrate(["--max-iterations", "3", "--test-timeout-sec", "1"]);
    expect(code).toBe(1);
    expect(refused(report)).toEqual([
      "2 red_not_confirmed M1-T1 test_rejected",
      "3 red_not_confirmed M1-T1 test_rejected",
    ]);
    expectRulesNamed(rig, report);
    expect(outcomes(report)).toEqual([
      "TEST rejected: forbidden_change",
      "TEST rejected: acceptance_not_runnable, timeout",
      "TEST rejected: acceptance_not_runnable",
    ]);
    expect(report.iterations[0]?.changed_files).toEqual(["src/sneaky.txt"]);
    expect(report.iterations[2]?.checks[0]?.exit_code).toBe(127);
    expect(rig.called().filter((call) => call.startsWith("DEV"))).toEqual([]);
    expect(rig.statuses()).toEqual(["M1-T1 DOING"]);
    expect(rig.survivors()).toEqual([]);
  });

  test("B14 B16 B19 B48 run once more at FINISH: tasks that are red there are open again", async () => {
    const rig = new BoardRig();
    const evidence = "REVIEW Iteration 7 PASS";
    rig.planned({
      "M1-T1": { status: "VERIFIED", evidence, acceptance: ["test -f src/M1-T1.txt"] },
      "M1-T2": { status: "VERIFIED", evidence, acceptance: ["true"] },
    });
    rig.script([
      { next: "FINISH" },
      { next: "FINISH" },
      { next: "DEV", moves: { "M1-T2": "DOING" }, order: { waiver: "it was tested" } },
      { next: "DEV", moves: { "M1-T1": "DOING" }, order: { waiver: "its command has just failed" } },
      { next: "REVIEW", moves: { "M1-T1": "DONE" } },
      { next: "FINISH", moves: { "M1-T1": "VERIFIED" } },
      { next: "FINISH" },
    ]);
    const { code, report } = await rig.orchestrate();
    expect(code).toBe(0);
    expect(refused(report)).toEqual([
      "2 finish_last_report acceptance_failed",
      "2 status_jump M1-T2 VERIFIED -> DOING",
      "4 finish_with_update M1-T1",
    ]);
    expectRulesNamed(rig, report);
    expect(outcomes(report)).toEqual([
      "FINISH rejected: acceptance_failed",
      ...["DEV accepted", "REVIEW accepted", "FINISH null", "FINISH accepted"],
    ]);
    expect(report.iterations[0]?.checks.map(({ command, exit_code }) => `${command} ${exit_code}`)).toEqual([
      "test -f src/M1-T1.txt 1",
      "true 0",
    ]);
    expect(mainPrompts(rig)[1]).toMatch(
      /MAIN wanted to finish; [^]*1\. `test -f src\/M1-T1\.txt` → red [^]*2\. `true` → green/,
    );
    expect(
      report.milestones[0]?.tasks.map(({ verified_in, verified_before }) => [verified_in, verified_before]),
    ).toEqual([
      [3, false],
      [null, true],
    ]);
    expect(rig.plan()).toContain("- evidence: REVIEW Iteration 3 PASS");
  });
});
