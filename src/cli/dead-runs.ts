import fs from "node:fs";
import { acquireLock } from "../core/journal/lock.ts";
import type { RunStore } from "../core/journal/run-store.ts";
import { removeRooms } from "../evidence/checks/run-in-room.ts";
import { discardRunDir, superviseRunDir } from "../modes/supervise/files.ts";
import { Failure } from "../platform/failure.ts";
import { removeAny } from "../platform/files/remove.ts";
import { endTagged, LIVE_TAG, RUN_TAG } from "../platform/process/leftovers.ts";
import type { Leaked } from "../platform/process/process-end.ts";
import { shellWord } from "../text/shell-quote.ts";
import { visible } from "../text/text.ts";
import type { Io } from "./io.ts";
import { runLockName } from "./run-store.ts";
import { failureText, failureWords } from "./words/failures.ts";
import { runTexts } from "./words/run.ts";

/**
 * Holds the run's lock, so that no other process resumes or starts the run meanwhile. Null: another process holds it, or an agent
 * left files that cannot be removed. The next command tries again.
 */
async function ifDead<T>(store: RunStore, runId: string, work: () => T): Promise<T | null> {
  const lock = await acquireLock(runLockName(store, runId), runId);
  if ("heldBy" in lock) return null;
  try {
    return work();
  } catch {
    return null;
  } finally {
    lock.release();
  }
}

/** Ends the processes and removes the pipes and rooms of runs whose foreman was killed. Their journals stay, so that they can be resumed. */
export async function clearAbandoned(store: RunStore, io: Io): Promise<void> {
  // A foreman that exits normally removes its own pipes.
  for (const runId of store.ids().filter((id) => fs.existsSync(store.paths(id).pipes)))
    report(runId, (await ifDead(store, runId, () => clear(store, runId))) ?? [], io);
}

function clear(store: RunStore, runId: string): readonly Leaked[] {
  const ended = [...endTagged(runId, RUN_TAG), ...endTagged(runId, LIVE_TAG)];
  const { dir, pipes } = store.paths(runId);
  removeRooms(dir, runId);
  fs.rmSync(pipes, { recursive: true, force: true });
  return ended;
}

function report(runId: string, ended: readonly Leaked[], io: Io): void {
  if (ended.length === 0) return;
  const texts = runTexts[io.lang];
  io.stderr.write(`${texts.warning}${texts.endedLeftovers(runId, ended.length)}\n`);
  for (const { pid, command } of ended) io.stderr.write(`  ${pid} ${visible(command)}\n`);
}

/** Removes leftovers of runs that were killed before their first record. Returns how to start each again. */
export async function removeNotBegun(store: RunStore, io: Io): Promise<readonly Failure[]> {
  const removed = await Promise.all(
    store.notBegun().map((runId) => ifDead(store, runId, () => remove(store, runId, io))),
  );
  return removed.filter((failure) => failure !== null);
}

/** Each is mentioned once, where a person looks for it. */
export function sayNotBegun(notBegun: readonly Failure[], io: Io): void {
  for (const failure of notBegun) {
    const { message, next } = failureText(failure, io.lang);
    const lines = [`${runTexts[io.lang].warning}${message}`, `${failureWords[io.lang].next}${next}`];
    io.stderr.write(lines.map((line) => `${visible(line)}\n`).join(""));
  }
}

/** Null: the run has begun meanwhile. */
function remove(store: RunStore, runId: string, io: Io): Failure | null {
  if (!store.notBegun().includes(runId)) return null;
  const call = store.callOf(runId);
  if (call) discardRunDir(superviseRunDir(call.cwd, runId));
  removeAny(store.paths(runId).dir);
  if (!call) return new Failure("run_never_began", { runId });
  const command = ["agent-foreman", ...call.args].map(shellWord).join(" ");
  const place = call.cwd === io.cwd ? "" : `cd ${shellWord(call.cwd)} && `;
  return new Failure("run_never_began", { runId, command: place + command });
}
