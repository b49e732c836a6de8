import { Failure, messageOf } from "../domain/failure.ts";
import type { RunState } from "../domain/state.ts";
import { removeAny } from "../files/remove.ts";
import { writeFileDurable } from "../files/write-file.ts";

/** On a full disk the reserve is given up for the report: the end of a run is worth more than space set aside. */
export function writeReportFile(state: RunState, report: object, reserve: string): void {
  const { reportPath } = state.settings;
  const text = `${JSON.stringify(report, null, 2)}\n`;
  try {
    try {
      writeFileDurable(reportPath, text);
    } catch {
      removeAny(reserve);
      writeFileDurable(reportPath, text);
    }
  } catch (error) {
    const about = { runId: state.runId, path: reportPath, why: messageOf(error) };
    throw new Failure("report_write_failed", about, { cause: error });
  }
  // A run that may go on will need it again.
  if (state.ended) removeAny(reserve);
}
