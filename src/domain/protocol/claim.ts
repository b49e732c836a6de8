// What an agent claims, from the last markers of its two streams.

import type { StatusMarker } from "./line.ts";
import type { Found, ScanResult } from "./scanner.ts";
import type { WriteTurns } from "./write-turns.ts";

export type { StatusMarker } from "./line.ts";

export interface Claim {
  /** null: no status marker at all. */
  readonly status: StatusMarker | "invalid" | null;
  /** The value as written, when the status is invalid. */
  readonly statusText: string | null;
  readonly evidence: string | null;
  /** False when the streams claim different statuses and which came last cannot be known. */
  readonly orderCertain: boolean;
}

interface Pair<Value> {
  readonly stdout: Found<Value> | null;
  readonly stderr: Found<Value> | null;
}

/** Never accept on doubt: of two statuses in unknown order the less favourable one is taken. */
const FAVOUR = { invalid: 0, BLOCKED: 1, NEEDS_WORK: 2, DONE: 3 } as const;

/** What is known of an epoch; markers of different epochs came in that order. */
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
 * Within an epoch it is known which stream wrote last, not what it wrote then. Its marker is the later one if it was written
 * in that last stretch: because nothing follows the marker, or because the stream had no other stretch. Otherwise what follows
 * the marker may be all that the last stretch held.
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
