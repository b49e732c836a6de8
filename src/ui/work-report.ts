/** Fields of `runs --json` beyond the common ones. */
export interface ListedWork {
  /** For a run of steps: the current one, from 1 (0: none yet), of how many. */
  readonly step?: number;
  readonly steps?: number;
  /** On a board: the iteration's number there, which continues from run to run. */
  readonly iteration?: number;
  /** In a conversation: the last task, from 1; 0: none yet. */
  readonly task_number?: number;
}

/** Fields of `show --json` for a run without a final report. */
export interface UnfinishedWork {
  /** Judged attempts only, except in a conversation. Attempts at steps are in `steps`. */
  readonly attempts: readonly object[];
  readonly [field: string]: unknown;
}
