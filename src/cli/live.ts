import { Failure } from "../platform/failure.ts";
import type { RunState } from "../core/state.ts";
import { askHolder } from "../core/journal/lock.ts";
import type { RunStore } from "../core/journal/run-store.ts";

export function runLockName(store: RunStore, runId: string): string {
  return `run ${store.root} ${runId}`;
}

export function treeLockName(tree: string): string {
  return `tree ${tree}`;
}

/** Whether a process supervises this run now. */
export async function isLive(store: RunStore, runId: string): Promise<boolean> {
  return (await askHolder(runLockName(store, runId))) !== undefined;
}

export function refuseEnded(runId: string, ended: RunState["ended"]): void {
  if (ended) throw new Failure("run_has_ended", { runId, status: ended.status, reason: ended.reason });
}
