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
  /** Whose fault an investigation found it to be; `none`: no fault was found. */
  readonly fault: "implementation" | "test" | "requirements" | "none" | null;
  /** What DEV holds against the tests. */
  readonly testFeedback: string | null;
  readonly clarification: string | null;
  /** Ids of the tasks that it speaks of. */
  readonly tasks: readonly string[];
}

/** What TEST, DEV or REVIEW left. */
export interface RoleReport {
  readonly kind: "role_report";
  readonly said: RoleSaid;
  /** Test files that it names and that are not there. */
  readonly absentFiles: readonly string[];
  /** Files it may not touch and that it changed. */
  readonly changed: TreeChange;
  /** Tests that an earlier turn changed without being TEST, and that are still not as they were. */
  readonly unrestored: readonly string[];
  /** The digest of the tests after the turn; null: unknown. */
  readonly tests: string | null;
}
/** Files that a turn changed which was to change nothing; null: it cannot be told. */
export type TreeChange = readonly string[] | null;
