import { describe, expect, test } from "vitest";
import { commandsDue } from "../../../src/modes/orchestrate/call.ts";
import { droppedTasks } from "../../../src/modes/orchestrate/user-decisions.ts";
import { lawfulTests } from "../../../src/modes/orchestrate/tree-parts.ts";
import { lastAttempt } from "../../../src/core/state.ts";
import { QUESTION, task } from "../../rig/board-answers.ts";
import { brokenBy, inHistory, inOrder, type Say, Scene } from "./scene.ts";

const DOING = { "M1-T1": "DOING" } as const;
const begun = (): Scene => new Scene().does({ next: "TEST", statuses: DOING }, {}, 1);

describe("an order cannot switch off the foreman's own checks", () => {
  test("B31 self_test is DEV's: TEST is checked whatever its order says", () => {
    const story = new Scene().calls({ next: "TEST", orderLines: ["self_test: disabled"] }).role();
    expect(commandsDue(lastAttempt(story.state) ?? never())).toEqual(["check M1-T1"]);
    expect(lastAttempt(story.checks(0).judge().state)?.judged?.reasons).toEqual(["not_red"]);
  });

  test("B27 review_mode is REVIEW's: DEV is checked whatever its order says", () => {
    const story = begun()
      .calls({ next: "DEV", orderLines: ["review_mode: investigate"] })
      .role();
    expect(lastAttempt(story.checks(1).judge().state)?.judged?.reasons).toEqual(["acceptance_failed"]);
  });
});

describe("tests that a role other than TEST has changed", () => {
  const meddled = { changed: ["test/a.test.mjs"] };

  test("B15 only TEST's last work counts, not an earlier accepted one", () => {
    const weakened = begun().does({ next: "TEST", orderLines: ["note: again"] }, {}, 0);
    expect(brokenBy(weakened.state, { next: "DEV" })).toEqual(["red_not_confirmed M1-T1 test_rejected"]);
  });

  test("are not accepted over TEST's work at another task", () => {
    const story = begun()
      .calls({ next: "DEV" })
      .role({}, meddled)
      .judge()
      .does({ next: "TEST", statuses: { "M1-T1": "BLOCKED", "M1-T2": "DOING" } }, {}, 1);
    const back = { next: "DEV", statuses: DOING } as const;
    expect(brokenBy(story.state, back)).toContain("red_not_confirmed M1-T1 tests_changed");
    expect(brokenBy(begun().state, { next: "DEV" })).toEqual([]);
  });

  test("B3 by MAIN count as well", () => {
    const opened = begun().asks();
    const turn = { type: "turn_started", role: "main", attempt: 2, agent: "claude", resumes: null } as const;
    const story = begun()
      .add({ ...turn, turn: opened.state.turns, tree: "tests.product.other" })
      .calls({ next: "DEV" }, meddled);
    expect(lastAttempt(story.state)?.call).toBeNull();
    expect(lawfulTests(story.state)).toBe("tests");
  });
});

test("B43 faults that the last review found can be taken up until the next review", () => {
  const verified = { status: "VERIFIED" } as const;
  const red = new Scene([task("M1-T1", verified)]).calls({ next: "FINISH" }).checks(1).judge();
  const investigated = red.does(
    { next: "REVIEW", reviewMode: "investigate", orderLines: ["task: M1-T1"] },
    { fault: "implementation" },
  );
  const waived = { next: "DEV", statuses: DOING, redWaiver: "it was verified before" } as const;
  expect(brokenBy(investigated.state, waived)).toEqual([]);
});

test("B44 B45 an investigation between two failures does not make them two first ones", () => {
  const historyLines = ["root_cause_analysis: the parser"];
  const investigate = { next: "REVIEW", reviewMode: "investigate", historyLines } as const;
  const story = begun();
  for (const note of ["1", "2", "3"])
    story
      .does({ next: "DEV", historyLines, orderLines: [`note: ${note}`] }, { claim: "FAIL" }, 1)
      .does(investigate, { fault: "implementation" });
  const again = { next: "DEV", historyLines, orderLines: ["note: 4"] } as const;
  expect(brokenBy(story.state, again)).toEqual(["failed_three_times DEV"]);
  expect(brokenBy(story.state, { next: "USER", historyLines })).toEqual([]);
});

test("B48 a person drops the tasks that the option names, not all that the question mentions", () => {
  const question = {
    ...QUESTION,
    question: "M1-T2 builds on M1-T1. Leave the export out?",
    options: [{ id: "drop_tasks", description: "leave M2-T1 undone" }],
    recommended: "drop_tasks",
  };
  const { state } = new Scene().calls({ next: "USER", question }).ask().chooses("drop_tasks");
  expect([...droppedTasks(state).keys()]).toEqual(["M2-T1"]);
});

test("B52 one entry of the history an answer", () => {
  const two = ["", "## Iteration 9:", "next_agent: REVIEW"];
  expect(brokenBy(new Scene().state, { next: "TEST", historyLines: two })).toContain("history_header 1");
});

test("B61 marks do not make another question of it", () => {
  const asked = new Scene().decides("Drop it?");
  expect(brokenBy(asked.state, { next: "USER", question: { ...QUESTION, question: "Drop it??" } })).toEqual([
    "already_decided [1] a",
  ]);
});

function never(): never {
  throw new Error("there is no attempt");
}

test("B25 B53 an agent's name in lower case is the same name", () => {
  const edit: Say["edit"] = (answer) =>
    inHistory(
      "next_agent: TEST",
      "next_agent: test",
    )(inOrder("assigned_agent: TEST", "assigned_agent: test")(answer));
  expect(brokenBy(new Scene().state, { next: "TEST", edit })).toEqual([]);
});
