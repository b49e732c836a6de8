import type { RoleSaid } from "../../../src/core/board/role-said.ts";
import type { RunState } from "../../../src/core/state.ts";
import { task } from "../../rig/board-answers.ts";
import type { Row } from "./row.ts";
import { ANALYSED, bothGreen, inOrder, M1_VERIFIED, reviewed, Scene, tested, type Say } from "./scene.ts";

const TO_REVIEW = { next: "REVIEW", statuses: { "M1-T2": "DONE" } } as const;
const INVESTIGATE: Say = { next: "REVIEW", reviewMode: "investigate" };

const feedback = (): Scene =>
  tested().does({ next: "DEV" }, { claim: "FAIL", testFeedback: "line 3 is wrong" }, 1);
const withFeedback = feedback().state;
type Fault = RoleSaid["fault"];
const found = (fault: Fault): RunState => feedback().does(INVESTIGATE, { claim: null, fault }).state;
/** An investigation that MAIN wanted, without an objection to the tests. */
const foundForMain = (fault: Fault): RunState => tested().does(INVESTIGATE, { claim: null, fault }).state;
const unsettled = (): RunState => feedback().does(INVESTIGATE, { claim: null }).state;
const failedReview = (failureType: "implementation" | "test" | null): RunState =>
  bothGreen().does(TO_REVIEW, { claim: "FAIL", failureType }, 1).state;
const BACK = { "M1-T1": "DOING" } as const;
const asked = tested().does({ next: "DEV" }, { claim: "FAIL", clarification: "Is a log wanted?" }, 1).state;
const RETRY: Say = { next: "DEV", historyLines: ANALYSED, orderLines: ["note: 2"] };

