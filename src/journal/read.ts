import fs from "node:fs";
import type { RunEvent } from "../domain/event.ts";
import { Failure, messageOf } from "../domain/failure.ts";
import { begin, fold, ImpossibleEvent } from "../domain/fold.ts";
import type { RunState } from "../domain/state.ts";
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
  const lines = splitAtLf(bytes.subarray(0, whole));
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
  // A cut-off append ends within its record; a whole record with something else in place of its LF was changed.
  if (decodeRecord(bytes.subarray(whole, -1)).ok)
    throw new Failure("journal_tampered", {
      runId,
      path,
      line: String(lines.length + 1),
      why: "its end was changed",
    });
  return { records, state, head, length: whole, tornBytes: bytes.length - whole };
}

/** The lines of a text that ends with LF, without it. */
export function splitAtLf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start);
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
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
    // A sound checksum over nonsense makes the fold stumble anywhere.
    const why = error instanceof ImpossibleEvent ? error.message : `it makes no sense (${messageOf(error)})`;
    throw new Failure("journal_tampered", { ...where, why }, { cause: error });
  }
}
