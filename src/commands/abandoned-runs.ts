import fs from "node:fs";
import type { Leaked } from "../domain/process-end.ts";
import { visible } from "../domain/text.ts";
import { removeRooms } from "../engine/run-in-room.ts";
import { runTexts } from "../i18n/run.ts";
import { acquireLock } from "../journal/lock.ts";
import type { RunStore } from "../journal/run-store.ts";
import { endTagged, LIVE_TAG, RUN_TAG } from "../process/leftovers.ts";
import type { Io } from "./io.ts";
import { runLockName } from "./live.ts";

/** Ends the processes and removes the pipes and rooms of runs whose foreman was killed. Their journals stay, so that they can be resumed. */
export async function clearAbandoned(store: RunStore, io: Io): Promise<void> {
  // A foreman that ends by itself removes its pipes.
  for (const runId of store.ids().filter((id) => fs.existsSync(store.paths(id).pipes)))
    report(runId, await clear(store, runId), io);
}

/** Under the run's lock: nobody resumes it meanwhile, and a run that is supervised is left alone. */
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
    // An agent can leave files that cannot be removed; the next run must start anyway.
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