export const DISPATCH: readonly Row[] = [
  {
    rule: "no_open_task",
    what: "all is DONE",
    at: new Scene([task("M1-T1", { status: "DONE" })]).state,
    broken: { next: "TEST", orderEnd: ["1. `x` → exit 0"] },
    about: "TEST",
    kept: { next: "REVIEW" },
  },
  {
    rule: "milestone_not_reviewed",
    what: "M1 is DONE and not reviewed",
    at: bothGreen().state,
    broken: { next: "TEST", statuses: { "M1-T2": "DONE" } },
    about: "M1",
    kept: { next: "TEST", ...M1_VERIFIED },
    keptAt: reviewed().state,
  },
  {
    rule: "milestone_not_reviewed",
    what: "a blocked task delays nothing once the rest is verified",
    at: new Scene([task("M1-T1", { status: "BLOCKED" }), task("M2-T1")]).state,
    broken: { next: "TEST" },
    about: "M1",
    kept: { next: "TEST" },
    keptAt: new Scene([
      task("M1-T1", { status: "VERIFIED" }),
      task("M1-T2", { status: "BLOCKED" }),
      task("M2-T1"),
    ]).state,
  },
  {
    rule: "feedback_not_investigated",
    what: "DEV again",
    at: withFeedback,
    broken: { next: "DEV" },
    about: "DEV",
    kept: INVESTIGATE,
  },
  {
    rule: "feedback_not_investigated",
    what: "a REVIEW that judges the work",
    at: bothGreen().does({ next: "DEV" }, { claim: "PASS", testFeedback: "line 3 is wrong" }).state,
    broken: TO_REVIEW,
    about: "REVIEW",
    kept: INVESTIGATE,
  },
  {
    rule: "feedback_not_investigated",
    what: "DEV is not believed",
    at: withFeedback,
    broken: { next: "TEST" },
    about: "TEST",
    kept: INVESTIGATE,
  },
  {
    rule: "feedback_not_investigated",
    what: "a person may be asked at once",
    at: withFeedback,
    broken: { next: "TEST", orderLines: ["note: believe DEV"] },
    about: "TEST",
    kept: { next: "USER" },
  },
  {
    rule: "feedback_not_investigated",
    what: "an investigation without a result has settled nothing",
    at: unsettled(),
    broken: { next: "TEST" },
    about: "TEST",
    kept: INVESTIGATE,
  },
  {
    rule: "feedback_not_investigated",
    what: "but then a person may be asked",
    at: unsettled(),
    broken: { next: "DEV" },
    about: "DEV",
    kept: { next: "USER" },
  },
  {
    rule: "feedback_not_investigated",
    what: "the finding of an investigation that was not accepted has no effect",
    at: feedback()
      .calls(INVESTIGATE)
      .role({ claim: null, fault: "test" }, { changed: ["src/a.ts"] })
      .judge().state,
    broken: { next: "TEST" },
    about: "TEST",
    kept: INVESTIGATE,
  },
  {
    rule: "not_what_review_found",
    what: "the implementation is DEV's",
    at: failedReview("implementation"),
    broken: { next: "TEST", statuses: BACK },
    about: "implementation, DEV",
    kept: { next: "DEV", statuses: BACK },
  },
  {
    rule: "not_what_review_found",
    what: "the tests are TEST's",
    at: failedReview("test"),
    broken: { next: "DEV", statuses: BACK },
    about: "test, TEST",
    kept: { next: "TEST", statuses: BACK },
  },
  {
    rule: "not_what_review_found",
    what: "a person may be asked",
    at: failedReview("test"),
    broken: { next: "REVIEW" },
    about: "test, TEST",
    kept: { next: "USER" },
  },
  {
    rule: "not_what_review_found",
    what: "where nothing was found MAIN is free",
    at: failedReview("test"),
    broken: { next: "DEV", statuses: BACK },
    about: "test, TEST",
    kept: { next: "DEV", statuses: BACK },
    keptAt: failedReview(null),
  },
  {
    rule: "not_what_review_found",
    what: "what a REVIEW that passes says about failures is nothing",
    at: failedReview("implementation"),
    broken: { next: "TEST", statuses: BACK },
    about: "implementation, DEV",
    kept: { next: "TEST", ...M1_VERIFIED },
    keptAt: bothGreen().does(TO_REVIEW, { failureType: "implementation" }).state,
  },
  {
    rule: "not_what_investigation_found",
    what: "the tests are TEST's",
    at: found("test"),
    broken: { next: "DEV" },
    about: "test, TEST",
    kept: { next: "TEST" },
  },
  {
    rule: "not_what_investigation_found",
    what: "the implementation is DEV's",
    at: found("implementation"),
    broken: { next: "TEST" },
    about: "implementation, DEV",
    kept: { next: "DEV" },
  },
  {
    rule: "not_what_investigation_found",
    what: "what is unclear is a person's",
    at: found("requirements"),
    broken: { next: "DEV" },
    about: "requirements, USER",
    kept: { next: "USER" },
  },
  {
    rule: "not_what_investigation_found",
    what: "a person may always be asked",
    at: found("implementation"),
    broken: { next: "TEST" },
    about: "implementation, DEV",
    kept: { next: "USER" },
  },
  {
    rule: "not_what_investigation_found",
    what: "no role is at fault: MAIN is free",
    at: found("implementation"),
    broken: { next: "TEST" },
    about: "implementation, DEV",
    kept: { next: "TEST" },
    keptAt: found("none"),
  },
  {
    rule: "not_what_investigation_found",
    what: "an investigation that MAIN started itself has no effect",
    at: found("requirements"),
    broken: { next: "DEV" },
    about: "requirements, USER",
    kept: { next: "DEV" },
    keptAt: foundForMain("requirements"),
  },
  {
    rule: "mechanical_retry",
    what: "the same order after two failures",
    at: tested().fails(2).state,
    broken: RETRY,
    about: "DEV",
    kept: { ...RETRY, orderLines: ["note: look at the lock"] },
  },
  {
    rule: "mechanical_retry",
    what: "white space makes no other order",
    at: tested().fails(2).state,
    broken: { ...RETRY, edit: inOrder("## Goal\n", "##  Goal\n\n\n") },
    about: "DEV",
    kept: { next: "TEST", historyLines: ANALYSED },
  },
  {
    rule: "mechanical_retry",
    what: "after one failure it is none",
    at: tested().fails(2).state,
    broken: RETRY,
    about: "DEV",
    kept: { ...RETRY, orderLines: ["note: 1"] },
    keptAt: tested().fails(1).state,
  },
  {
    rule: "failed_three_times",
    what: "a fourth time, whatever the order",
    at: tested().fails(3).state,
    broken: { ...RETRY, orderLines: ["note: quite another"] },
    about: "DEV",
    kept: { next: "USER", historyLines: ANALYSED },
  },
  {
    rule: "failed_three_times",
    what: "a person's answer starts a new count",
    at: tested().fails(3).state,
    broken: RETRY,
    about: "DEV",
    kept: { next: "DEV" },
    keptAt: tested().fails(3).calls({ next: "USER", historyLines: ANALYSED }).ask().chooses("a").state,
  },
  {
    rule: "clarification_unanswered",
    what: "the order says nothing to it",
    at: asked,
    broken: { next: "DEV" },
    about: "DEV",
    kept: { next: "DEV", orderEnd: ["## Clarification reply", "Yes: section 3.2."] },
  },
  {
    rule: "clarification_unanswered",
    what: "an empty answer is none",
    at: asked,
    broken: { next: "DEV", orderEnd: ["## 澄清回复", ""] },
    about: "DEV",
    kept: { next: "DEV", orderEnd: ["## 澄清回复", "根据需求文档第 3.2 节，需要。"] },
  },
];
