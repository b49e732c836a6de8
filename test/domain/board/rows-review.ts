import type { PlanTask } from "../../../src/core/board/plan.ts";
import type { RunState } from "../../../src/core/state.ts";
import { task } from "../../rig/board-answers.ts";
import type { Row } from "./row.ts";
import { bothGreen, inOrder, Scene, type Say } from "./scene.ts";

const begun = new Scene().state;
const TO_REVIEW = { next: "REVIEW", statuses: { "M1-T2": "DONE" } } as const;

/** That many iterations after the last change of the plan; the last task is BLOCKED. */
function blocked(
  iterations: number,
  statuses: readonly PlanTask["status"][],
  more: Partial<PlanTask>[] = [],
): RunState {
  const tasks = [...statuses, "BLOCKED" as const].map((status, index) =>
    task(`M1-T${index + 1}`, { status, ...more[index] }),
  );
  const scene = new Scene([...tasks, task("M2-T1")]);
  for (let index = 0; index < iterations; index += 1) scene.decides();
  return scene.state;
}
const THREE = ["DONE", "DONE", "DONE"] as const;
const partial: Say = {
  next: "REVIEW",
  orderEnd: [
    "## Scope",
    "Partial Milestone Review: M1 (excluding blocked tasks)",
    "M1-T1, M1-T2, M1-T3; not M1-T4",
  ],
};
const long = blocked(2, THREE);

/** One task is DONE, another is BLOCKED, and a person was asked about it. */
const stuck = (option: string, description = "go on without M1-T2"): Scene =>
  new Scene([task("M1-T1", { status: "DONE" }), task("M1-T2", { status: "BLOCKED" }), task("M2-T1")])
    .calls({
      next: "USER",
      question: {
        title: "Blocked",
        question: "M1-T2 is blocked. What now?",
        options: [
          { id: "wait", description: "I see to M1-T2" },
          { id: option, description },
        ],
        recommended: option,
      },
    })
    .ask();
const WHOLE: Say = { next: "REVIEW" };

