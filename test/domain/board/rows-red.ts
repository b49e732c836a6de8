import { joinParts } from "../../../src/modes/orchestrate/tree-parts.ts";
import type { RunState } from "../../../src/core/state.ts";
import { task } from "../../rig/board-answers.ts";
import type { Row } from "./row.ts";
import { Scene, tested } from "./scene.ts";

const begun = new Scene().state;
const VERIFIED_BEFORE = [task("M1-T1", { status: "VERIFIED" })];
/** The last run saw M1-T1 fail with tests of the digest `t1`. This run begins with the same or other tests. */
const redBefore = (tests: string, commands: readonly string[] = ["check M1-T1"]): RunState =>
  new Scene(undefined, { redBefore: { tests: "t1", tasks: [{ id: "M1-T1", commands }] } }).add(
    {
      ...{ type: "turn_started", role: "main", attempt: 1, turn: 1, agent: "claude", resumes: null },
      tree: joinParts({ tests, product: "p", other: "o" }),
    },
    { type: "turn_interrupted", attempt: 1, turn: 1 },
  ).state;

export const RED: readonly Row[] = [
  {
    rule: "red_not_confirmed",
    what: "DEV before TEST",
    at: begun,
    broken: { next: "DEV" },
    about: "M1-T1",
    kept: { next: "DEV" },
    keptAt: tested().state,
  },
  {
    rule: "red_not_confirmed",
    what: "TEST says PASS, and nothing fails",
    at: new Scene().does({ next: "TEST" }).state,
    broken: { next: "DEV" },
    about: "M1-T1 test_rejected",
    kept: { next: "TEST" },
  },
  {
    rule: "red_not_confirmed",
    what: "B36 a report of TEST that lacks something",
    at: new Scene().does({ next: "TEST" }, { covered: [1] }, 1).state,
    broken: { next: "DEV" },
    about: "M1-T1 test_rejected",
    kept: { next: "TEST" },
  },
  {
    rule: "red_not_confirmed",
    what: "a waiver has to say why",
    at: begun,
    broken: { next: "DEV", redWaiver: "" },
    about: "M1-T1",
    kept: { next: "DEV", redWaiver: "the feature exists" },
  },
  {
    rule: "red_not_confirmed",
    what: "other commands than those that failed",
    at: new Scene().does({ next: "TEST" }, {}, 1).decides("How is M1-T1 to be accepted?").state,
    broken: { next: "DEV", acceptance: { "M1-T1": [{ command: "check more", threshold: "exit 0" }] } },
    about: "M1-T1 commands_changed",
    kept: { next: "DEV" },
  },
  {
    rule: "red_not_confirmed",
    what: "a task that was red in the last look needs no other failing test",
    at: new Scene(VERIFIED_BEFORE).calls({ next: "FINISH" }).checks(0).judge().state,
    broken: { next: "DEV", added: [task("M1-T2")] },
    about: "M1-T2",
    kept: { next: "DEV", statuses: { "M1-T1": "DOING" } },
    keptAt: new Scene(VERIFIED_BEFORE).calls({ next: "FINISH" }).checks(1).judge().state,
  },
  {
    rule: "red_not_confirmed",
    what: "nor after DEV has tried once",
    at: new Scene(VERIFIED_BEFORE).calls({ next: "FINISH" }).checks(127).judge().state,
    broken: { next: "DEV", statuses: { "M1-T1": "DOING" } },
    about: "M1-T1",
    kept: { next: "DEV", orderLines: ["note: again"] },
    keptAt: new Scene(VERIFIED_BEFORE)
      .calls({ next: "FINISH" })
      .checks(1)
      .judge()
      .does({ next: "DEV", statuses: { "M1-T1": "DOING" } }, { claim: "FAIL" }, 1).state,
  },
  {
    rule: "red_not_confirmed",
    what: "red seen in the last run counts while the tests are the same",
    at: redBefore("t2"),
    broken: { next: "DEV" },
    about: "M1-T1 tests_changed",
    kept: { next: "DEV" },
    keptAt: redBefore("t1"),
  },
  {
    rule: "red_not_confirmed",
    what: "and while the commands are",
    at: redBefore("t1", ["check more"]),
    broken: { next: "DEV" },
    about: "M1-T1 commands_changed",
    kept: { next: "DEV" },
    keptAt: redBefore("t1"),
  },
  {
    rule: "red_not_confirmed",
    what: "what REVIEW's commands showed to be red is red",
    at: new Scene([task("M1-T1", { status: "DONE" })]).does({ next: "REVIEW" }, { claim: "FAIL" }).state,
    broken: { next: "DEV", statuses: { "M1-T1": "DOING" } },
    about: "M1-T1",
    kept: { next: "DEV", statuses: { "M1-T1": "DOING" } },
    keptAt: new Scene([task("M1-T1", { status: "DONE" })]).does({ next: "REVIEW" }, { claim: "FAIL" }, 1)
      .state,
  },
];
