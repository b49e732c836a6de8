import { stateDir } from "../config/state-dir.ts";
import { ExitCode } from "../domain/outcome.ts";
import type { RunState } from "../domain/state.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { commandTexts } from "../i18n/commands.ts";
import { RunStore, type ListedRun } from "../journal/run-store.ts";
import { runStatus } from "../domain/run-status.ts";
import type { RunEntry } from "../views/run-status.ts";
import { firstLine } from "../views/first-line.ts";
import { byUrgency, runListed, runTable } from "../views/run-table.ts";
import { supersededBy } from "./earlier-run.ts";
import type { Io } from "./io.ts";
import { isLive } from "./live.ts";
import { removeNotBegun, sayNotBegun } from "./never-began.ts";
import { openPaper, printJson } from "./print.ts";

/** `runs`: every run there is, those that ask the person first. */
export async function runs(flags: { readonly json?: boolean }, io: Io): Promise<number> {
  const store = new RunStore(stateDir(io.env));
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

/** What a conversation began with: its settings do not tell. */
function firstInput({ chat }: RunState): string {
  const text = chat?.inputs[0]?.text;
  return text ? firstLine(tryReadPlainFile(text.path, text.bytes)?.toString("utf8") ?? "") : "";
}
