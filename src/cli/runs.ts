import { isLive, runStore } from "./run-store.ts";
import { ExitCode } from "../platform/outcome.ts";
import type { RunState } from "../core/state.ts";
import { tryReadPlainFile } from "../platform/files/read-file.ts";
import { commandTexts } from "../ui/words/commands.ts";
import { type RunStore, type ListedRun } from "../core/journal/run-store.ts";
import { runStatus } from "../core/run-status.ts";
import type { RunEntry } from "../screens/show/run-status.ts";
import { firstLine } from "../screens/show/first-line.ts";
import { byUrgency, runListed, runTable } from "../screens/show/run-table.ts";
import { supersededBy } from "./earlier-run.ts";
import type { Io } from "./io.ts";
import { removeNotBegun, sayNotBegun } from "./dead-runs.ts";
import { openPaper, printJson } from "./print.ts";

/** `runs`: lists all runs; those that wait for an answer come first. */
export async function runs(flags: { readonly json?: boolean }, io: Io): Promise<number> {
  const store = runStore(io.env);
  sayNotBegun(await removeNotBegun(store, io), io);
  const entries = byUrgency(await Promise.all(store.list().map((run) => entryOf(run, store))));
  const now = Date.now();
  if (flags.json === true)
    printJson(
      io,
      entries.map((entry) => runListed(entry, now)),
    );
  else {
    const texts = commandTexts[io.lang].runs;
    const { print, columns } = openPaper(io);
    print(entries.length === 0 ? [{ text: texts.none }] : runTable(entries, { texts, now, columns }));
  }
  return ExitCode.accepted;
}

async function entryOf(run: ListedRun, store: RunStore): Promise<RunEntry> {
  const { runId } = run;
  if ("problem" in run) return { runId, status: "damaged", problem: run.problem };
  const live = run.state.ended === null && (await isLive(store, runId));
  const asked = firstInput(run.state);
  const later = supersededBy(run.state, live, store);
  return {
    runId,
    status: runStatus(run.state, live, later !== null),
    ...(later !== null && { supersededBy: later }),
    state: run.state,
    live,
    ...(asked !== "" && { asked }),
  };
}

/** The first message of a conversation, because its settings do not contain it. */
function firstInput({ chat }: RunState): string {
  const text = chat?.inputs[0]?.text;
  return text ? firstLine(tryReadPlainFile(text.path, text.bytes)?.toString("utf8") ?? "") : "";
}
