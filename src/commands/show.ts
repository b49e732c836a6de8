import { createHash } from "node:crypto";
import fs from "node:fs";
import { stateDir } from "../config/state-dir.ts";
import type { ExcerptLimits } from "../domain/excerpt.ts";
import { errorCode } from "../domain/failure.ts";
import { ExitCode } from "../domain/outcome.ts";
import type { Captured } from "../domain/process-end.ts";
import type { RunState } from "../domain/state.ts";
import { superviseRunDir } from "../engine/supervise-files.ts";
import { commandTexts } from "../i18n/commands.ts";
import { terminalTexts } from "../i18n/terminal.ts";
import { RunStore, type RunPaths } from "../journal/run-store.ts";
import { salvageJournal, type SalvagedJournal } from "../journal/read.ts";
import { tryReadPlainFile } from "../files/read-file.ts";
import { readExcerpt } from "../process/read-output.ts";
import type { Evidence, FileCondition } from "../views/attempt-story.ts";
import { analyzeReport } from "../reports/analyze-report.ts";
import { chatReport } from "../reports/chat-report.ts";
import { boardReport } from "../reports/board-report.ts";
import { superviseReport } from "../reports/report.ts";
import { stepsReport } from "../reports/steps-report.ts";
import { changeLines } from "../reporters/change-wording.ts";
import { labelled } from "../reporters/summary-parts.ts";
import { firstLine } from "../views/first-line.ts";
import { breakLine, nextLines, placeLines } from "../views/run-places.ts";
import { runStatus, type RunStatus } from "../domain/run-status.ts";
import { STATUS_SIGNS } from "../views/run-status.ts";
import { lastLines, storyHead, storyLines } from "../views/run-story.ts";
import { timeSoFar } from "../views/run-table.ts";
import { unfinishedReport } from "../views/unfinished.ts";
import { supersededBy } from "./earlier-run.ts";
import type { Io } from "./io.ts";
import { isLive } from "./live.ts";
import { openPaper, printJson } from "./print.ts";
import { redactorFor } from "./redactor.ts";
import { whichRun } from "./which-run.ts";

const EXCERPT: ExcerptLimits = { tailLines: 3, errorLines: 1, bytes: 800 };
/** Beyond, only the size is compared: `show` must not be felt. */
const MAX_HASHED_BYTES = 16 * 1024 * 1024;

/** `show`: a run's story and where its files are. Of a damaged run, what can be read; then it fails. */
export async function show(
  given: string | undefined,
  flags: { readonly json?: boolean },
  io: Io,
): Promise<number> {
  const store = new RunStore(stateDir(io.env));
  const runId = await whichRun(store, given, io);
  const paths = store.find(runId);
  const found = salvageJournal(paths.journal, runId);
  if (flags.json === true) printJson(io, await asJson(runId, store, paths, found));
  else await tell(runId, store, paths, found, io);
  if (found.problem) throw found.problem;
  return ExitCode.accepted;
}

interface Standing {
  readonly status: RunStatus;
  readonly live: boolean;
  /** The later run that has gone on with the work. */
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
  if (state?.ended && !problem) return finalReport(state, paths.journal);
  const { live, ...standing } = await statusOf(runId, store, found);
  const runDir = state && runDirOf(state);
  const time = state && timeSoFar(state, live, Date.now());
  return unfinishedReport({ runId, ...standing, state, time, problem, runDir, journal: paths.journal });
}

async function tell(
  runId: string,
  store: RunStore,
  paths: RunPaths,
  found: SalvagedJournal,
  io: Io,
): Promise<void> {
  const { print, columns } = openPaper(io);
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
  const view = { texts, terms: terminalTexts[io.lang], columns, ...standing };
  print([
    ...storyHead(state, status, timeSoFar(state, live, Date.now()), view),
    { text: "" },
    ...storyLines(found.records, state, evidenceFor(state, io), view),
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

function finalReport(state: RunState, journal: string): object {
  const { settings } = state;
  switch (settings.mode) {
    case "supervise": {
      const runDir = superviseRunDir(settings.calledFrom, state.runId);
      return superviseReport(state, settings, { runDir, journal });
    }
    case "run":
      return stepsReport(state, settings, journal);
    case "analyze":
      return analyzeReport(state, settings, journal);
    case "orchestrate":
      return boardReport(state, settings, journal);
    case "chat":
      return chatReport(state, settings, journal);
  }
}

/** Null: the mode leaves no directory of its own. */
function runDirOf({ settings, runId }: RunState): string | null {
  return settings.mode === "supervise" ? superviseRunDir(settings.calledFrom, runId) : null;
}

/** Transcripts hold what commands wrote; what is shown of them is looked through for secrets once more. */
function evidenceFor({ settings }: RunState, io: Io): Evidence {
  const redactor = redactorFor(settings, io.env);
  return {
    conditionOf,
    firstLineOf: ({ path, bytes }) => {
      const text = tryReadPlainFile(path, bytes)?.toString("utf8") ?? "";
      return redactor.text(firstLine(text));
    },
    excerptOf: (output) => {
      try {
        // Opening a pipe that somebody put there would wait for a writer.
        if (!fs.statSync(output.path).isFile()) return [];
        return readExcerpt(output, EXCERPT, (text) => redactor.text(text));
      } catch {
        return [];
      }
    },
  };
}

function conditionOf({ path, bytes, sha256 }: Captured): FileCondition {
  try {
    const there = fs.statSync(path);
    if (!there.isFile() || there.size !== bytes) return "changed";
    if (bytes > MAX_HASHED_BYTES) return "same";
    return createHash("sha256").update(fs.readFileSync(path)).digest("hex") === sha256 ? "same" : "changed";
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "gone" : "changed";
  }
}
