import { outcomeOf } from "../domain/end.ts";
import type { Failure } from "../domain/failure.ts";
import type { RunState } from "../domain/state.ts";
import { visible } from "../domain/text.ts";
import type { CommandTexts } from "../i18n/commands.ts";
import { padToWidth } from "../reporters/format.ts";
import type { Line } from "../reporters/page.ts";
import type { RunStatus } from "../domain/run-status.ts";
import { problemReport } from "./run-status.ts";
import { diffCommand, resumeCommand, shellWord } from "../reports/shell-command.ts";

/** Where a run's files are. */
export interface Places {
  readonly runDir: string;
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
    row(texts.label.files, visible(places.runDir)),
    row(texts.label.transcripts, visible(places.transcripts)),
    row(texts.label.report, `${visible(state.settings.reportPath)}${report}`),
    row(texts.label.journal, `${visible(places.journal)}${torn}`),
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
export function nextLines(state: RunState, status: RunStatus, here: string, texts: Texts): Line[] {
  const command = nextCommand(state, status, here);
  return command === undefined ? [] : [row(texts.label.next, visible(command))];
}

function nextCommand(state: RunState, status: RunStatus, here: string): string | undefined {
  switch (status) {
    case "asks_you":
      return `agent-foreman decide ${state.runId}`;
    case "running":
    case "waiting":
      return `agent-foreman show ${state.runId}`;
    case "interrupted":
      return `agent-foreman resume ${state.runId}`;
    case "budget_reached":
    case "wait_limit_reached":
    case "no_agent_available":
      return resumeCommand(state);
    case "accepted":
    case "marked_passed":
    case "rejected":
    case "marked_failed":
    case "cancelled":
      return diffCommand(state, here) ?? `cat ${shellWord(state.settings.reportPath)}`;
    case "damaged":
      return undefined;
  }
}

export function row(label: string, text: string): Line {
  return { text: `  ${padToWidth(label, 7)} ${text}` };
}
