import { about, codes, count, foreign, list, nullable, object, ours, type TypeOf } from "../../text/shape.ts";

export const ROLE_CLAIMS = ["PASS", "FAIL", "BLOCKED", "SKIPPED"] as const;
export type RoleClaim = (typeof ROLE_CLAIMS)[number];

export const blockType = codes(["environment", "permission", "other"]);
export const failureType = codes(["implementation", "test"]);
/** The place of the fault according to an investigation; `none`: it found no fault. */
export const fault = codes(["implementation", "test", "requirements", "none"]);

/** The claims in a report of TEST, DEV or REVIEW. Missing ones are null or empty. */
const roleSaid = object({
  claim: nullable(codes(ROLE_CLAIMS)),
  testFiles: list(foreign()),
  commands: list(foreign()),
  /** Numbers of the test requirements that it claims to cover. */
  covered: list(count),
  blockType: nullable(blockType),
  failureType: nullable(failureType),
  fault: nullable(fault),
  /** DEV's objections to the tests. */
  testFeedback: nullable(foreign()),
  clarification: nullable(foreign()),
  /** Ids of the reported tasks. */
  tasks: list(foreign()),
});
export type RoleSaid = TypeOf<typeof roleSaid>;

export const treeChange = about(
  nullable(list(foreign())),
  "Files that a read-only turn changed; null: unknown",
);
export type TreeChange = TypeOf<typeof treeChange>;

/** The result of TEST, DEV or REVIEW. */
export const roleReport = object({
  kind: codes(["role_report"]),
  said: roleSaid,
  /** Named test files that do not exist. */
  absentFiles: list(foreign()),
  /** Changed files that the role may not touch. */
  changed: treeChange,
  /** TEST itself did not change them. */
  unrestored: about(list(foreign()), "tests that an earlier turn changed and did not restore"),
  tests: about(nullable(ours()), "digest of the tests after the turn"),
});
export type RoleReport = TypeOf<typeof roleReport>;
