import { describe, expect, test } from "vitest";
import { standing } from "../../../src/modes/orchestrate/call.ts";
import { isOver } from "../../../src/core/board/iterations.ts";
import { TASK_STATUSES, tasksOf, type TaskStatus } from "../../../src/core/board/plan.ts";
import { next } from "../../../src/engine/next.ts";
import { task } from "../../rig/board-answers.ts";
import { brokenBy, inOrder, reviewed, Scene, tested, type Say } from "./scene.ts";

/** By status: the possible next statuses, and the evidence that each lacks at first. */
const MOVES: Readonly<Record<TaskStatus, Partial<Record<TaskStatus, string | null>>>> = {
  TODO: { DOING: null, BLOCKED: null },
  DOING: { TODO: null, BLOCKED: null, DONE: "done_without_green M1-T1" },
  BLOCKED: { TODO: null, DOING: null },
  DONE: { DOING: null, VERIFIED: "verified_without_review M1-T1" },
  VERIFIED: {},
};
const ALL_MOVES = TASK_STATUSES.flatMap((from) => TASK_STATUSES.map((to) => [from, to] as const));

test.each(ALL_MOVES)("B11 %s -> %s", (from, to) => {
  const { state } = new Scene([task("M1-T1", { status: from })]);
  const jump = `status_jump M1-T1 ${from} -> ${to}`;
  const expected = from === to ? null : MOVES[from][to] === undefined ? jump : MOVES[from][to];
  expect(brokenBy(state, { next: "USER", statuses: { "M1-T1": to } })).toEqual(
    expected === null ? [] : [expected],
  );
});

describe("B50 evidence names the iteration of the REVIEW", () => {
  const { state } = reviewed({ iterationsBefore: 7 });
  const by = (evidence: string): Say => ({
    next: "TEST",
    statuses: { "M1-T1": "VERIFIED", "M1-T2": "VERIFIED" },
    evidence: { "M1-T1": evidence, "M1-T2": "Iteration 12" },
  });

  test.each([
    "REVIEW 报告 Iteration 12 验收 PASS",
    "reviewed, iteration #12",
    "Iteration: 12",
    "Iteration：12.",
    "迭代 12 验收通过",
    "第12轮 REVIEW",
    "第 12 轮 REVIEW",
    "轮次：12",
    "REVIEW [12]",
    "tested in Iteration 9, reviewed in Iteration 12",
  ])("%s", (evidence) => {
    expect(brokenBy(state, by(evidence))).toEqual([]);
  });

  test.each([
    "Iteration 1",
    "Iteration 2",
    "Iteration 123",
    "Iteration 112",
    "12 tests pass",
    "REVIEW PASS",
    "none",
  ])("not by %s", (evidence) => {
    expect(brokenBy(state, by(evidence))).toEqual(["verified_without_iteration M1-T1 12"]);
  });
});

describe("B51 FINISH together with the last update", () => {
  const statuses = { "M1-T1": "VERIFIED" } as const;
  const evidence = { "M1-T1": "Iteration 1" };
  const one = (): Scene => new Scene([task("M1-T1", { status: "DONE" })]).does({ next: "REVIEW" });

  test("takes over the plan, refuses FINISH, and asks MAIN in the next iteration", () => {
    const { state } = one().calls({ next: "FINISH", statuses, evidence });
    const last = state.attempts.at(-1);
    const [ended] = last?.main ?? [];
    expect(ended && standing(ended)).toBe("plan");
    expect(last?.call).toMatchObject({ finishRefused: true, tasks: [], commands: [], verified: ["M1-T1"] });
    expect(last && isOver(last, state)).toBe(true);
    expect(tasksOf(state.board?.plan ?? { milestones: [] })).toMatchObject([{ status: "VERIFIED" }]);
    expect(next(state)).toMatchObject({ do: "open_turn", role: "main", attempt: 3 });
    expect(brokenBy(state, { next: "FINISH" })).toEqual([]);
  });

  test("does the same if other tasks are left", () => {
    const scene = new Scene([task("M1-T1", { status: "DONE" }), task("M2-T1")]).does({ next: "REVIEW" });
    const finish: Say = { next: "FINISH", statuses, evidence };
    expect(brokenBy(scene.state, finish)).toEqual(["finish_with_update M1-T1", "finish_todo_left M2-T1"]);
    expect(scene.calls(finish).state.attempts.at(-1)?.call?.finishRefused).toBe(true);
  });

  test("takes over nothing of an answer that breaks another rule as well", () => {
    const { state } = one().calls({ next: "FINISH", statuses, evidence: { "M1-T1": "PASS" } });
    expect(state.attempts.at(-1)).toMatchObject({ index: 2, call: null });
    expect(tasksOf(state.board?.plan ?? { milestones: [] })).toMatchObject([{ status: "DONE" }]);
    expect(next(state)).toMatchObject({ do: "open_turn", role: "main", attempt: 2 });
  });
});

