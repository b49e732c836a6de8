import { outcomeOf } from "../../core/end.ts";
import type { Failure } from "../../platform/failure.ts";
import type { RunState } from "../../core/state.ts";
import { visible } from "../../text/text.ts";
import type { CommandTexts } from "../../ui/words/commands.ts";
import { viewOf } from "../../modes/registry.ts";
import type { Line } from "../../ui/page.ts";
import { labelled } from "../../ui/summary-parts.ts";
import type { RunStatus } from "../../core/run-status.ts";
import { problemReport } from "../../core/report/problem-report.ts";
import { diffCommand, resumeCommand, decideCommand } from "../../ui/shell-command.ts";
import { shellWord } from "../../text/shell-quote.ts";

/** The places of a run's files. */
export interface Places {
  /** Null if the mode leaves none. */
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

/** The place and kind of a journal's damage. */
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

/** Starts the work of a failed run again; null: the run passed, or its command is unknown. */
export function startAgainCommand(state: RunState, here: string): string | null {
  const status = state.ended?.status;
  if (status === "passed" || status === "manually_passed") return null;
  return viewOf(state).startAgain(state, here);
}

/** The next command after an ended run: take the steps, resume the session, or look at the work. */
function afterwards(state: RunState, here: string): string {
  const next = viewOf(state).next(state, here);
  return next ?? diffCommand(state) ?? `cat ${shellWord(state.settings.reportPath)}`;
}
