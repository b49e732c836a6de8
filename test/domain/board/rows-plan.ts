import type { Acceptance, PlanTask } from "../../../src/core/board/plan.ts";
import { task } from "../../rig/board-answers.ts";
import type { Row } from "./row.ts";
import { bothGreen, green, inPlan, M1_VERIFIED, reviewed, Scene, tested } from "./scene.ts";

const begun = new Scene().state;
const DONE_T1 = { next: "TEST", statuses: { "M1-T1": "DONE" } } as const;
const AGAIN = { next: "REVIEW" } as const;
const verified = (iteration: number): Pick<PlanTask, "status" | "evidence"> => ({
  status: "VERIFIED",
  evidence: `REVIEW Iteration ${iteration}`,
});
const T1_VERIFIED = { statuses: { "M1-T1": "VERIFIED" }, evidence: { "M1-T1": "Iteration 5" } } as const;
const accepting = (command: string): readonly Acceptance[] => [{ command, threshold: "exit 0" }];

const TO_REVIEW = { next: "REVIEW", statuses: { "M1-T2": "DONE" } } as const;
const reviewRejected = bothGreen().does(TO_REVIEW, { claim: "FAIL" }).state;
const investigated = bothGreen()
  .does({ ...TO_REVIEW, reviewMode: "investigate", orderLines: ["task: M1-T1"] }, { fault: "requirements" })
  .decides().state;
/** REVIEW accepted it in iteration 5, then another turn worked on it. */
const doneAnew = reviewed()
  .does({ next: "DEV", ...M1_VERIFIED, statuses: { "M1-T1": "DOING", "M1-T2": "VERIFIED" } })
  .calls({ next: "USER", statuses: { "M1-T1": "DONE" } })
  .ask()
  .chooses("a");
const redAtTheEnd = new Scene(["M1-T1", "M1-T2"].map((id) => task(id, verified(0))))
  .calls({ next: "FINISH" })
  .checks(0, 1)
  .judge().state;

/** MAIN added M1-T2 itself. */
const own = new Scene([task("M1-T1")])
  .does({ next: "TEST", statuses: { "M1-T1": "DOING" }, added: [task("M1-T2")] }, {}, 1)
  .does({ next: "DEV" });
const ownAtFirst = own.state;
const ownDone = own
  .does({ next: "TEST", statuses: { "M1-T1": "DONE", "M1-T2": "DOING" } }, {}, 1)
  .does({ next: "DEV" });
const ownGreen = ownDone.state;
const ownSettled = ownDone.does(TO_REVIEW, { claim: "FAIL" }).state;

