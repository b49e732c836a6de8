import type { EndReason, FinalStatus } from "./event.ts";
import { ExitCode } from "./outcome.ts";

/** What a run's end means for the exit code. */
export function exitCodeOfEnd(status: FinalStatus, reason: EndReason): ExitCode {
  if (status === "passed" || status === "manually_passed") return ExitCode.accepted;
  return reason === "plan_file_missing" || reason === "plan_file_unreadable"
    ? ExitCode.badInput
    : ExitCode.rejected;
}
