import {
  about,
  codes,
  flag,
  foreign,
  list,
  object,
  optional,
  ordinal,
  ours,
  nullable,
  sha256,
  type Text,
  type TypeOf,
} from "../text/shape.ts";

/** These words are in people's files, in every language. */
export const TODO = "🔴 待完成";
export const DOING = "🟡 进行中";
export const DONE = "🟢 已完成";
export const STEP_STATUSES = [TODO, DOING, DONE] as const;
export const stepStatus = codes(STEP_STATUSES);
export type StepStatus = TypeOf<typeof stepStatus>;

const verificationItem = object({ type: ours(), description: ours() });
export type VerificationItem = TypeOf<typeof verificationItem>;

const testOf = (text: Text) =>
  about(
    object({ command: text(), files: optional(list(text())), notes: optional(text()) }),
    "How the step is tested",
  );
/** The version of a person or of the run, which the run uses. */
export const unitTest = testOf(ours);
/** An agent's version. */
export const namedTest = testOf(foreign);
/** The command that tests a step, and its author's remark. */
export type UnitTest = TypeOf<typeof unitTest>;

/** A step from its file. */
export const step = object({
  /** Its name in the steps directory: `002-service.json`. */
  file: ours(),
  /** The original number at the start of its name: `002`. */
  number: ours(),
  id: ours(),
  description: ours(),
  status: stepStatus,
  verification: list(verificationItem),
  unitTest: nullable(unitTest),
  /** Of the bytes of its file. */
  sha256,
});
export type Step = TypeOf<typeof step>;

export const reviewItems = about(
  /** `item`: from 1, in the order of the reviewer's list. */
  list(object({ item: ordinal, passed: flag, evidence: foreign() })),
  "What the verifier found, item by item",
);
export type ReviewItem = TypeOf<typeof reviewItems>[number];
