import type { PlanTask } from "../../../src/domain/board/plan.ts";
import type { RunState } from "../../../src/domain/state.ts";
import { task } from "../../rig/board-answers.ts";
import type { Row } from "./row.ts";
import { bothGreen, inOrder, Scene, type Say } from "./scene.ts";

const begun = new Scene().state;
const TO_REVIEW = { next: "REVIEW", statuses: { "M1-T2": "DONE" } } as const;

/** So many iterations after the plan was as it is; the last task is BLOCKED. */
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

export const REVIEW: readonly Row[] = [
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
    what: "one of several, and nobody says which",
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
