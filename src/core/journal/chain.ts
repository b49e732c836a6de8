import { decodeRecord, FIRST_PREV } from "./record.ts";

/** The summary of a chain of records: its head proves every byte before it. */
export interface ChainEnd {
  readonly head: string;
  readonly records: number;
}

/** Null: a record does not verify, does not follow its predecessor, or is incomplete. The content of records is not checked. */
export function endOfChain(bytes: Buffer): ChainEnd | null {
  let head = FIRST_PREV;
  let records = 0;
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(0x0a, from);
    const decoded = end < 0 ? null : decodeRecord(bytes.subarray(from, end));
    if (!decoded?.ok || decoded.record.prev !== head || decoded.record.seq !== records + 1) return null;
    ({ hash: head } = decoded);
    records += 1;
    from = end + 1;
  }
  return { head, records };
}