export const REVIEW: readonly Row[] = [
  {
    rule: "partial_not_allowed",
    what: "fewer than three are DONE, and a person drops the blocked one",
    at: stuck("drop_tasks").chooses("wait").state,
    broken: WHOLE,
    about: "BLOCKED <= 2",
    kept: WHOLE,
    keptAt: stuck("drop_tasks").chooses("drop_tasks").state,
  },
  {
    rule: "partial_not_allowed",
    what: "or skips it, also where the review is called partial",
    at: stuck("skip_task").chooses("wait").state,
    broken: WHOLE,
    about: "BLOCKED <= 2",
    kept: {
      ...partial,
      orderEnd: ["Partial Milestone Review: M1 (excluding blocked tasks)", "M1-T1, not M1-T2"],
    },
    keptAt: stuck("skip_task").chooses("skip_task").state,
  },
  {
    rule: "milestone_not_reviewed",
    what: "a task that a person skips holds no later milestone up",
    at: new Scene([task("M1-T1", { status: "VERIFIED" }), task("M1-T2"), task("M2-T1")]).does(
      { next: "TEST", statuses: { "M1-T2": "DOING" } },
      { claim: "BLOCKED" },
    ).state,
    broken: { next: "TEST", statuses: { "M1-T2": "BLOCKED" } },
    about: "M1",
    kept: { next: "TEST" },
    keptAt: new Scene([task("M1-T1", { status: "VERIFIED" }), task("M1-T2"), task("M2-T1")])
      .does({ next: "TEST", statuses: { "M1-T2": "DOING" } }, { claim: "BLOCKED" })
      .calls({
        next: "USER",
        statuses: { "M1-T2": "BLOCKED" },
        question: {
          title: "Blocked",
          question: "What now?",
          // It names no task, so it applies to the current one.
          options: [{ id: "skip_task", description: "跳过此任务，先推进其他工作" }],
          recommended: "skip_task",
        },
      })
      .ask()
      .chooses("skip_task").state,
  },
  {
    rule: "nothing_to_review",
    what: "nothing is DONE",
    at: begun,
    broken: { next: "REVIEW", orderEnd: ["1. `x` → exit 0"] },
    about: "",
    kept: TO_REVIEW,
    keptAt: bothGreen().state,
  },
  {
    rule: "nothing_to_review",
    what: "one of several, without saying which",
    at: bothGreen().state,
    broken: { ...TO_REVIEW, reviewMode: "single" },
    about: "M1",
    kept: { ...TO_REVIEW, reviewMode: "single", orderLines: ["task: M1-T1"] },
  },
  {
    rule: "review_too_early",
    what: "one task is DONE, another is open",
    at: bothGreen().state,
    broken: { next: "REVIEW" },
    about: "M1-T2",
    kept: TO_REVIEW,
  },
  {
    rule: "review_too_early",
    what: "of a single one too",
    at: bothGreen().state,
    broken: { next: "REVIEW", reviewMode: "single", orderLines: ["task: M1-T1"] },
    about: "M1-T2",
    kept: { next: "REVIEW", reviewMode: "single" },
    keptAt: new Scene([task("M1-T1", { status: "VERIFIED" }), task("M1-T2", { status: "DONE" })]).state,
  },
  {
    rule: "partial_not_allowed",
    what: "BLOCKED for two iterations",
    at: blocked(1, THREE),
    broken: partial,
    about: "BLOCKED <= 2",
    kept: partial,
    keptAt: long,
  },
  {
    rule: "partial_not_allowed",
    what: "BLOCKED from now on, however long it was something else",
    at: new Scene([...THREE, "TODO" as const].map((status, index) => task(`M1-T${index + 1}`, { status })))
      .decides()
      .decides()
      .decides().state,
    broken: { ...partial, statuses: { "M1-T4": "BLOCKED" } },
    about: "BLOCKED <= 2",
    kept: partial,
    keptAt: long,
  },
  {
    rule: "partial_not_allowed",
    what: "two are DONE",
    at: blocked(2, ["DONE", "DONE", "VERIFIED"]),
    broken: partial,
    about: "DONE < 3",
    kept: partial,
    keptAt: long,
  },
  {
    rule: "partial_not_allowed",
    what: "the blocked one builds on a DONE one",
    at: blocked(2, THREE, [{}, {}, {}, { depends: ["M1-T2"] }]),
    broken: partial,
    about: "depends: M1-T2",
    kept: partial,
    keptAt: long,
  },
  {
    rule: "partial_not_allowed",
    what: "a DONE one builds on the blocked one",
    at: blocked(2, THREE, [{}, {}, { depends: ["M1-T4"] }]),
    broken: partial,
    about: "depends: M1-T3",
    kept: partial,
    keptAt: blocked(2, THREE, [{}, {}, { depends: ["M1-T1"] }]),
  },
  {
    rule: "partial_not_allowed",
    what: "nothing is blocked",
    at: bothGreen().state,
    broken: { ...TO_REVIEW, orderEnd: partial.orderEnd ?? [] },
    about: "BLOCKED <= 2",
    kept: TO_REVIEW,
  },
  {
    rule: "partial_not_allowed",
    what: "not even without the title",
    at: blocked(1, THREE),
    broken: { next: "REVIEW" },
    about: "BLOCKED <= 2",
    kept: partial,
    keptAt: long,
  },
  {
    rule: "partial_title",
    what: "no title",
    at: long,
    broken: { next: "REVIEW" },
    about: "M1",
    kept: { ...partial, edit: inOrder("Review: M1", "Review：M1") },
  },
  {
    rule: "partial_title",
    what: "the title of another milestone",
    at: long,
    broken: { ...partial, edit: inOrder("Review: M1", "Review: M2") },
    about: "M1",
    kept: { ...partial, edit: inOrder("Partial", "### Partial") },
  },
  {
    rule: "partial_scope",
    what: "what is left out is not named",
    at: long,
    broken: { ...partial, edit: inOrder("; not M1-T4", "") },
    about: "M1-T4",
    kept: partial,
  },
];
