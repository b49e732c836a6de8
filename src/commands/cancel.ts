import { stateDir } from "../config/state-dir.ts";
import { Failure } from "../domain/failure.ts";
import { ExitCode } from "../domain/outcome.ts";
import { drive } from "../engine/engine.ts";
import { Inbox } from "../journal/inbox.ts";
import { readJournal } from "../journal/read.ts";
import { RunStore } from "../journal/run-store.ts";
import { nextSupervise } from "../policies/supervise.ts";
import { decideTexts } from "../i18n/decide.ts";
import type { Io } from "./io.ts";
import { close, finish, isLive } from "./open-run.ts";
import { recordResumed, reopen } from "./resume.ts";
import { waitUntil } from "./wait.ts";

const ENDED_WITHIN_MS = 30_000;

/** `cancel`: ends a run as failed. A live supervisor kills what runs and writes the report; otherwise it is done here. */
export async function cancel(runId: string, io: Io): Promise<number> {
  const store = new RunStore(stateDir(io.env));
  const paths = store.find(runId);
  const { state } = readJournal(paths.journal, runId);
  if (state.ended) throw new Failure("run_has_ended", { runId, status: state.ended.status });
  const inbox = new Inbox(paths.inbox);
  inbox.post({ kind: "cancel" });
  if (await isLive(store, runId)) {
    const hasEnded = (): boolean => readJournal(paths.journal, runId).state.ended !== null;
    if (!(await waitUntil(hasEnded, ENDED_WITHIN_MS)))
      throw new Failure("answer_not_taken", { runId, why: "no reply" });
  } else await cancelHere(runId, io);
  io.stdout.write(`${decideTexts[io.lang].cancelled(runId)}\n`);
  return ExitCode.accepted;
}

async function cancelHere(runId: string, io: Io): Promise<void> {
  const { context, lock } = await reopen(runId, { quiet: true }, io);
  try {
    // The supervisor may have ended the run while we turned to it.
    if (!context.journal.state.ended) recordResumed(context, false);
    finish(context, await drive(context, nextSupervise, () => false));
  } finally {
    close(context, lock);
  }
}
