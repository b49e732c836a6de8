import { z } from "zod";
import { NEXT_AGENTS } from "../domain/board/answer.ts";
import { REVIEW_MODES } from "../domain/board/order.ts";
import { TASK_STATUSES } from "../domain/board/plan.ts";
import { ROLE_CLAIMS } from "../domain/board/role-said.ts";
import { BOARD_RULES, type BoardRule } from "../domain/board/rule.ts";
import { count, treeChange } from "./schema-parts.ts";

/** What the schemas of report and journal have in common where there is a board. */
export const nextAgent = z.enum(NEXT_AGENTS);
export const taskStatus = z.enum(TASK_STATUSES);
export const claim = z.enum(ROLE_CLAIMS);
export const reviewMode = z.enum(REVIEW_MODES);
export const rule = z.enum(Object.keys(BOARD_RULES) as readonly BoardRule[]);
export const tools = z.enum(["all", "read", "none"]);
export const blockType = z.enum(["environment", "permission", "other"]);
export const failureType = z.enum(["implementation", "test"]);
export const fault = z.enum(["implementation", "test", "requirements", "none"]);

const names = z.array(z.string());
export const roles = z
  .strictObject({ main: names, test: names, dev: names, review: names })
  .describe("Names of agents, in the order they are tried");

export const broken = z.strictObject({ rule, about: z.string() });

export const mainAnswer = z.strictObject({
  nextAgent,
  reason: z.string(),
  historyAppend: z.string(),
  task: z.string().nullable(),
  devPlanNext: z.string().nullable(),
  question: z
    .strictObject({
      title: z.string(),
      question: z.string(),
      options: z.array(z.strictObject({ id: z.string(), description: z.string() })),
      recommended: z.string(),
    })
    .nullable(),
});

const roleSaid = z.strictObject({
  claim: claim.nullable(),
  testFiles: z.array(z.string()),
  commands: z.array(z.string()),
  covered: z.array(count),
  blockType: blockType.nullable(),
  failureType: failureType.nullable(),
  fault: fault.nullable(),
  testFeedback: z.string().nullable(),
  clarification: z.string().nullable(),
  tasks: z.array(z.string()),
});

/** What TEST, DEV or REVIEW left. */
export const roleReport = z.strictObject({
  kind: z.literal("role_report"),
  said: roleSaid,
  absentFiles: z.array(z.string()),
  changed: treeChange,
  unrestored: z.array(z.string()).describe("tests that an earlier turn changed and that are not put back"),
  tests: z.string().nullable().describe("digest of the tests after the turn"),
});
