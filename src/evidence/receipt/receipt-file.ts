import { Failure, messageOf } from "../../platform/failure.ts";
import type { Artifact } from "../../platform/process/process-end.ts";
import type { RunState } from "../../core/state.ts";
import { parseResults } from "../results/kept-results.ts";
import type { TestResult } from "../../core/evidence/result.ts";
import { writeFileDurable } from "../../platform/files/write-file.ts";
import type { Journal } from "../../core/journal/journal.ts";
import { receiptOf, receiptPathFor, receiptText, type Receipt } from "./receipt.ts";
import { readKept } from "../../platform/files/kept.ts";

/** Writes a receipt of accepted work for people who did not see the run. */
export function writeReceiptFile(receipt: Receipt | null, { runId, settings }: RunState): void {
  if (!receipt) return;
  const path = receiptPathFor(settings.reportPath);
  try {
    writeFileDurable(path, receiptText(receipt));
  } catch (error) {
    throw new Failure("report_write_failed", { runId, path, why: messageOf(error) }, { cause: error });
  }
}

/** Builds the receipt from a journal and the files beside it. */
export function receiptFrom(
  state: RunState,
  { head, records }: Pick<Journal, "head" | "records">,
): Receipt | null {
  return receiptOf(state, { head, records, resultsIn });
}

function resultsIn(kept: Artifact): readonly TestResult[] {
  const text = readKept(kept);
  const report = text === undefined ? null : parseResults(text);
  if (!report) throw new Failure("evidence_changed", { path: kept.path });
  return report.results;
}