/** Rows of the contract that leave the choice to MAIN. */
const FREE: readonly [what: string, scene: Scene, say: Say][] = [
  ["B15 a task without tests → TEST", new Scene(), { next: "TEST" }],
  ["B16 TEST PASS → DEV", tested(), { next: "DEV" }],
  ["B20 TEST PASS, and TEST has to design again", tested(), { next: "TEST" }],
  ["B37 TEST FAIL → TEST again", new Scene().does({ next: "TEST" }, { claim: "FAIL" }, 1), { next: "TEST" }],
  ["B37 TEST BLOCKED → USER", new Scene().does({ next: "TEST" }, { claim: "BLOCKED" }), { next: "USER" }],
  ["B38 DEV FAIL → DEV", tested().does({ next: "DEV" }, { claim: "FAIL" }, 1), { next: "DEV" }],
  [
    "B39 DEV has no environment → USER",
    tested().does({ next: "DEV" }, { claim: "BLOCKED", blockType: "environment" }),
    { next: "USER", historyLines: ["user_cause：environment"] },
  ],
  [
    "B14 what is blocked is passed over",
    new Scene([task("M1-T1", { status: "BLOCKED" }), task("M1-T2")]),
    { next: "TEST", orderLines: ["task: M1-T2"] },
  ],
  ["B31 a DEV without self-test", tested(), { next: "DEV", selfTest: "disabled" }],
];

test.each(FREE)("%s", (_, { state }, say) => {
  expect(brokenBy(state, say)).toEqual([]);
});

test("all broken rules of an answer are reported at once", () => {
  const say: Say = { next: "TEST", lost: ["M2-T1"], edit: inOrder("## Goal", "## Aim") };
  expect(brokenBy(new Scene().state, say)).toEqual(["task_lost M2-T1", "order_section goal"]);
});

test("B28 an order without commands", () => {
  const say: Say = { next: "TEST", edit: inOrder("## Acceptance", "## Commands") };
  expect(brokenBy(new Scene().state, say)).toEqual([
    "order_section acceptance",
    "order_commands check M1-T1",
  ]);
});

test("B3 MAIN's changes count even if its plan is unreadable; unknown changes do not", () => {
  const { state } = new Scene();
  const say: Say = { next: "TEST", edit: (answer) => ({ ...answer, devPlanNext: "?" }) };
  const broken = brokenBy(state, say, { changed: ["a"] });
  expect(broken).toEqual(["main_changed_files a", "plan_invalid no_milestone"]);
  expect(brokenBy(state, { next: "TEST" }, { changed: null })).toEqual([]);
});

describe("a task that a person has dropped", () => {
  const dropped = (statuses: readonly TaskStatus[], ...names: readonly string[]): Scene =>
    new Scene(["M1-T1", "M1-T2", "M2-T1"].map((id, index) => task(id, { status: statuses[index] ?? "TODO" })))
      .calls({
        next: "USER",
        question: {
          title: "Less?",
          question: `Leave out ${names.join(" and ")}?`,
          options: [{ id: "drop_tasks", description: "yes" }],
          recommended: "drop_tasks",
        },
      })
      .ask()
      .chooses("drop_tasks");

  test("is passed over", () => {
    const { state } = dropped([], "M1-T1");
    expect(brokenBy(state, { next: "TEST", orderLines: ["task: M1-T2"] })).toEqual([]);
    expect(brokenBy(state, { next: "TEST", orderLines: ["task: M1-T1"] })).toEqual([
      "order_task M1-T1, M1-T2",
    ]);
  });

  test("is passed over while it is DOING", () => {
    const { state } = dropped(["DOING"], "M1-T1");
    expect(brokenBy(state, { next: "TEST", orderLines: ["task: M1-T2"] })).toEqual([]);
    expect(brokenBy(dropped(["DOING", "DONE"], "M1-T1").state, { next: "REVIEW" })).toEqual([]);
    const rest = dropped(["DOING", "VERIFIED", "VERIFIED"], "M1-T1").state;
    expect(brokenBy(rest, { next: "FINISH" })).toEqual([]);
    expect(brokenBy(rest, { next: "TEST" })).toContain("no_open_task TEST");
    const put = dropped(["DOING"], "M1-T1").does({ next: "TEST", statuses: { "M1-T1": "TODO" } }, {}, 1);
    const again: Say = { next: "TEST", statuses: { "M1-T1": "DOING" } };
    expect(brokenBy(put.state, { ...again, orderLines: ["task: M1-T1"] })).toEqual([]);
    expect(brokenBy(put.does(again, {}, 1).state, { next: "DEV", orderLines: ["task: M1-T1"] })).toEqual([]);
  });

  test("does not block a review of the rest", () => {
    expect(brokenBy(dropped(["DONE"], "M1-T2").state, { next: "REVIEW" })).toEqual([]);
    expect(brokenBy(dropped(["DONE"], "M2-T1").state, { next: "REVIEW" })).toEqual([
      "review_too_early M1-T2",
    ]);
  });

  test("does not block the next milestone", () => {
    expect(brokenBy(dropped(["VERIFIED"], "M1-T2").state, { next: "TEST" })).toEqual([]);
    expect(brokenBy(dropped([], "M1-T1", "M1-T2").state, { next: "TEST" })).toEqual([]);
    expect(brokenBy(dropped(["DONE"], "M1-T2").state, { next: "TEST" })).toEqual([
      "milestone_not_reviewed M1",
    ]);
  });

  test("is resumed if MAIN says so", () => {
    const say: Say = { next: "TEST", statuses: { "M1-T1": "DOING" }, orderLines: ["task: M1-T1"] };
    expect(brokenBy(dropped([], "M1-T1").state, say)).toEqual([]);
  });
});
