import type { BoardDecision } from "../../../src/core/board/decisions.ts";
import { QUESTION, task } from "../../rig/board-answers.ts";
import type { Row } from "./row.ts";
import { ANALYSED, Scene, tested, type Say } from "./scene.ts";

const cause = (word: string, more: Partial<Say> = {}): Say => ({
  next: "USER",
  historyLines: [`user_cause: ${word}`],
  ...more,
});
const failed = tested().does({ next: "DEV" }, { claim: "FAIL" }, 1).state;
const blocked = tested().does({ next: "DEV" }, { claim: "BLOCKED", blockType: "environment" }).state;
const asked = tested().does({ next: "DEV" }, { claim: "FAIL", clarification: "Is a log\nwanted?" }, 1).state;
const unclear = tested().does(
  { next: "REVIEW", reviewMode: "investigate" },
  { claim: null, fault: "requirements" },
).state;
const about = (question: string): Say => ({ next: "USER", question: { ...QUESTION, question } });
const decided: BoardDecision = {
  iteration: 7,
  title: "Storage",
  question: "Which storage is to be used?",
  option: "b",
  description: "wait",
  comment: null,
};

export const USER: readonly Row[] = [
  {
    rule: "user_cause_unfounded",
    what: "environment, and no task is blocked",
    at: failed,
    broken: cause("environment"),
    about: "environment",
    kept: cause("environment"),
    keptAt: blocked,
  },
  {
    rule: "user_cause_unfounded",
    what: "permission, and no task is blocked",
    at: failed,
    broken: cause("permission"),
    about: "permission",
    kept: cause("permission"),
    keptAt: tested().does({ next: "DEV" }, { claim: "BLOCKED" }).state,
  },
  {
    rule: "user_cause_unfounded",
    what: "unresolved after two",
    at: tested().fails(2).state,
    broken: cause("unresolved", { historyLines: ["user_cause: unresolved", ...ANALYSED] }),
    about: "unresolved",
    kept: cause("unresolved", { historyLines: ["user_cause: unresolved", ...ANALYSED] }),
    keptAt: tested().fails(3).state,
  },
  {
    rule: "user_cause_unfounded",
    what: "clarification that no role asked for",
    at: failed,
    broken: cause("clarification"),
    about: "clarification",
    kept: cause("clarification"),
    keptAt: unclear,
  },
  {
    rule: "user_cause_unfounded",
    what: "a cause that there is not",
    at: failed,
    broken: cause("boredom"),
    about: "boredom",
    kept: cause("major_choice"),
  },
  {
    rule: "question_not_passed_on",
    what: "another question than was asked",
    at: asked,
    broken: about("What now?"),
    about: "Is a log wanted?",
    kept: about("DEV asks: Is a log wanted?"),
  },
  {
    rule: "already_decided",
    what: "in this run",
    at: new Scene().decides("Which storage is to be used?", "b").state,
    broken: about("which  storage is to be\nused?"),
    about: "[1] b",
    kept: about("Which region is to be used?"),
  },
  {
    rule: "already_decided",
    what: "in an earlier run",
    at: new Scene(undefined, { decided: [decided], iterationsBefore: 9 }).state,
    broken: about("Which storage is to be used?"),
    about: "[7] b",
    kept: about("Which region is to be used?"),
  },
  {
    rule: "already_decided",
    what: "in an earlier run, unless tasks were dropped there",
    at: new Scene(undefined, { decided: [decided], iterationsBefore: 9 }).state,
    broken: about(decided.question),
    about: "[7] b",
    kept: about(decided.question),
    keptAt: new Scene(undefined, { decided: [{ ...decided, option: "drop_tasks" }], iterationsBefore: 9 })
      .state,
  },
];

const VERIFIED = { status: "VERIFIED" } as const;
const FINISH: Say = { next: "FINISH" };
const all = new Scene(["M1-T1", "M1-T2"].map((id) => task(id, VERIFIED))).state;
const withRest = (...names: readonly string[]): Scene =>
  new Scene([task("M1-T1", VERIFIED), task("M2-T1"), task("M2-T2")])
    .calls({
      next: "USER",
      question: {
        title: "The rest?",
        question: `What about ${names.join(" and ")}?`,
        options: [
          { id: "keep", description: "do them" },
          { id: "drop_tasks", description: "leave them" },
        ],
        recommended: "keep",
      },
    })
    .ask();
const blockedOne = (option: string): Scene =>
  new Scene([task("M1-T1", VERIFIED), task("M1-T2", { status: "BLOCKED" })])
    .calls({
      next: "USER",
      question: {
        ...QUESTION,
        question: "M1-T2 is blocked. What now?",
        options: [{ id: option, description: "go on without it" }],
        recommended: option,
      },
    })
    .ask();
