import { Failure, messageOf } from "../domain/failure.ts";
import type { Captured } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { parseResults } from "../domain/tests/kept-results.ts";
import type { TestResult } from "../domain/tests/result.ts";
import { writeFileDurable } from "../files/write-file.ts";
import type { Journal } from "../journal/journal.ts";
import { receiptOf, receiptPathFor, receiptText, type Receipt } from "../reports/receipt.ts";
import { readKept } from "./turn-files.ts";

/** What a run whose work was accepted leaves for those who were not there. */
export function writeReceiptFile(receipt: Receipt | null, { runId, settings }: RunState): void {
  if (!receipt) return;
  const path = receiptPathFor(settings.reportPath);
  try {
    writeFileDurable(path, receiptText(receipt));
  } catch (error) {
    throw new Failure("report_write_failed", { runId, path, why: messageOf(error) }, { cause: error });
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
