import { isLive, runStore } from "./run-store.ts";
import { createHash } from "node:crypto";
import fs from "node:fs";
import type { ExcerptLimits } from "../text/excerpt.ts";
import { errorCode } from "../platform/failure.ts";
import { ExitCode } from "../platform/outcome.ts";
import type { Artifact } from "../platform/process/process-end.ts";
import type { RunState } from "../core/state.ts";
import { fold } from "../core/fold.ts";
import { begin, workOf } from "../modes/registry.ts";
import { commandTexts } from "../ui/words/commands.ts";
import { terminalTexts } from "../ui/words/terminal.ts";
import { type RunStore, type RunPaths } from "../core/journal/run-store.ts";
import { type SalvagedJournal } from "../core/journal/read.ts";
import { tryReadPlainFile } from "../platform/files/read-file.ts";
import { readExcerpt } from "../platform/process/read-output.ts";
import type { FileCondition, KeptFiles } from "../ui/mode-view.ts";
import { changeLines } from "../ui/change-wording.ts";
import { labelled } from "../ui/summary-parts.ts";
import { firstLine } from "../screens/show/first-line.ts";
import { breakLine, nextLines, placeLines } from "../screens/show/run-places.ts";
import { runStatus, type RunStatus } from "../core/run-status.ts";
import { STATUS_SIGNS } from "../screens/show/run-status.ts";
import { lastLines, storyHead, storyLines, type Moment } from "../screens/show/run-story.ts";
import { timeSoFar } from "../screens/show/run-table.ts";
import { unfinishedReport } from "../modes/report/unfinished-report.ts";
import { supersededBy } from "./earlier-run.ts";
import type { Io } from "./io.ts";
import { openPaper, printJson } from "./print.ts";
import { redactorFor } from "./redactor.ts";
import { whichRun } from "./which-run.ts";

const EXCERPT: ExcerptLimits = { tailLines: 3, errorLines: 1, bytes: 800 };
/** Larger files are compared by size only, so that `show` stays fast. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;

/** `show`: prints a run's events and the paths of its files. For a damaged run it prints what is readable, then fails. */
export async function show(
  given: string | undefined,
  flags: { readonly json?: boolean },
  io: Io,
): Promise<number> {
  const store = runStore(io.env);
  const runId = await whichRun(store, given, io);
  const paths = store.find(runId);
  const found = store.salvage(runId);
  if (flags.json === true) printJson(io, await asJson(runId, store, paths, found));
  else await printStory(runId, store, paths, found, io);
  if (found.problem) throw found.problem;
  return ExitCode.accepted;
}

interface Standing {
  readonly status: RunStatus;
  readonly live: boolean;
  /** The later run that continued the work. */
  readonly supersededBy: string | null;
}

async function statusOf(
  runId: string,
  store: RunStore,
  { problem, state }: SalvagedJournal,
): Promise<Standing> {
  if (problem || !state) return { status: "damaged", live: false, supersededBy: null };
  const live = state.ended === null && (await isLive(store, runId));
  const later = supersededBy(state, live, store);
  return { status: runStatus(state, live, later !== null), live, supersededBy: later };
}

async function asJson(
  runId: string,
  store: RunStore,
  paths: RunPaths,
  found: SalvagedJournal,
): Promise<object> {
  const { state, problem } = found;
  if (state?.ended && !problem) return workOf(state.settings).report(state, state.settings, paths.journal);
  const { live, ...standing } = await statusOf(runId, store, found);
  const runDir = state && runDirOf(state);
  const time = state && timeSoFar(state, live, Date.now());
  return unfinishedReport({ runId, ...standing, state, time, problem, runDir, journal: paths.journal });
}

async function printStory(
  runId: string,
  store: RunStore,
  paths: RunPaths,
  found: SalvagedJournal,
  io: Io,
): Promise<void> {
  const { print } = openPaper(io);
  const texts = commandTexts[io.lang].show;
  const broken = found.problem ? [breakLine(found.problem, texts)] : [];
  const { state } = found;
  if (!state) {
    const { sign, tone } = STATUS_SIGNS.damaged;
    print([{ lead: `${runId}  `, text: `${sign} ${texts.unreadable}`, tone }, ...broken]);
    print([labelled(texts.label.journal, paths.journal)]);
    return;
  }
  const { live, ...standing } = await statusOf(runId, store, found);
  const { status } = standing;
  const view = { texts, terms: terminalTexts[io.lang], ...standing };
  print([
    ...storyHead(state, status, timeSoFar(state, live, Date.now()), view),
    { text: "" },
    ...storyLines(momentsOf(found), keptFiles(state, io), view),
    ...lastLines(state, status, view),
    ...broken,
    { text: "" },
    ...changeLines(state, view.terms),
    ...placeLines(
      state,
      status,
      {
        runDir: runDirOf(state),
        transcripts: paths.turns,
        journal: paths.journal,
        reportExists: fs.existsSync(state.settings.reportPath),
        tornBytes: found.tornBytes,
      },
      texts,
    ),
    ...nextLines(state, status, io.cwd, texts, standing.supersededBy),
  ]);
}

function momentsOf({ records }: SalvagedJournal): readonly Moment[] {
  let last: RunState | undefined;
  return records.map(({ event, at }) => {
    last = last ? fold(last, event, at) : begin(event, at);
    return { event, state: last };
  });
}

/** Null: the mode has no directory of its own. */
function runDirOf({ settings, runId }: RunState): string | null {
  return workOf(settings).runDir?.(settings, runId) ?? null;
}

/** Transcripts hold the output of commands, so excerpts are redacted once more. */
function keptFiles({ settings }: RunState, io: Io): KeptFiles {
  const redactor = redactorFor(settings, io.env);
  return {
    conditionOf,
    firstLineOf: ({ path, bytes }) => {
      const text = tryReadPlainFile(path, bytes)?.toString("utf8") ?? "";
      return redactor.text(firstLine(text));
    },
    excerptOf: (output) => {
      try {
        // Opening a pipe would block until it has a writer.
        if (!fs.statSync(output.path).isFile()) return [];
        return readExcerpt(output, EXCERPT, (text) => redactor.text(text));
      } catch {
        return [];
      }
    },
  };
}

function conditionOf({ path, bytes, sha256 }: Artifact): FileCondition {
  try {
    const there = fs.statSync(path);
    if (!there.isFile() || there.size !== bytes) return "changed";
    if (bytes > MAX_HASHED_BYTES) return "same";
    return createHash("sha256").update(fs.readFileSync(path)).digest("hex") === sha256 ? "same" : "changed";
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "gone" : "changed";
  }
}