const withBlocked = blockedOne("skip_task");
const dropsBlocked = blockedOne("drop_tasks");
const reviewedOne = new Scene([task("M1-T1", { status: "DONE" })]).does({ next: "REVIEW" }).state;
const UPDATE: Say = {
  next: "FINISH",
  statuses: { "M1-T1": "VERIFIED" },
  evidence: { "M1-T1": "Iteration 1" },
};

export const FINISHING: readonly Row[] = [
  {
    rule: "finish_done_left",
    what: "DONE is not VERIFIED",
    at: new Scene([task("M1-T1", VERIFIED), task("M1-T2", { status: "DONE" })]).state,
    broken: FINISH,
    about: "M1-T2",
    kept: FINISH,
    keptAt: all,
  },
  {
    rule: "finish_not_verified",
    what: "a task is DOING",
    at: new Scene([task("M1-T1", VERIFIED), task("M1-T2", { status: "DOING" })]).state,
    broken: FINISH,
    about: "M1-T2",
    kept: FINISH,
    keptAt: all,
  },
  {
    rule: "finish_not_verified",
    what: "a task is BLOCKED",
    at: new Scene([task("M1-T1", VERIFIED), task("M1-T2", { status: "BLOCKED" })]).state,
    broken: FINISH,
    about: "M1-T2",
    kept: FINISH,
    keptAt: all,
  },
  {
    rule: "finish_not_verified",
    what: "a task is BLOCKED that a person only skipped, not dropped",
    at: withBlocked.chooses("skip_task").state,
    broken: { ...FINISH, historyLines: ["blockers: M1-T2"] },
    about: "M1-T2",
    kept: { ...FINISH, historyLines: ["blockers: M1-T2"] },
    keptAt: dropsBlocked.chooses("drop_tasks").state,
  },
  {
    rule: "finish_not_verified",
    what: "nothing is, all was dropped",
    at: new Scene([task("M1-T1")])
      .calls({
        next: "USER",
        question: {
          ...QUESTION,
          question: "M1-T1?",
          options: [{ id: "drop_tasks", description: "no" }],
          recommended: "drop_tasks",
        },
      })
      .ask()
      .chooses("drop_tasks").state,
    broken: FINISH,
    about: "",
    kept: FINISH,
    keptAt: all,
  },
  {
    rule: "finish_todo_left",
    what: "no person was asked",
    at: new Scene([task("M1-T1", VERIFIED), task("M2-T1"), task("M2-T2")]).state,
    broken: FINISH,
    about: "M2-T1, M2-T2",
    kept: FINISH,
    keptAt: withRest("M2-T1", "M2-T2").chooses("drop_tasks").state,
  },
  {
    rule: "finish_todo_left",
    what: "the question did not name it",
    at: withRest("M2-T1").chooses("drop_tasks").state,
    broken: FINISH,
    about: "M2-T2",
    kept: FINISH,
    keptAt: withRest("M2-T1", "M2-T2").chooses("drop_tasks").state,
  },
  {
    rule: "finish_todo_left",
    what: "the person wanted it",
    at: withRest("M2-T1", "M2-T2").chooses("keep").state,
    broken: FINISH,
    about: "M2-T1, M2-T2",
    kept: { next: "TEST" },
  },
  {
    rule: "finish_todo_left",
    what: "an earlier run's decision may have meant another task",
    at: new Scene([task("M1-T1", VERIFIED), task("M2-T1")], {
      decided: [{ ...decided, question: "What about M2-T1?", option: "drop_tasks" }],
    }).state,
    broken: FINISH,
    about: "M2-T1",
    kept: { next: "TEST" },
  },
  {
    rule: "finish_last_report",
    what: "the last look was red",
    at: new Scene([task("M1-T1", VERIFIED)]).calls(FINISH).checks(1).judge().state,
    broken: FINISH,
    about: "acceptance_failed",
    kept: FINISH,
    keptAt: new Scene([task("M1-T1", VERIFIED)]).calls(FINISH).checks(1).judge().decides().state,
  },
  {
    rule: "finish_last_report",
    what: "an investigation failed",
    at: new Scene([task("M1-T1", VERIFIED)]).does(
      { next: "REVIEW", reviewMode: "investigate", orderLines: ["task: M1-T1"] },
      { claim: "BLOCKED" },
    ).state,
    broken: { ...FINISH, historyLines: ["blockers: it"] },
    about: "role_blocked",
    kept: FINISH,
    keptAt: all,
  },
  {
    rule: "finish_with_update",
    what: "what is recorded now is finished in the next iteration",
    at: reviewedOne,
    broken: UPDATE,
    about: "M1-T1",
    kept: FINISH,
    keptAt: new Scene([task("M1-T1", { status: "DONE" })]).does({ next: "REVIEW" }).calls(UPDATE).state,
  },
];
