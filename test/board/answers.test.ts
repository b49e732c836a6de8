import { expect, test } from "vitest";
import { BoardRig, type Move } from "../rig/board.ts";
import { expectRulesNamed, mainPrompts, outcomes, partOf, refused } from "./refusals.ts";

const ANSWER = {
  next_agent: "FINISH",
  reason: "x",
  history_append: "## Iteration 1:\nnext_agent: FINISH\nreason: x\ndev_plan: no change",
  task: null,
  dev_plan_next: null,
};
const LINE = JSON.stringify(ANSWER);
const says = (raw: string): Move => ({ next: "FINISH", raw });

test("B55 B56 B57 B58 B59 B60 an answer is one line of JSON in its form, or MAIN is asked again, and then a person", async () => {
  const rig = BoardRig.inWorkTree(["M1-T1", "M1-T2"]);
  const before = rig.plan();
  rig.script([
    says("TEST should go first."),
    says(`\`\`\`json\n${LINE}\n\`\`\``),
    says(`${LINE} ${LINE}`),
    // The second request.
    says(JSON.stringify(ANSWER, null, 2)),
    { next: "TEST", answer: { next_agent: "QA" } },
    { next: "TEST", moves: { "M1-T1": "DOING" } },
    { next: "DEV", answer: { mood: "good" } },
    { next: "DEV", answer: { task: null } },
    { next: "DEV" },
    { next: "FINISH", answer: { task: "go home" } },
    { next: "TEST", without: ["reason", "dev_plan_next"] },
    { next: "TEST", moves: { "M1-T1": "DONE", "M1-T2": "DOING" } },
    { next: "USER", without: ["options", "recommended_option_id"], question: { title: " " } },
    {
      next: "USER",
      question: { options: { "a b": "not an id", c: "" }, recommended: "d" },
    },
    { next: "DEV" },
    { next: "TEST", answer: { dev_plan_next: 3 } },
    { next: "TEST", plan: before.slice(0, before.indexOf("### M1-T2")) },
    { next: "TEST", plan: "# Dev plan\n\nto be written\n" },
  ]);
  const asked = await rig.orchestrate();
  expect(asked.code).toBe(3);
  expect(asked.stdout).toContain("? WAITING for you [1]: 3 answers of MAIN refused");
  expect(rig.called()).toEqual(["MAIN 1", "MAIN 1", "MAIN 1"]);
  expect(rig.plan()).toBe(before);
  expect([rig.exists("blackboard/project_history.md"), rig.exists("blackboard/orders")]).toEqual([
    false,
    false,
  ]);

  const printed = await rig.run(["decide", asked.runId]);
  expect(printed).toMatchObject({
    code: 3,
    stdout: expect.stringContaining("(not_one_json_line)") as string,
  });
  expect((await rig.decide(asked.runId, "ask_again", "one line, please")).code).toBe(0);
  const again = await rig.resume(asked.runId);
  expect(again.code).toBe(3);
  const prompts = mainPrompts(rig);
  expect(partOf(prompts[3] ?? "", "A person was asked about your answers")).toContain("one line, please");
  // Feedback on one iteration does not appear in the next.
  expect(prompts[6]).not.toContain("one line, please");

  const { code, stdout } = await rig.decide(asked.runId, "stop", "enough");
  expect(code).toBe(1);
  expect(stdout).toContain("enough");
  const report = rig.boardReport(asked.runId);
  expect(report).toMatchObject({ final_status: "manually_failed", end_reason: "marked_by_person" });
  expect(report.decisions).toMatchObject([
    { iteration: 1, about: "main", option: "ask_again", comment: "one line, please" },
    { iteration: 5, about: "main", option: "stop", comment: "enough" },
  ]);
  expect(outcomes(report)).toEqual([
    ...["TEST accepted", "DEV accepted", "TEST accepted", "DEV accepted", "null null"],
  ]);
  expect(refused(report)).toEqual([
    ...["1 not_one_json_line no_object", "1 not_one_json_line fence", "1 not_one_json_line several_objects"],
    ...["1 not_one_json_line several_lines", "1 unknown_next_agent QA"],
    ...["2 unknown_field mood", "2 task_missing DEV"],
    ...["3 task_not_null FINISH", "3 field_missing reason; field_missing dev_plan_next"],
    "4 question_incomplete decision_title; question_incomplete recommended_option_id; question_incomplete options",
    "4 option_invalid options[0].option_id; option_invalid options[1].description; recommended_unknown d",
    ...[
      "5 field_wrong_type dev_plan_next",
      "5 task_lost M1-T2; status_jump M1-T1 DONE -> TODO",
      "5 plan_invalid no_milestone",
    ],
  ]);
  expectRulesNamed(rig, report);
  expect(rig.statuses()).toEqual(["M1-T1 DONE", "M1-T2 DOING"]);
});
