import { isLive, refuseEnded, runStore, treeLockName, waitUntil } from "./run-store.ts";
import { Failure } from "../platform/failure.ts";
import type { Message } from "../core/message.ts";
import { ExitCode } from "../platform/outcome.ts";
import type { RunState } from "../core/state.ts";
import { chatControlTexts, type ChatControlTexts } from "./words/chat-control.ts";
import { Inbox } from "../core/journal/inbox.ts";
import { askHolder } from "../core/journal/lock.ts";
import { LIVE_TAG } from "../platform/process/leftovers.ts";
import { topLevel } from "../platform/git/git.ts";
import type { Io } from "./io.ts";
import { workDir } from "./run-flags.ts";
import { whichRun } from "./which-run.ts";

const TAKEN_WITHIN_MS = 15_000;

/** Actions that control the reviews of a conversation. */
export type ReviewControl = keyof ChatControlTexts["granted"];

const MEANING: Readonly<Record<ReviewControl, (Message & { kind: "reviews" })["to"]>> = {
  skip: "skip",
  pause: "paused",
  "go-on": "on",
  stop: "stopped",
};

/** `chat skip|pause|go-on|stop`: runs in another terminal, or inside the conversation through the agent's shell. */
export async function chatControl(
  wish: ReviewControl,
  run: string | undefined,
  flags: { readonly cwd?: string },
  io: Io,
): Promise<number> {
  const store = runStore(io.env);
  const named = run ?? io.env[LIVE_TAG] ?? (await runIn(workDir(flags, "chat", io)));
  if (named === undefined) throw new Failure("chat_not_running");
  const runId = await whichRun(store, named, io);
  const paths = store.find(runId);
  const read = () => store.read(runId);
  refuseIdle(read().state);
  if (!(await isLive(store, runId))) throw new Failure("chat_not_running", { runId });
  const to = MEANING[wish];
  const inbox = new Inbox(paths.inbox);
  const message = inbox.post({ kind: "reviews", to });
  try {
    const taken = await waitUntil(() => !inbox.holds(message), TAKEN_WITHIN_MS);
    if (!taken) throw new Failure("answer_not_taken", { runId, why: "no reply" });
  } finally {
    // Not taken: a later supervisor must not act on it.
    inbox.remove(message);
  }
  const { state, records } = read();
  const texts = chatControlTexts[io.lang];
  const isRecorded = records.some(({ event }) => "messageId" in event && event.messageId === message);
  // A state that is already in effect is not recorded again.
  const isGranted = isRecorded || state.chat?.reviews === to;
  if (!isGranted) refuseIdle(state);
  if (!isGranted && to !== "skip") throw new Failure("reviews_stopped", { runId });
  const text = isGranted ? texts.granted[wish] : texts.nothingToSkip;
  io.stdout.write(`${text(runId)}\n`);
  return ExitCode.accepted;
}

/** A work tree has at most one run. */
function runIn(cwd: string): Promise<string | undefined> {
  return askHolder(treeLockName(topLevel(cwd) ?? cwd));
}

function refuseIdle({ runId, ended, chat }: RunState): void {
  refuseEnded(runId, ended);
  if (chat?.live !== "running") throw new Failure("chat_not_running", { runId });
}
