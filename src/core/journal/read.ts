import fs from "node:fs";
import { Failure, messageOf } from "../../platform/failure.ts";
import { fold, type Begin, ImpossibleEvent } from "../fold.ts";
import type { RunState } from "../state.ts";
import { readPlainFile } from "../../platform/files/read-file.ts";
import { decodeRecord, FIRST_PREV, type JournalRecord, type OtherVersion } from "./record.ts";

export interface JournalContent {
  readonly records: readonly JournalRecord[];
  readonly state: RunState;
  /** Hash of the last good record. */
  readonly head: string;
  /** Bytes up to the end of the last good record. A torn append follows, if anything. */
  readonly length: number;
  readonly tornBytes: number;
}

/** The readable part of a journal: all of it, or the records before the first one that does not verify. */
export interface SalvagedJournal {
  readonly records: readonly JournalRecord[];
  /** Null: no record can be trusted. */
  readonly state: RunState | null;
  readonly head: string;
  readonly length: number;
  /** Bytes of an append that was cut off: no damage, it never happened. */
  readonly tornBytes: number;
  readonly problem: Failure | null;
}

/** Reads a journal that verifies; any other is refused. */
export function readJournal(path: string, runId: string, begin: Begin): JournalContent {
  const { problem, state, ...content } = salvageJournal(path, runId, begin);
  if (problem) throw problem;
  if (!state) throw new Failure("journal_empty", { runId, path });
  return { ...content, state };
}

/**
 * Reads as much of a journal as verifies, for people who look at a damaged run. A last line without its LF is an append that
 * was cut off: it never happened. Anything else that does not verify is damage, because a complete record can only have been
 * changed later.
 */
export function salvageJournal(path: string, runId: string, begin: Begin): SalvagedJournal {
  const bytes = readBytes(path, runId);
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const records: JournalRecord[] = [];
  let state: RunState | null = null;
  let head = FIRST_PREV;
  let length = 0;
  const salvaged = (problem: Failure | null): SalvagedJournal => ({
    records,
    state,
    head,
    length,
    tornBytes: problem ? 0 : bytes.length - whole,
    problem,
  });
  const where = (): Record<string, string> => ({ runId, path, line: String(records.length + 1) });

  if (fs.existsSync(`${path}.tampered`))
    return salvaged(
      new Failure("journal_tampered", { ...where(), why: "it was changed while its run went on" }),
    );
  if (whole === 0) return salvaged(new Failure("journal_empty", { runId, path }));
  while (length < whole) {
    const end = bytes.indexOf(0x0a, length);
    const next = readRecord(
      bytes.subarray(length, end),
      { state, head, seq: records.length + 1 },
      runId,
      begin,
    );
    if ("code" in next) return salvaged(new Failure(next.code, { ...where(), why: next.why }));
    ({ state, head } = next);
    records.push(next.record);
    length = end + 1;
  }
  // A cut-off append ends within its record; a whole record with something else in place of its LF was changed.
  if (decodeRecord(bytes.subarray(whole, -1)).ok)
    return salvaged(new Failure("journal_tampered", { ...where(), why: "its end was changed" }));
  return salvaged(null);
}

/** Keeps a detected change on record, because the added records may verify. */
export function markTampered(path: string): void {
  try {
    fs.writeFileSync(`${path}.tampered`, "");
  } catch {
    // Its directory is gone as well, so there is nothing left to believe.
  }
}

function readBytes(path: string, runId: string): Buffer {
  try {
    return readPlainFile(path);
  } catch (error) {
    throw new Failure("journal_unreadable", { runId, path, why: messageOf(error) }, { cause: error });
  }
}

type Read =
  | { readonly record: JournalRecord; readonly state: RunState; readonly head: string }
  | {
      readonly code: `journal_${OtherVersion}` | "journal_foreign" | "journal_tampered";
      readonly why: string;
    };

function readRecord(
  line: Buffer,
  after: { readonly state: RunState | null; readonly head: string; readonly seq: number },
  runId: string,
  begin: Begin,
): Read {
  const decoded = decodeRecord(line);
  if (!decoded.ok) {
    const changed = after.seq === 1 ? "journal_foreign" : "journal_tampered";
    return { code: decoded.version ? `journal_${decoded.version}` : changed, why: decoded.why };
  }
  const { record, hash } = decoded;
  if (record.prev !== after.head || record.seq !== after.seq)
    return { code: "journal_tampered", why: "it does not follow the record before it" };
  try {
    const { event, at } = record;
    const state = after.state ? fold(after.state, event, at) : begin(event, at);
    if (state.runId !== runId) return { code: "journal_foreign", why: `it belongs to run ${state.runId}` };
    return { record, state, head: hash };
  } catch (error) {
    // Nonsense with a valid checksum can make the fold throw anywhere.
    const why = error instanceof ImpossibleEvent ? error.message : `it makes no sense (${messageOf(error)})`;
    return { code: "journal_tampered", why };
  }
}
