import { expect, test } from "vitest";
import { BoardRig, type Move } from "../rig/board.ts";
import { expectRulesNamed, mainPrompts, outcomes, refused } from "./refusals.ts";

const AGAINST = "The test wants a file\n- that nobody asked for.";
const feedback = `## Test feedback\n${AGAINST}`;
const investigate: Move = { next: "REVIEW", order: { mode: "investigate" } };

test("B40 B43 MAIN's own investigation, or one that finds no fault, binds no role, and a person may be asked at once", async () => {
  const rig = BoardRig.inWorkTree();
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      // There is no feedback to investigate yet.
      { next: "REVIEW", order: { mode: "investigate", feedback: "none" } },
      { next: "DEV" },
      investigate,
      { next: "DEV", order: { goal: "go on" } },
      { next: "USER" },
      { next: "REVIEW", moves: { "M1-T1": "DONE" } },
    ],
    {
      "REVIEW 2": { fault: "requirements" },
      "DEV 3": { claim: "FAIL", write: {}, more: feedback },
      "REVIEW 4": { fault: "none" },
      "DEV 5": { more: feedback },
    },
  );
  const asked = await rig.orchestrate(["--max-iterations", "7"]);
  expect(asked.code).toBe(3);
  await rig.decide(asked.runId, "a");
  const { report } = await rig.resume(asked.runId);

  expect(outcomes(report)).toEqual([
    "TEST accepted",
    "REVIEW accepted",
    "DEV rejected: role_failed, acceptance_failed",
    "REVIEW accepted",
    "DEV accepted",
    "USER null",
    "REVIEW accepted",
  ]);
  expect(refused(report)).toEqual([]);
  expect(report.iterations[3]?.said?.fault).toBe("none");
});

test("B40 B41 B42 B43 DEV's objection to the tests is investigated, and the fault decides who is next", async () => {
  const rig = BoardRig.inWorkTree();
  rig.script(
    [
      { next: "TEST", moves: { "M1-T1": "DOING" } },
      { next: "DEV" },
      // The tests are at fault.
      { next: "TEST", order: { goal: "believe DEV" } },
      { next: "REVIEW", order: { mode: "investigate", feedback: "DEV complains." } },
      investigate,
      { next: "DEV" },
      { next: "TEST" },
      // DEV is at fault although all tests pass.
      { next: "DEV" },
      { next: "REVIEW", moves: { "M1-T1": "DONE" } },
      investigate,
      { next: "TEST" },
      { next: "DEV" },
      // The fault is unknown.
      {
        next: "REVIEW",
        order: {
          mode: "investigate",
          sections: { Investigation: "?", "DEV feedback": AGAINST, Files: "- a", Requirements: "1. look" },
        },
      },
      investigate,
      { next: "TEST" },
      { next: "DEV" },
      { next: "REVIEW", order: { mode: "investigate", feedback: AGAINST } },
      { next: "DEV" },
      { next: "USER", fields: { user_cause: "clarification" } },
      { next: "DEV" },
    ],
    {
      "DEV 2": { claim: "FAIL", write: {}, more: feedback },
      "REVIEW 3": { fault: "test" },
      "TEST 4": { write: { "test/M1-T1.sh": "grep whole src/M1-T1.txt\n" } },
      "DEV 5": { write: { "src/M1-T1.txt": "whole\n" }, more: feedback },
      "REVIEW 6": { claim: "FAIL", fault: "implementation" },
      "DEV 7": { write: { "src/M1-T1.txt": "the whole\n" }, more: feedback },
      "REVIEW 8": { say: "I looked at it." },
      "REVIEW 9": { fault: "requirements" },
      "DEV 11": { write: { "src/M1-T1.txt": "as the person says: whole\n" } },
    },
  );
  const asked = await rig.orchestrate(["--max-iterations", "11"]);
  expect(asked.code).toBe(3);
  await rig.decide(asked.runId, "a");
  const { report } = await rig.resume(asked.runId);

  expect(outcomes(report)).toEqual([
    "TEST accepted",
    "DEV rejected: role_failed, acceptance_failed",
    ...["REVIEW accepted", "TEST accepted", "DEV accepted"],
    ...["REVIEW accepted", "DEV accepted"],
    ...["REVIEW rejected: report_without_conclusion", "REVIEW accepted", "USER null", "DEV accepted"],
  ]);
  expect(refused(report)).toEqual([
    "3 feedback_not_investigated TEST",
    "3 investigation_incomplete dev_feedback",
    "4 not_what_investigation_found test, TEST",
    "6 feedback_not_investigated REVIEW",
    "7 not_what_investigation_found implementation, DEV",
    "8 investigation_incomplete investigation_requirements",
    "9 feedback_not_investigated TEST",
    "9 feedback_not_investigated DEV",
    "10 not_what_investigation_found requirements, USER",
  ]);
  expectRulesNamed(rig, report);
  // MAIN and REVIEW get DEV's words unchanged.
  const quoted = "| The test wants a file\n| - that nobody asked for.";
  expect(mainPrompts(rig)[2]).toContain(quoted);
  const reviewer = rig.calls().find(({ role, iteration }) => role === "REVIEW" && iteration === 3);
  expect(reviewer?.prompt).toContain(AGAINST);
  expect(report.iterations[2]?.order).toMatchObject({ review_mode: "investigate" });
  // No commands run, because the investigation is about the tests themselves.
  expect([2, 5, 7, 8].map((index) => report.iterations[index]?.checks)).toEqual([[], [], [], []]);
});
