import type { MainAnswer } from "../../../src/domain/board/answer.ts";
import { task } from "../../rig/board-answers.ts";
import type { Row } from "./row.ts";
import { ANALYSED, inHistory, Scene, tested } from "./scene.ts";

const begun = new Scene().state;
const blockedPlan = new Scene([task("M1-T1", { status: "BLOCKED" }), task("M1-T2")]).state;
const saidBlocked = tested().does({ next: "DEV" }, { claim: "BLOCKED" }).state;
const dev = { next: "DEV", redWaiver: "it exists" } as const;
const told = (change: string) => inHistory("no change", change);
const repeated = (answer: MainAnswer): MainAnswer => ({ ...answer, devPlanNext: `\n${begun.board?.text}\n` });

export const HISTORY: readonly Row[] = [
  {
    rule: "history_header",
    what: "the number of another iteration",
    at: begun,
    broken: { next: "TEST", edit: inHistory("Iteration 1", "Iteration 2") },
    about: "1",
    kept: { next: "TEST", edit: inHistory("Iteration 1:", "Iteration 1：") },
  },
  {
    rule: "history_header",
    what: "numbers go on from run to run",
    at: new Scene(undefined, { iterationsBefore: 40 }).state,
    broken: { next: "TEST", edit: inHistory("Iteration 41", "Iteration 1") },
    about: "41",
    kept: { next: "TEST" },
  },
  {
    rule: "history_header",
    what: "something before it",
    at: begun,
    broken: { next: "TEST", edit: inHistory("## ", "Well:\n## ") },
    about: "1",
    kept: { next: "TEST", edit: inHistory("Iteration 1:", "Iteration 1: tests first") },
  },
  {
    rule: "history_field",
    what: "a list",
    at: begun,
    broken: { next: "TEST", edit: inHistory("reason:", "- reason:") },
    about: "reason",
    kept: { next: "TEST", edit: inHistory("reason:", "reason：") },
  },
  {
    rule: "history_field",
    what: "no next_agent",
    at: begun,
    broken: { next: "TEST", edit: inHistory("next_agent: TEST\n", "") },
    about: "next_agent",
    kept: { next: "TEST", edit: inHistory("next_agent:", "next_agent：") },
  },
  {
    rule: "history_field",
    what: "an empty dev_plan",
    at: begun,
    broken: { next: "TEST", edit: inHistory("dev_plan: no change", "dev_plan:") },
    about: "dev_plan",
    kept: { next: "TEST", edit: inHistory("dev_plan: no change", "dev_plan:\nno change") },
  },
  {
    rule: "history_next_agent",
    what: "another one than is called on",
    at: begun,
    broken: { next: "TEST", edit: inHistory("next_agent: TEST", "next_agent: DEV") },
    about: "DEV, TEST",
    kept: { next: "TEST" },
  },
  {
    rule: "history_dev_plan",
    what: "no change told where there is one",
    at: begun,
    broken: { next: "TEST", statuses: { "M1-T1": "DOING" }, edit: inHistory("statuses changed", "无变更") },
    about: "无变更",
    kept: {
      next: "TEST",
      statuses: { "M1-T1": "DOING" },
      edit: inHistory("statuses changed", "M1-T1 无变更 TODO → DOING"),
    },
  },
  {
    rule: "history_dev_plan",
    what: "a change told where there is none",
    at: begun,
    broken: { next: "TEST", edit: inHistory("no change", "M1-T1 is DOING") },
    about: "M1-T1 is DOING",
    kept: { next: "TEST", edit: inHistory("no change", "无变更") },
  },
  {
    rule: "history_dev_plan",
    what: "the same plan sent again is no change",
    at: begun,
    broken: { next: "TEST", edit: (answer) => told("M1-T1 is DOING")(repeated(answer)) },
    about: "M1-T1 is DOING",
    kept: { next: "TEST", edit: (answer) => told("No changes.")(repeated(answer)) },
  },
  {
    rule: "history_blockers",
    what: "a task is BLOCKED",
    at: blockedPlan,
    broken: { next: "TEST", edit: inHistory(/\nblockers: .*/, "") },
    about: "M1-T1",
    kept: { next: "TEST" },
  },
  {
    rule: "history_blockers",
    what: "the last report says BLOCKED",
    at: saidBlocked,
    broken: { next: "DEV", edit: inHistory(/\nblockers: .*/, "") },
    about: "",
    kept: { next: "DEV", edit: inHistory("blockers:", "blockers：") },
  },
  {
    rule: "history_blockers",
    what: "the plan says BLOCKED from now on",
    at: begun,
    broken: { next: "TEST", statuses: { "M1-T1": "BLOCKED" }, edit: inHistory(/\nblockers: .*/, "") },
    about: "M1-T1",
    kept: { next: "TEST", statuses: { "M1-T1": "BLOCKED" } },
  },
  {
    rule: "root_cause_missing",
    what: "two failures of the same kind",
    at: tested().fails(2).state,
    broken: { next: "DEV" },
    about: "2",
    kept: { next: "DEV", historyLines: ANALYSED },
  },
  {
    rule: "root_cause_missing",
    what: "also where a person is asked",
    at: tested().fails(2).state,
    broken: { next: "USER" },
    about: "2",
    kept: { next: "USER", historyLines: ["root_cause_analysis:", "1. no lock"] },
  },
  {
    rule: "root_cause_missing",
    what: "two of different kinds are none",
    at: tested().fails(2).state,
    broken: { next: "DEV" },
    about: "2",
    kept: { next: "DEV" },
    keptAt: tested().fails(1).fails(1, { claim: null }).state,
  },
  {
    rule: "root_cause_missing",
    what: "an answer of a person begins anew",
    at: tested().fails(3).state,
    broken: { next: "USER" },
    about: "3",
    kept: dev,
    keptAt: tested().fails(2).calls({ next: "USER", historyLines: ANALYSED }).ask().chooses("a").state,
  },
];
