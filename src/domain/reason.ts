/** Stable codes, the same in every language. */
export type Reason =
  | "missing_or_invalid_status_marker"
  | "missing_evidence_marker"
  | "agent_needs_work"
  | "agent_blocked"
  | "agent_exit_nonzero"
  | "agent_execution_error"
  | "output_cap_exceeded"
  | "timeout"
  | "fast_test_failed"
  | "full_test_failed"
  | "test_execution_error";
