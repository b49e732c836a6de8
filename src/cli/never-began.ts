import { Failure } from "../platform/failure.ts";
import { visible } from "../text/text.ts";
import { discardRunDir, superviseRunDir } from "../modes/supervise/files.ts";
import { removeAny } from "../platform/files/remove.ts";
import { failureText, failureWords } from "./words/failures.ts";
import { runTexts } from "./words/run.ts";
import { acquireLock } from "../core/journal/lock.ts";
import type { RunStore } from "../core/journal/run-store.ts";
import { shellWord } from "../text/shell-quote.ts";
import type { Io } from "./io.ts";
import { runLockName } from "./live.ts";

/** Removes leftovers of runs that were killed before their first record. Returns how to start each again. */
export async function removeNotBegun(store: RunStore, io: Io): Promise<readonly Failure[]> {
  const removed = await Promise.all(store.notBegun().map((runId) => removeIfDead(store, runId, io)));
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

/** Null: another process is starting the run, or the run has begun meanwhile. */
async function removeIfDead(store: RunStore, runId: string, io: Io): Promise<Failure | null> {
  const lock = await acquireLock(runLockName(store, runId), runId);
  if ("heldBy" in lock) return null;
  try {
    if (!store.notBegun().includes(runId)) return null;
    const call = store.callOf(runId);
    const paths = store.paths(runId);
    if (call) discardRunDir(superviseRunDir(call.cwd, runId));
    removeAny(paths.dir);
    if (!call) return new Failure("run_never_began", { runId });
    const command = ["agent-foreman", ...call.args].map(shellWord).join(" ");
    const place = call.cwd === io.cwd ? "" : `cd ${shellWord(call.cwd)} && `;
    return new Failure("run_never_began", { runId, command: place + command });
  } catch {
    // The next command tries to remove it again.
    return null;
  } finally {
    lock.release();
  }
}
