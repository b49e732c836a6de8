export type StreamName = "stdout" | "stderr";

/** How two streams alternated, as far as it decides which marker came last. */
export interface WriteTurns {
  readonly last: StreamName;
  /** The last writer wrote in one stretch only. */
  readonly once: boolean;
  readonly both: boolean;
}

export function afterWrite(before: WriteTurns | undefined, stream: StreamName): WriteTurns {
  if (!before) return { last: stream, once: true, both: false };
  if (before.last === stream) return before;
  return { last: stream, once: !before.both, both: true };
}
