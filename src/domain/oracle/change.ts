/**
 * What decides whether tests pass, and is not the product: tests, what configures their runner and the build, scripts that the
 * test commands use; and files that were not there but would matter if they were.
 */
export type OracleKind = "test" | "config" | "script" | "shadow";

/** A file of the oracle that is not as it was on the base. */
export interface OracleChange {
  readonly path: string;
  readonly kind: OracleKind;
  /** `extended`: every line of the base is still there, in the same order, and there are more. */
  readonly how: "changed" | "extended" | "deleted" | "added";
  /** Where only some entries of a file belong to the oracle: which of them (`scripts.test`). */
  readonly entries: readonly string[];
}
