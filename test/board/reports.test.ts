import { describe, expect, test } from "vitest";
import { BoardRig, type Move } from "../rig/board.ts";
import { expectRulesNamed, mainPrompts, outcomes, refused } from "./refusals.ts";

const ANALYSED = { root_cause_analysis: "the report lacks what was asked for" };
const COMMAND = "`sh test/M1-T1.sh`";

describe("the handling of reports", () => {
  test("B35 B36 B37 B44 B45 TEST's work without file, command, red or coverage goes back to TEST, and not for ever", async () => {
    const rig = new BoardRig();
    const main: readonly Move[] = [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "DEV" },
      { next: "TEST", order: { goal: "name the file" } },
      { next: "TEST", order: { goal: "name the file" } },
      { next: "TEST", fields: ANALYSED, order: { requirements: ["it is there", "it is whole"] } },
      { next: "TEST", fields: ANALYSED, order: { goal: "the same in other words" } },
      { next: "USER", fields: { ...ANALYSED, user_cause: "unresolved" } },
      { next: "TEST" },
      { next: "TEST", order: { goal: "one that fails" } },
      { next: "TEST", order: { goal: "and say by which command" } },
      { next: "TEST", order: { goal: "without what was in the way" } },
      { next: "USER", fields: { user_cause: "permission" }, question: { question: "May it?" } },
      {
        next: "USER",
        fields: { blockers: "no rights", user_cause: "permission" },
        question: { question: "May it?" },
      },
      { next: "TEST" },
    ];
    rig.script(main, {
      "TEST 1": { say: `Conclusion: PASS\nTest commands: ${COMMAND}\nCoverage: 1` },
      "TEST 2": { files: ["test/none.sh"] },
      "TEST 3": { coverage: "1" },
      "TEST 5": { write: { "test/M1-T1.sh": "true\n" } },
      "TEST 6": { commands: [] },
      "TEST 7": { claim: "FAIL" },
      "TEST 8": { claim: "BLOCKED", more: "Block type: permission" },
    });
    const asked = await rig.orchestrate(["--max-iterations", "10"]);
    expect(asked.code).toBe(3);
    await rig.decide(asked.runId, "a");
    expect((await rig.resume(asked.runId)).code).toBe(3);
    await rig.decide(asked.runId, "a");
    const { code, report } = await rig.resume(asked.runId);

    expect({ code, reason: report.end_reason }).toEqual({ code: 1, reason: "limit_reached" });
    expect(outcomes(report)).toEqual([
      ...["TEST rejected: report_incomplete", "TEST rejected: report_incomplete"],
      ...["TEST rejected: report_incomplete", "USER null", "TEST rejected: not_red"],
      ...["TEST rejected: report_incomplete", "TEST rejected: role_failed", "TEST rejected: role_blocked"],
      ...["USER null", "TEST accepted"],
    ]);
    expect(refused(report)).toEqual([
      "2 red_not_confirmed M1-T1 test_rejected",
      "3 root_cause_missing 2; mechanical_retry TEST",
      "4 failed_three_times TEST",
      "9 history_blockers",
    ]);
    expectRulesNamed(rig, report);
    // MAIN learns the foreman's result and that it was insufficient.
    expect(rig.roleReport(2)).toContain("do not exist: test/none.sh");
    expect(rig.roleReport(5)).toContain("Acceptance commands: 1 of 1 green.");
    expect(mainPrompts(rig)[7]).toContain(rig.roleReport(3).trimEnd());
    expect(report.iterations.map(({ checks }) => checks.length)).toEqual([1, 1, 1, 0, 1, 1, 1, 0, 0, 1]);
  });

  test("B38 B39 B42 B48 DEV's failure goes back to DEV, a block to a person, REVIEW's finding to the role at fault", async () => {
    const rig = new BoardRig();
    rig.script(
      [
        { next: "TEST", moves: { "M1-T1": "DOING" } },
        { next: "DEV" },
        { next: "FINISH" },
        { next: "REVIEW", moves: { "M1-T1": "DONE" } },
        { next: "DEV", order: { goal: "mend it" } },
        { next: "FINISH", fields: { blockers: "no compiler" } },
        { next: "USER", fields: { blockers: "no compiler", user_cause: "environment" } },
        { next: "DEV" },
        { next: "REVIEW", moves: { "M1-T1": "DONE" } },
        { next: "TEST", moves: { "M1-T1": "DOING" } },
        { next: "DEV", moves: { "M1-T1": "DOING" } },
        { next: "REVIEW", moves: { "M1-T1": "DONE" } },
        { next: "DEV", moves: { "M1-T1": "DOING" } },
        { next: "TEST", moves: { "M1-T1": "DOING" } },
        { next: "DEV" },
        { next: "REVIEW", moves: { "M1-T1": "DONE" } },
      ],
      {
        "DEV 2": { claim: "FAIL", write: {} },
        "DEV 3": { claim: "BLOCKED", write: {}, more: "阻塞类型：环境问题" },
        "REVIEW 6": { claim: "FAIL", more: "失败类型：实现问题" },
        "REVIEW 8": { claim: "FAIL", more: "Failure type: test" },
        "TEST 9": { write: { "test/M1-T1.sh": "grep whole src/M1-T1.txt\n" } },
        "DEV 10": { write: { "src/M1-T1.txt": "whole\n" } },
      },
    );
    const asked = await rig.orchestrate(["--max-iterations", "11"]);
    expect(asked.code).toBe(3);
    await rig.decide(asked.runId, "b", "installed it");
    const { code, report } = await rig.resume(asked.runId);

    expect(code).toBe(1);
    expect(outcomes(report)).toEqual([
      "TEST accepted",
      "DEV rejected: role_failed, acceptance_failed",
      ...["DEV rejected: role_blocked", "USER null", "DEV accepted"],
      ...["REVIEW rejected: role_failed", "DEV accepted"],
      ...["REVIEW rejected: role_failed", "TEST accepted", "DEV accepted", "REVIEW accepted"],
    ]);
    expect(refused(report)).toEqual([
      "3 finish_not_verified M1-T1; finish_last_report role_failed, acceptance_failed",
      "3 done_without_green M1-T1",
      "4 finish_not_verified M1-T1; finish_last_report role_blocked",
      "7 not_what_review_found implementation, DEV",
      "9 not_what_review_found test, TEST",
    ]);
    expectRulesNamed(rig, report);
    expect(report.iterations[2]?.said).toMatchObject({ claim: "BLOCKED", block_type: "environment" });
    // The foreman's check passed, but REVIEW's objection still counts.
    expect(report.iterations[5]?.checks).toMatchObject([{ passed: true }]);
  });
});
