import { Failure, messageOf } from "../domain/failure.ts";
import type { Captured } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { parseResults } from "../domain/tests/kept-results.ts";
import type { TestResult } from "../domain/tests/result.ts";
import { writeFileDurable } from "../files/write-file.ts";
import type { Journal } from "../journal/journal.ts";
import { receiptOf, receiptText, type Receipt } from "../reports/receipt.ts";
import { readKept } from "./turn-files.ts";

/** Beside the report. */
export function receiptPath(reportPath: string): string {
  return `${reportPath.replace(/\.json$/, "")}.receipt.json`;
}

/** What a run whose work was accepted leaves for those who were not there. */
export function writeReceiptFile(state: RunState, journal: Pick<Journal, "head" | "records">): void {
  const receipt = receiptFrom(state, journal);
  if (!receipt) return;
  const path = receiptPath(state.settings.reportPath);
  try {
    writeFileDurable(path, receiptText(receipt));
  } catch (error) {
    throw new Failure(
      "report_write_failed",
      { runId: state.runId, path, why: messageOf(error) },
      { cause: error },
    );
  }
}

/** The receipt that a journal, and what lies beside it, comes down to. */
export function receiptFrom(
  state: RunState,
  { head, records }: Pick<Journal, "head" | "records">,
): Receipt | null {
  return receiptOf(state, { head, records, resultsIn });
}

function resultsIn(kept: Captured): readonly TestResult[] {
  const text = readKept(kept);
  const report = text === undefined ? null : parseResults(text);
  if (!report) throw new Failure("evidence_changed", { path: kept.path });
  return report.results;
}
