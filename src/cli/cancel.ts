import { isLive, refuseEnded, runStore, waitUntil } from "./run-store.ts";
import { Failure } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import type { RunState } from "../core/state.ts";
import { drive } from "../engine/engine.ts";
import { Inbox } from "../core/journal/inbox.ts";
import { decideTexts } from "./words/decide.ts";
import type { Io } from "./io.ts";
import { close, finish } from "./open-run.ts";
import { recordResumed, reopen } from "./resume.ts";
import { whichRun } from "./which-run.ts";

const TAKEN_WITHIN_MS = 30_000;

/** `cancel`: ends a run as failed. A live supervisor kills the processes and writes the report; without one, this command does both. */
export async function cancel(given: string, io: Io): Promise<number> {
  const store = runStore(io.env);
  const runId = await whichRun(store, given, io);
  const paths = store.find(runId);
  const ended = (): RunState["ended"] => store.read(runId).state.ended;
  refuseEnded(runId, ended());
  const inbox = new Inbox(paths.inbox);
  const message = inbox.post({ kind: "cancel" });
  try {
    if (await isLive(store, runId)) await waitUntil(() => !inbox.holds(message), TAKEN_WITHIN_MS);
    else await cancelHere(runId, io);
  } finally {
    // Not taken: a later supervisor must not act on it.
    inbox.remove(message);
  }
  const outcome = ended();
  if (!outcome) throw new Failure("answer_not_taken", { runId, why: "no reply" });
  if (outcome.reason !== "cancelled") refuseEnded(runId, outcome);
  io.stdout.write(`${decideTexts[io.lang].cancelled(runId)}\n`);
  return ExitCode.accepted;
}

async function cancelHere(runId: string, io: Io): Promise<void> {
  const { context, lock } = await reopen(runId, { quiet: true }, io);
  try {
    // The supervisor may have ended the run in the meantime.
    if (!context.journal.state.ended) recordResumed(context, false);
    finish(context, await drive(context, (decision) => decision.do === "record_interrupted"));
  } finally {
    close(context, lock);
  }
}
