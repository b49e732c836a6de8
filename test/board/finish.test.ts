import { expect, test } from "vitest";
import { BoardRig, type Move } from "../rig/board.ts";
import { expectRulesNamed, outcomes, refused } from "./refusals.ts";

const DROP: Move = {
  next: "USER",
  fields: { user_cause: "major_choice" },
  question: {
    title: "The rest",
    question: "Is M2-T1 still wanted?",
    options: { keep: "do it", drop_tasks: "leave it undone" },
  },
};

function said(iteration: number, ...lines: readonly string[]): NonNullable<Move["answer"]> {
  return { history_append: [`## Iteration ${iteration}:`, ...lines].join("\n") };
}

test("B48 B49 B50 B51 B52 B53 B54 no FINISH before all is verified or dropped by a person, and a history that can be read again", async () => {
  const rig = new BoardRig(["M1-T1", "M2-T1"]);
  rig.script([
    // The history.
    { next: "TEST", answer: said(7, "next_agent: TEST", "reason: x", "dev_plan: no change") },
    { next: "TEST", answer: said(1, "- next_agent: TEST", "- reason: x", "- dev_plan: no change") },
    { next: "TEST", moves: { "M1-T1": "DOING" } },
    { next: "DEV", answer: said(2, "next_agent: DEV", "reason: x", "dev_plan: M1-T1 is DOING") },
    { next: "DEV", answer: said(2, "next_agent：DEV", "reason：x", "dev_plan：无变更") },
    // The end.
    { next: "FINISH", moves: { "M1-T1": "DONE" } },
    { next: "REVIEW", moves: { "M1-T1": "DONE" } },
    { next: "TEST" },
    { next: "TEST", moves: { "M1-T1": "VERIFIED", "M2-T1": "DOING" }, evidence: { "M1-T1": "looked at" } },
    { next: "FINISH", moves: { "M1-T1": "VERIFIED" } },
    { next: "FINISH" },
    DROP,
    { next: "FINISH" },
  ]);
  const asked = await rig.orchestrate();
  expect(asked.code).toBe(3);
  expect(rig.statuses()).toEqual(["M1-T1 VERIFIED", "M2-T1 TODO"]);
  expect((await rig.decide(asked.runId, "drop_tasks", "next year")).code).toBe(0);
  const { code, stdout, report } = await rig.resume(asked.runId);

  expect(code).toBe(0);
  expect(outcomes(report)).toEqual([
    ...["TEST accepted", "DEV accepted", "REVIEW accepted", "FINISH null", "USER null", "FINISH accepted"],
  ]);
  expect(refused(report)).toEqual([
    "1 history_header 1",
    "1 history_field next_agent; history_field reason; history_field dev_plan",
    "2 history_dev_plan M1-T1 is DOING",
    "3 finish_done_left M1-T1; finish_not_verified; finish_todo_left M2-T1",
    "4 review_not_recorded M1-T1; milestone_not_reviewed M1",
    "4 verified_without_iteration M1-T1 3",
    "4 finish_with_update M1-T1; finish_todo_left M2-T1",
    "5 finish_todo_left M2-T1",
  ]);
  expectRulesNamed(rig, report);
  // B51: the plan of the refused FINISH is kept, and the next iteration began.
  expect(report.iterations[3]).toMatchObject({ finish_refused: true, verified: ["M1-T1"] });
  expect(rig.history()).toContain("## Iteration 4:\nnext_agent: FINISH\n");
  // B50
  expect(rig.plan()).toContain("- evidence: REVIEW Iteration 3 PASS");
  // Dropped tasks stay in the plan and in the report.
  expect(report).toMatchObject({ final_status: "passed", totals: { tasks: 2, verified: 1, dropped: 1 } });
  expect(rig.statuses()).toEqual(["M1-T1 VERIFIED", "M2-T1 TODO"]);
  expect(stdout).toMatch(/^ {2}dropped .*M2-T1/m);
  expect(report.iterations[5]?.checks.map(({ command }) => command)).toEqual(["sh test/M1-T1.sh"]);
});
