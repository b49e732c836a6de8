import fs from "node:fs";
import { Failure, messageOf } from "../domain/failure.ts";
import type { RunState } from "../domain/state.ts";
import { writeFileDurable } from "../files/write-file.ts";

/** On a full disk the reserve is given up for the report: the end of a run is worth more than space set aside. */
export function writeReportFile(state: RunState, report: object, reserve: string): void {
  const { reportPath } = state.settings;
  const text = `${JSON.stringify(report, null, 2)}\n`;
  try {
    try {
      writeFileDurable(reportPath, text);
    } catch {
      fs.rmSync(reserve, { force: true, recursive: true });
      writeFileDurable(reportPath, text);
    }
  } catch (error) {
    const about = { runId: state.runId, path: reportPath, why: messageOf(error) };
    throw new Failure("report_write_failed", about, { cause: error });
  }
  // A run that may go on will need it again.
  if (state.ended) fs.rmSync(reserve, { force: true, recursive: true });
}
