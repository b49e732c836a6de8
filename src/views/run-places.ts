import { outcomeOf } from "../domain/end.ts";
import type { Failure } from "../domain/failure.ts";
import type { RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { CommandTexts } from "../i18n/commands.ts";
import { decideCommand } from "../reporters/decide-command.ts";
import type { Line } from "../reporters/page.ts";
import { orchestrateCommand } from "../reporters/orchestrate-command.ts";
import { analyzeCommand, runAgainCommand, runWrittenCommand } from "../reporters/run-steps-command.ts";
import { labelled } from "../reporters/summary-parts.ts";
import type { RunStatus } from "../domain/run-status.ts";
import { problemReport } from "./run-status.ts";
import { sessionCommand } from "../reports/session-command.ts";
import { diffCommand, resumeCommand, shellWord } from "../reports/shell-command.ts";

/** Where a run's files are. */
export interface Places {
  /** Null where the mode leaves none. */
  readonly runDir: string | null;
  readonly transcripts: string;
  readonly journal: string;
  readonly reportExists: boolean;
  readonly tornBytes: number;
}

type Texts = CommandTexts["show"];

export function placeLines(state: RunState, status: RunStatus, places: Places, texts: Texts): Line[] {
  // The end of a journal that is being written may look torn for a moment.
  const torn = places.tornBytes > 0 && status !== "running" ? texts.torn(places.tornBytes) : "";
  const report = reportNote(state, places, texts);
  return [
    ...(places.runDir === null ? [] : [labelled(texts.label.files, visible(places.runDir))]),
    labelled(texts.label.transcripts, visible(places.transcripts)),
    labelled(texts.label.report, `${visible(state.settings.reportPath)}${report}`),
    labelled(texts.label.journal, `${visible(places.journal)}${torn}`),
  ];
}

function reportNote(state: RunState, places: Places, texts: Texts): string {
  if (!outcomeOf(state)) return texts.reportLater;
  return places.reportExists ? "" : texts.reportGone(state.runId);
}

/** Where and how a damaged journal breaks. */
export function breakLine(problem: Failure, texts: Texts): Line {
  const { code, line, why } = problemReport(problem);
  return { text: `! ${texts.breaks(line, visible(why ?? ""))} (${code})`, tone: "warn" };
}

/** One command that fits the state, to be typed in `here`; a damaged run has none. */
export function nextLines(
  state: RunState,
  status: RunStatus,
  here: string,
  texts: Texts,
  supersededBy: string | null = null,
): Line[] {
  const command =
    supersededBy === null ? nextCommand(state, status, here) : `agent-foreman show ${supersededBy}`;
  return command === undefined ? [] : [{ ...labelled(texts.label.next, visible(command)), isWhole: true }];
}

function nextCommand(state: RunState, status: RunStatus, here: string): string | undefined {
  switch (status) {
    case "asks_you":
      return decideCommand(state) ?? `agent-foreman decide ${state.runId}`;
    case "running":
    case "waiting":
      return `agent-foreman show ${state.runId}`;
    case "interrupted":
      return `agent-foreman resume ${state.runId}`;
    case "budget_reached":
    case "wait_limit_reached":
    case "no_agent_available":
    case "no_verdict":
    case "steps_dir_exists":
    case "dependencies_missing":
      return resumeCommand(state);
    case "accepted":
    case "marked_passed":
    case "rejected":
    case "waiting_for_user":
    case "marked_failed":
    case "cancelled":
    case "not_started":
    case "nothing_to_do":
      return afterwards(state, here);
    case "superseded":
    case "damaged":
      return undefined;
  }
}

/** Starts what a failed run did once more; null: it has passed, or its command is not known. */
export function startAgainCommand({ settings, ended }: RunState, here: string): string | null {
  if (ended?.status === "passed" || ended?.status === "manually_passed") return null;
  if (settings.mode === "run") return runAgainCommand(settings, here);
  if (settings.mode === "orchestrate") return orchestrateCommand(settings, here);
  return settings.mode === "analyze" ? analyzeCommand(settings, here) : null;
}

/** What an ended run leads to: steps are there to be taken, a session to be taken up, work to be looked at. */
function afterwards(state: RunState, here: string): string {
  const { settings, written, ended } = state;
  if (settings.mode === "analyze" && settings.dryRun) return analyzeCommand(settings, here);
  if (settings.mode === "analyze" && written) return runWrittenCommand(settings, written.dir, here);
  if (settings.mode === "run" && ended?.status === "failed") return runAgainCommand(settings, here);
  if (settings.mode === "orchestrate" && ended?.reason === "limit_reached")
    return orchestrateCommand(settings, here);
  const session = settings.mode === "chat" ? sessionCommand(state, settings, here) : null;
  return session ?? diffCommand(state) ?? `cat ${shellWord(settings.reportPath)}`;
}