export const PLAN: readonly Row[] = [
  {
    rule: "plan_invalid",
    what: "a status that there is not",
    at: begun,
    broken: { next: "TEST", statuses: { "M1-T1": "DOING" }, edit: inPlan("DOING", "doing") },
    about: "6: status_unknown doing",
    kept: { next: "TEST", statuses: { "M1-T1": "DOING" }, edit: inPlan("status: DOING", "status：DOING") },
  },
  {
    rule: "task_lost",
    what: "a task is gone",
    at: begun,
    broken: { next: "TEST", lost: ["M1-T2"] },
    about: "M1-T2",
    kept: { next: "TEST", added: [task("M2-T2")] },
  },
  {
    rule: "new_task_not_todo",
    what: "a new task has not been started",
    at: begun,
    broken: { next: "TEST", added: [task("M2-T2", { status: "DOING" })] },
    about: "M2-T2",
    kept: { next: "TEST", added: [task("M2-T2")] },
  },
  {
    rule: "status_jump",
    what: "from TODO to DONE, whatever was seen",
    at: new Scene().does({ next: "TEST" }, {}, 1).does({ next: "DEV" }).state,
    broken: DONE_T1,
    about: "M1-T1 TODO -> DONE",
    kept: DONE_T1,
    keptAt: green().state,
  },
  {
    rule: "status_jump",
    what: "what is VERIFIED stays so, unless its own command failed at the end",
    at: redAtTheEnd,
    broken: { next: "TEST", statuses: { "M1-T1": "DOING" } },
    about: "M1-T1 VERIFIED -> DOING",
    kept: { next: "TEST", statuses: { "M1-T2": "DOING" } },
  },
  {
    rule: "status_jump",
    what: "and then it is DOING, nothing else",
    at: redAtTheEnd,
    broken: { next: "TEST", statuses: { "M1-T2": "TODO" } },
    about: "M1-T2 VERIFIED -> TODO",
    kept: { next: "TEST", statuses: { "M1-T2": "DOING" } },
  },
  {
    rule: "done_without_green",
    what: "only TEST has worked",
    at: tested().state,
    broken: DONE_T1,
    about: "M1-T1",
    kept: DONE_T1,
    keptAt: green().state,
  },
  {
    rule: "done_without_green",
    what: "DEV says PASS, the command says no",
    at: tested().does({ next: "DEV" }, {}, 1).state,
    broken: DONE_T1,
    about: "M1-T1",
    kept: { next: "DEV" },
  },
  {
    rule: "done_without_green",
    what: "nothing was run for a DEV without self-test",
    at: tested().does({ next: "DEV", selfTest: "disabled" }, { claim: "SKIPPED" }).state,
    broken: DONE_T1,
    about: "M1-T1",
    kept: { next: "DEV" },
  },
  {
    rule: "done_without_green",
    what: "TEST has worked after DEV",
    at: green().does({ next: "TEST" }, {}, 1).state,
    broken: DONE_T1,
    about: "M1-T1",
    kept: DONE_T1,
    keptAt: green().does({ next: "TEST" }, {}, 1).does({ next: "DEV" }).state,
  },
  {
    rule: "done_without_green",
    what: "another command than the one that passed",
    at: ownGreen,
    broken: { ...TO_REVIEW, acceptance: { "M1-T2": accepting("true") } },
    about: "M1-T2",
    kept: TO_REVIEW,
  },
  {
    rule: "verified_without_review",
    what: "it has no review",
    at: bothGreen().state,
    broken: { next: "DEV", ...T1_VERIFIED },
    about: "M1-T1",
    kept: { next: "TEST", ...M1_VERIFIED },
    keptAt: reviewed().state,
  },
  {
    rule: "verified_without_review",
    what: "REVIEW did not accept it",
    at: reviewRejected,
    broken: { ...AGAIN, ...T1_VERIFIED },
    about: "M1-T1",
    kept: AGAIN,
  },
  {
    rule: "verified_without_review",
    what: "an investigation is none",
    at: investigated,
    broken: { ...AGAIN, ...T1_VERIFIED },
    about: "M1-T1",
    kept: AGAIN,
  },
  {
    rule: "verified_without_review",
    what: "it was worked at since",
    at: doneAnew.state,
    broken: { next: "TEST", ...T1_VERIFIED },
    about: "M1-T1",
    kept: { next: "TEST", statuses: { "M1-T1": "VERIFIED" }, evidence: { "M1-T1": "Iteration 8" } },
    keptAt: doneAnew.does({ next: "REVIEW" }).state,
  },
  {
    rule: "verified_without_iteration",
    what: "the number of another one",
    at: reviewed().state,
    broken: { next: "TEST", ...M1_VERIFIED, evidence: { "M1-T1": "Iteration 4", "M1-T2": "Iteration 5" } },
    about: "M1-T1 5",
    kept: { next: "TEST", ...M1_VERIFIED },
  },
  {
    rule: "review_not_recorded",
    what: "REVIEW has accepted, MAIN goes on",
    at: reviewed().state,
    broken: AGAIN,
    about: "M1-T1, M1-T2",
    kept: { next: "TEST", ...M1_VERIFIED },
  },
  {
    rule: "review_not_recorded",
    what: "one of two",
    at: reviewed().state,
    broken: { next: "USER", ...T1_VERIFIED },
    about: "M1-T2",
    kept: { next: "USER", ...M1_VERIFIED },
  },
  {
    rule: "review_not_recorded",
    what: "a REVIEW that rejects leaves nothing to record",
    at: reviewed().state,
    broken: AGAIN,
    about: "M1-T1, M1-T2",
    kept: AGAIN,
    keptAt: reviewRejected,
  },
  {
    rule: "acceptance_changed",
    what: "a person wrote it, and was not asked",
    at: begun,
    broken: { next: "TEST", acceptance: { "M1-T1": accepting("true") } },
    about: "M1-T1",
    kept: { next: "TEST", acceptance: { "M1-T1": accepting("true") } },
    keptAt: new Scene().decides("How is M1-T1 to be accepted?").state,
  },
  {
    rule: "acceptance_changed",
    what: "a person wrote it, and was asked something else",
    at: new Scene().decides("Tabs or spaces?").state,
    broken: { next: "TEST", acceptance: { "M1-T1": accepting("true") } },
    about: "M1-T1",
    kept: { next: "TEST" },
  },
  {
    rule: "acceptance_changed",
    what: "a threshold is a part of it",
    at: begun,
    broken: { next: "TEST", acceptance: { "M2-T1": [{ command: "check M2-T1", threshold: "exit 1" }] } },
    about: "M2-T1",
    kept: {
      next: "TEST",
      acceptance: { "M2-T1": accepting("check M2-T1") },
      edit: inPlan("### M1-T1", "\n### M1-T1"),
    },
  },
  {
    rule: "acceptance_changed",
    what: "not long after a person was asked",
    at: new Scene().decides().does({ next: "TEST" }, {}, 1).state,
    broken: { next: "TEST", acceptance: { "M2-T1": accepting("true") } },
    about: "M2-T1",
    kept: { next: "TEST" },
  },
  {
    rule: "acceptance_changed",
    what: "MAIN's own may change until it is DONE",
    at: ownSettled,
    broken: { next: "TEST", statuses: { "M1-T2": "DOING" }, acceptance: { "M1-T2": accepting("true") } },
    about: "M1-T2",
    kept: { next: "TEST", statuses: { "M1-T1": "DONE" }, acceptance: { "M1-T2": accepting("true") } },
    keptAt: ownAtFirst,
  },
  {
    rule: "acceptance_changed",
    what: "what is DONE is settled, whatever a person said",
    at: bothGreen().does(TO_REVIEW, { claim: "FAIL" }).decides().state,
    broken: { next: "TEST", statuses: { "M1-T1": "DOING" }, acceptance: { "M1-T1": accepting("true") } },
    about: "M1-T1",
    kept: { next: "TEST", statuses: { "M1-T1": "DOING" } },
  },
  {
    rule: "dangerous_command",
    what: "a new dangerous command",
    at: begun,
    seen: { refusedCommands: ["rm -rf /"] },
    broken: { next: "TEST", added: [task("M2-T2", { acceptance: accepting("rm -rf /") })] },
    about: "rm -rf /",
    kept: { next: "TEST", added: [task("M2-T2")] },
  },
  {
    rule: "main_changed_files",
    what: "MAIN has changed something",
    at: begun,
    seen: { changed: ["src/a.ts", "src/b.ts"] },
    broken: { next: "TEST" },
    about: "src/a.ts, src/b.ts",
    kept: { next: "TEST" },
  },
];
