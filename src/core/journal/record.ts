import type { RunEvent } from "../event.ts";
import { messageOf } from "../../platform/failure.ts";
import { sha256Of } from "../../platform/files/sha256.ts";

/** Version of the journal's format. A reader refuses every other one. */
export const JOURNAL_VERSION = 3;
export const FIRST_PREV = "0".repeat(64);

export interface JournalRecord {
  readonly v: number;
  readonly seq: number;
  readonly at: string;
  /** The hash of the previous record: a chain, so that no line can be changed, dropped or moved unnoticed. */
  readonly prev: string;
  readonly event: RunEvent;
}

const HASH_FIELD = ',"hash":"';
const TAIL_LENGTH = HASH_FIELD.length + 64 + 2;

/**
 * A record is one line of JSON whose last field is the SHA-256 of all text before that field. Hashing the written text
 * saves readers a canonical form.
 */
export function encodeRecord(record: JournalRecord): { line: string; hash: string } {
  const body = JSON.stringify(record).slice(0, -1);
  const hash = sha256Of(body);
  return { line: `${body}${HASH_FIELD}${hash}"}\n`, hash };
}

export type Decoded =
  | { readonly ok: true; readonly record: JournalRecord; readonly hash: string }
  | { readonly ok: false; readonly why: string; readonly version?: OtherVersion };

export type OtherVersion = "newer" | "older";

/** `line` without its LF. Bytes, because different ones may decode to the same text. */
export function decodeRecord(line: Buffer): Decoded {
  const body = line.subarray(0, -TAIL_LENGTH);
  const tail = line.subarray(-TAIL_LENGTH).toString("latin1");
  const hash = tail.slice(HASH_FIELD.length, -2);
  if (!tail.startsWith(HASH_FIELD) || !tail.endsWith('"}')) return notOurs(line.toString("latin1"));
  if (sha256Of(body) !== hash) return { ok: false, why: "its checksum does not fit" };
  try {
    const record = JSON.parse(`${body.toString("utf8")}}`) as JournalRecord;
    if (!isObject(record) || !isObject(record.event)) return { ok: false, why: "it holds no event" };
    return otherVersion(record.v) ?? { ok: true, record, hash };
  } catch (error) {
    return { ok: false, why: messageOf(error) };
  }
}

/** Another format may have its checksum elsewhere; its version is still worth reporting. */
function notOurs(line: string): Decoded {
  const version = /^\{"v":(\d+),/.exec(line)?.[1];
  const other = version === undefined ? null : otherVersion(Number(version));
  return other ?? { ok: false, why: "it is not a journal record" };
}

function otherVersion(version: number): Decoded | null {
  if (version === JOURNAL_VERSION) return null;
  const why = `it has format version ${version}`;
  return { ok: false, why, version: version > JOURNAL_VERSION ? "newer" : "older" };
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
