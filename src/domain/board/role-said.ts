export const ROLE_CLAIMS = ["PASS", "FAIL", "BLOCKED", "SKIPPED"] as const;
export type RoleClaim = (typeof ROLE_CLAIMS)[number];

/** What a report of TEST, DEV or REVIEW says; claims, all of it. What it does not say is null or empty. */
export interface RoleSaid {
  readonly claim: RoleClaim | null;
  readonly testFiles: readonly string[];
  readonly commands: readonly string[];
  /** Which numbered test requirements it says are covered. */
  readonly covered: readonly number[];
  readonly blockType: "environment" | "permission" | "other" | null;
  readonly failureType: "implementation" | "test" | null;
  readonly fault: "implementation" | "test" | "requirements" | null;
  /** What DEV holds against the tests. */
  readonly testFeedback: string | null;
  readonly clarification: string | null;
  /** Ids of the tasks that it speaks of. */
  readonly tasks: readonly string[];
}
