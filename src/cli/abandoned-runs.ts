import fs from "node:fs";
import type { Leaked } from "../platform/process/process-end.ts";
import { visible } from "../text/text.ts";
import { removeRooms } from "../evidence/checks/run-in-room.ts";
import { runTexts } from "./words/run.ts";
import { acquireLock } from "../core/journal/lock.ts";
import type { RunStore } from "../core/journal/run-store.ts";
import { endTagged, LIVE_TAG, RUN_TAG } from "../platform/process/leftovers.ts";
import type { Io } from "./io.ts";
import { runLockName } from "./live.ts";

/** Ends the processes and removes the pipes and rooms of runs whose foreman was killed. Their journals stay, so that they can be resumed. */
export async function clearAbandoned(store: RunStore, io: Io): Promise<void> {
  // A foreman that exits normally removes its own pipes.
  for (const runId of store.ids().filter((id) => fs.existsSync(store.paths(id).pipes)))
    report(runId, await clear(store, runId), io);
}

/** Holds the run's lock, so that no other process resumes the run meanwhile. Skips runs that are supervised. */
async function clear(store: RunStore, runId: string): Promise<readonly Leaked[]> {
  const lock = await acquireLock(runLockName(store, runId), runId);
  if ("heldBy" in lock) return [];
  try {
    const ended = [...endTagged(runId, RUN_TAG), ...endTagged(runId, LIVE_TAG)];
    const { dir, pipes } = store.paths(runId);
    removeRooms(dir, runId);
    fs.rmSync(pipes, { recursive: true, force: true });
    return ended;
  } catch {
    // An agent can leave files that cannot be removed. The next run must start anyway.
    return [];
  } finally {
    lock.release();
  }
}

function report(runId: string, ended: readonly Leaked[], io: Io): void {
  if (ended.length === 0) return;
  const texts = runTexts[io.lang];
  io.stderr.write(`${texts.warning}${texts.endedLeftovers(runId, ended.length)}\n`);
  for (const { pid, command } of ended) io.stderr.write(`  ${pid} ${visible(command)}\n`);
}
