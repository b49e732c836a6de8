// An agent's claim, from the last markers of its two streams.

import { codes, flag, foreign, nullable, object, type TypeOf } from "../../text/shape.ts";
import { STATUS_MARKERS, type StatusMarker } from "./line.ts";
import type { Found, ScanResult } from "./scanner.ts";
import type { WriteTurns } from "../../platform/process/write-turns.ts";

export type { StatusMarker } from "./line.ts";

export const turnClaim = object({
  /** Null: no status marker at all. */
  status: nullable(codes([...STATUS_MARKERS, "invalid"])),
  /** The original value, when the status is invalid. */
  statusText: nullable(foreign()),
  evidence: nullable(foreign()),
  /** False when the streams claim different statuses and which came last cannot be known. */
  orderCertain: flag,
});
export type Claim = TypeOf<typeof turnClaim>;

interface Pair<Value> {
  readonly stdout: Found<Value> | null;
  readonly stderr: Found<Value> | null;
}

/** Never accept on doubt: of two statuses in unknown order the less favourable one is taken. */
const FAVOUR = { invalid: 0, BLOCKED: 1, NEEDS_WORK: 2, DONE: 3 } as const;

/** How streams took turns in an epoch; markers of different epochs came in the order of the epochs. */
type TurnsOf = (epoch: number) => WriteTurns | undefined;

export function readClaim(stdout: ScanResult, stderr: ScanResult, turnsOf: TurnsOf): Claim {
  const statuses = { stdout: stdout.status, stderr: stderr.status };
  const evidences = { stdout: stdout.evidence, stderr: stderr.evidence };
  const lastStatus = certainlyLast(statuses, turnsOf);
  const status = lastStatus ?? leastFavourable(statuses);
  const evidence = certainlyLast(evidences, turnsOf) ?? lastArrived(evidences);
  return {
    status: status?.value ?? null,
    statusText: status?.value === "invalid" ? status.text : null,
    evidence: evidence?.text ?? null,
    orderCertain: lastStatus !== null || statuses.stdout?.value === statuses.stderr?.value,
  };
}

/**
 * Within an epoch we know which stream wrote last, but not its last text. Its marker is the later one if it was written in that last
 * stretch: either the marker ends the stream, or the stream had only one stretch. Otherwise the last stretch may contain only
 * the text after the marker.
 */
function certainlyLast<Value>(pair: Pair<Value>, turnsOf: TurnsOf): Found<Value> | null {
  const { stdout, stderr } = pair;
  if (stdout === null || stderr === null) return stdout ?? stderr;
  if (stdout.epoch !== stderr.epoch) return lastArrived(pair);
  const turns = turnsOf(stdout.epoch);
  if (!turns?.both) return null;
  const marker = turns.last === "stdout" ? stdout : stderr;
  return turns.once || marker.endsStream ? marker : null;
}

function leastFavourable(pair: Pair<StatusMarker | "invalid">): Found<StatusMarker | "invalid"> | null {
  const { stdout, stderr } = pair;
  if (stdout === null || stderr === null || stdout.value === stderr.value) return lastArrived(pair);
  return FAVOUR[stdout.value] < FAVOUR[stderr.value] ? stdout : stderr;
}

function lastArrived<Value>({ stdout, stderr }: Pair<Value>): Found<Value> | null {
  if (stdout === null || stderr === null) return stdout ?? stderr;
  return stderr.epoch > stdout.epoch ? stderr : stdout;
}
