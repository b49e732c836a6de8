import fs from "node:fs";
import { Failure, messageOf } from "../domain/failure.ts";
import { begin, fold } from "../domain/fold.ts";
import type { RunState } from "../domain/state.ts";
import { readJournal, splitAtLf } from "./read.ts";
import { decodeRecord, FIRST_PREV, type JournalRecord } from "./record.ts";

/** What can be read of a journal: all of it, or the records before the first one that does not verify. */
export interface Salvaged {
  readonly records: readonly JournalRecord[];
  /** Null: not one record can be trusted. */
  readonly state: RunState | null;
  /** Bytes of an append that was cut off: no damage, it never happened. */
  readonly tornBytes: number;
  readonly problem: Failure | null;
}

/** For people who look at a damaged run; whatever goes on with one uses `readJournal`, which refuses it. */
export function salvageJournal(path: string, runId: string): Salvaged {
  try {
    const { records, state, tornBytes } = readJournal(path, runId);
    return { records, state, tornBytes, problem: null };
  } catch (error) {
    const readable = readablePart(path, runId);
    const line = String(readable.records.length + 1);
    const problem =
      error instanceof Failure
        ? error
        : // Its checksum fits, but what it says cannot be.
          new Failure("journal_tampered", { runId, path, line, why: messageOf(error) }, { cause: error });
    return { ...readable, tornBytes: 0, problem };
  }
}

function readablePart(path: string, runId: string): { records: JournalRecord[]; state: RunState | null } {
  const records: JournalRecord[] = [];
  let state: RunState | null = null;
  let head = FIRST_PREV;
  for (const line of wholeLines(path)) {
    const decoded = decodeRecord(line);
    if (!decoded.ok || decoded.record.prev !== head || decoded.record.seq !== records.length + 1) break;
    const next = folded(state, decoded.record);
    if (next?.runId !== runId) break;
    state = next;
    head = decoded.hash;
    records.push(decoded.record);
  }
  return { records, state };
}

function wholeLines(path: string): Buffer[] {
  try {
    const bytes = fs.readFileSync(path);
    return splitAtLf(bytes.subarray(0, bytes.lastIndexOf(0x0a) + 1));
  } catch (error) {
    throw new Failure("state_dir_not_writable", { path, why: messageOf(error) }, { cause: error });
  }
}

function folded(state: RunState | null, record: JournalRecord): RunState | undefined {
  try {
    return state ? fold(state, record.event, record.at) : begin(record.event, record.at);
  } catch {
    return undefined;
  }
}
