import fs from "node:fs";
import type { RunEvent } from "../domain/event.ts";
import { Failure } from "../domain/failure.ts";
import { begin, fold, ImpossibleEvent, type RunState } from "../domain/state.ts";
import { decodeRecord, FIRST_PREV, type JournalRecord } from "./record.ts";

export interface JournalContent {
  readonly records: readonly JournalRecord[];
  readonly state: RunState;
  /** Hash of the last good record. */
  readonly head: string;
  /** Bytes up to the end of the last good record. What follows is a torn append. */
  readonly length: number;
  readonly tornBytes: number;
}

/**
 * Reads and verifies a journal. A last line without its LF is an append that was cut off: it never happened. Everything
 * else that does not verify is refused, for a record that was once whole can only have been changed.
 */
export function readJournal(path: string, runId: string): JournalContent {
  const bytes = fs.readFileSync(path);
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, whole).toString("utf8").split("\n").slice(0, -1);
  if (lines.length === 0) throw new Failure("journal_empty", { runId, path });

  const records: JournalRecord[] = [];
  let state: RunState | undefined;
  let head = FIRST_PREV;
  for (const [index, line] of lines.entries()) {
    const decoded = decodeRecord(line);
    const where = { runId, path, line: String(index + 1) };
    if (!decoded.ok) {
      if (decoded.newer) throw new Failure("journal_newer", { ...where, why: decoded.why });
      throw new Failure(index === 0 ? "journal_foreign" : "journal_tampered", { ...where, why: decoded.why });
    }
    const { record, hash } = decoded;
    if (record.prev !== head || record.seq !== index + 1)
      throw new Failure("journal_tampered", { ...where, why: "it does not follow the record before it" });
    state = foldRecord(state, record.event, record.at, where);
    if (state.runId !== runId)
      throw new Failure("journal_foreign", { ...where, why: `it belongs to run ${state.runId}` });
    records.push(record);
    head = hash;
  }
  if (!state) throw new Failure("journal_empty", { runId, path });
  return { records, state, head, length: whole, tornBytes: bytes.length - whole };
}

function foldRecord(
  state: RunState | undefined,
  event: RunEvent,
  at: string,
  where: Readonly<Record<string, string>>,
): RunState {
  try {
    return state ? fold(state, event, at) : begin(event, at);
  } catch (error) {
    if (error instanceof ImpossibleEvent)
      throw new Failure("journal_tampered", { ...where, why: error.message });
    throw error;
  }
}
