// What an agent claims, from the last markers of its two streams.

import type { StatusMarker } from "./line.ts";
import type { Found, ScanResult } from "./scanner.ts";

export type { StatusMarker } from "./line.ts";

export type StreamName = "stdout" | "stderr";

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

/** `runs` is the sequence in which the streams took turns being written, if it is known. */
export function readClaim(
  stdout: ScanResult,
  stderr: ScanResult,
  runs: readonly StreamName[] | undefined,
): Claim {
  const turns = runs === undefined ? null : turnsOf(runs);
  const statuses = { stdout: stdout.status, stderr: stderr.status };
  const evidences = { stdout: stdout.evidence, stderr: stderr.evidence };
  const lastStatus = certainlyLast(statuses, turns);
  const status = lastStatus ?? leastFavourable(statuses);
  const evidence = certainlyLast(evidences, turns) ?? lastArrived(evidences);
  return {
    status: status?.value ?? null,
    statusText: status?.value === "invalid" ? status.text : null,
    evidence: evidence?.text ?? null,
    orderCertain: lastStatus !== null || statuses.stdout?.value === statuses.stderr?.value,
  };
}

/** For each stream, the positions of its runs in the sequence of turns. */
function turnsOf(runs: readonly StreamName[]): Record<StreamName, number[]> {
  const turns: Record<StreamName, number[]> = { stdout: [], stderr: [] };
  runs.forEach((stream, index) => {
    if (stream !== runs[index - 1]) turns[stream].push(index);
  });
  return turns;
}

function certainlyLast<Value>(
  pair: Pair<Value>,
  turns: Record<StreamName, number[]> | null,
): Found<Value> | null {
  const { stdout, stderr } = pair;
  if (stdout === null || stderr === null) return stdout ?? stderr;
  if (turns === null) return null;
  const out = turnsOfMarker(stdout, turns.stdout);
  const err = turnsOfMarker(stderr, turns.stderr);
  if (out.latest < err.earliest) return stderr;
  if (err.latest < out.earliest) return stdout;
  return null;
}

/** Every run ends at least one line, so no more runs than lines can have come after the marker. */
function turnsOfMarker(
  marker: Found<unknown>,
  turns: readonly number[],
): { earliest: number; latest: number } {
  const latest = turns.length - 1;
  return {
    earliest: turns[Math.max(0, latest - marker.linesAfter)] ?? -Infinity,
    latest: turns[latest] ?? Infinity,
  };
}

function leastFavourable(pair: Pair<StatusMarker | "invalid">): Found<StatusMarker | "invalid"> | null {
  const { stdout, stderr } = pair;
  if (stdout === null || stderr === null || stdout.value === stderr.value) return lastArrived(pair);
  return FAVOUR[stdout.value] < FAVOUR[stderr.value] ? stdout : stderr;
}

function lastArrived<Value>({ stdout, stderr }: Pair<Value>): Found<Value> | null {
  if (stdout === null || stderr === null) return stdout ?? stderr;
  return stderr.arrival > stdout.arrival ? stderr : stdout;
}
