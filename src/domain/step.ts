/** The words stand in people's files, in every language. */
export const TODO = "🔴 待完成";
export const DOING = "🟡 进行中";
export const DONE = "🟢 已完成";
export const STEP_STATUSES = [TODO, DOING, DONE] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

export interface VerificationItem {
  readonly type: string;
  readonly description: string;
}

/** The command that tests a step, and what its author says about it. */
export interface UnitTest {
  readonly command: string;
  readonly files?: readonly string[];
  readonly notes?: string;
}

/** A step as its file says it. */
export interface Step {
  /** Its name in the steps directory: `002-service.json`. */
  readonly file: string;
  /** The number its name starts with, as it is written there: `002`. */
  readonly number: string;
  readonly id: string;
  readonly description: string;
  readonly status: StepStatus;
  readonly verification: readonly VerificationItem[];
  readonly unitTest: UnitTest | null;
  /** Of the bytes of its file. */
  readonly sha256: string;
}

/** What an independent agent found for one item of the list it was given. */
export interface ReviewItem {
  /** From 1, in the order of the list. */
  readonly item: number;
  readonly passed: boolean;
  readonly evidence: string;
}
