import { iterationOf } from "../../core/board/iterations.ts";
import type { RunEvent } from "../../core/event.ts";
import type { RunStatus } from "../../core/run-status.ts";
import type { RunTime } from "../../core/run-time.ts";
import { lastAttempt, outputWithErrors, type RunState } from "../../core/state.ts";
import { decisiveOutput, isExplained } from "../../evidence/set-ups.ts";
import { checkPassed } from "../../evidence/verdict.ts";
import { viewOf } from "../../modes/registry.ts";
import { succeeded, type Artifact } from "../../platform/process/process-end.ts";
import { splitLines, visible } from "../../text/text.ts";
import type { FailedOutput, KeptFiles, Scene } from "../../ui/mode-view.ts";
import type { Line } from "../../ui/page.ts";
import { labelled as row } from "../../ui/summary-parts.ts";
import { twoDigits } from "../../text/time-text.ts";
import { timeText } from "../../ui/wording.ts";
import type { CommandTexts } from "../../ui/words/commands.ts";
import type { TerminalTexts } from "../../ui/words/terminal.ts";
import { describe, phaseText } from "../describe.ts";
import { summaryLines } from "../summary.ts";
import { STATUS_SIGNS } from "./run-status.ts";

/** An event and the state after it. */
export interface Moment {
  readonly event: RunEvent;
  readonly state: RunState;
}

export interface StoryView {
  readonly texts: CommandTexts["show"];
  readonly terms: TerminalTexts;
  /** The later run that has continued the work. */
  readonly supersededBy?: string | null;
}

const MAX_TASK_LINES = 10;

/** One line about the run and its agents, then its task. */
export function storyHead(state: RunState, status: RunStatus, time: RunTime, view: StoryView): Line[] {
  const { texts, terms } = view;
  const { cwd, mode } = state.settings;
  const modeView = viewOf(state);
  const lines = splitLines(modeView.task(state, terms));
  const [first = "", ...rest] = lines.slice(0, MAX_TASK_LINES).map((line) => visible(line));
  const left = lines.length - MAX_TASK_LINES;
  return [
    { lead: `${state.runId} ${mode}  `, ...headline(state, status, time, view) },
    cuttable(row(texts.label.task, first)),
    ...rest.map((line) => cuttable(row("", line))),
    ...(left > 0 ? [row("", terms.moreLines(left))] : []),
    ...modeView.about(state, texts, terms),
    row(texts.label.cwd, visible(cwd)),
    ...modeView.facts(state, terms),
  ];
}

function cuttable(line: Line): Line {
  return { ...line, mayBeCut: true };
}

function headline(state: RunState, status: RunStatus, time: RunTime, view: StoryView): Line {
  const { texts, terms } = view;
  const { sign, tone } = STATUS_SIGNS[status];
  if (status === "superseded") return { text: `${sign} ${texts.superseded(view.supersededBy ?? "")}`, tone };
  if (status === "damaged") return { text: `${sign} ${texts.damaged}`, tone };
  if (status === "running" || status === "waiting")
    return { text: `${sign} ${viewOf(state).running(state, texts)}  ${timeText(time, terms)}`, tone };
  const [summary] = summaryLines(state, {}, terms);
  return summary ?? { text: sign };
}

/** The events in their order as in the log, with a line before each day and the files that have changed since. */
export function storyLines(
  moments: readonly Moment[],
  kept: KeptFiles,
  { terms, texts }: StoryView,
): readonly Line[] {
  let before: RunState | undefined;
  let day = "";
  return moments.flatMap(({ event, state }) => {
    const scene = { state, before, kept, ...quotedFiles(event, kept), verbose: true, isRedrawn: false };
    before = state;
    const lines = [...describe(event, scene, terms), ...changedFiles(event, kept, texts)];
    if (lines.length === 0 || dayOf(state.updatedAt) === day) return lines;
    day = dayOf(state.updatedAt);
    return [{ text: day, tone: "faint" } as const, ...lines];
  });
}

const NOTHING = { failed: undefined, words: undefined };

/** The quotes of files that a running foreman shows: output of a failed command, and the reviewer's first words. */
function quotedFiles(event: RunEvent, kept: KeptFiles): Pick<Scene, "failed" | "words"> {
  const excerpt = (output: Artifact): FailedOutput | undefined => {
    const lines = kept.excerptOf(output);
    return lines.length === 0 ? undefined : { lines, path: output.path };
  };
  if (event.type === "check_ended") {
    const output = decisiveOutput(event);
    if (checkPassed(event)) return NOTHING;
    return { ...NOTHING, failed: isExplained(event) ? { lines: [], path: output.path } : excerpt(output) };
  }
  if (!("stdout" in event)) return NOTHING;
  const { process, agent } = event;
  return {
    failed: succeeded(process.end) ? undefined : excerpt(outputWithErrors(event)),
    words: agent?.message ? kept.firstLineOf(agent.message) : undefined,
  };
}

/** The run keeps its own copy of its inputs, removes its copy of the base, and the end of a check names the files of its test runs. */
const WITHOUT_FILES: ReadonlySet<RunEvent["type"]> = new Set([
  "run_started",
  "base_taken",
  "base_run_ended",
  "test_run_ended",
]);

function changedFiles(event: RunEvent, kept: KeptFiles, texts: StoryView["texts"]): readonly Line[] {
  if (WITHOUT_FILES.has(event.type)) return [];
  return artifactsIn(event).flatMap((artifact) => {
    const condition = kept.conditionOf(artifact);
    if (condition === "same") return [];
    return [{ text: `  ! ${texts.fileIs[condition](visible(artifact.path))}`, tone: "warn" } as const];
  });
}

function artifactsIn(value: unknown): readonly Artifact[] {
  if (typeof value !== "object" || value === null) return [];
  return isArtifact(value) ? [value] : Object.values(value).flatMap(artifactsIn);
}

function isArtifact(value: object): value is Artifact {
  return "path" in value && "bytes" in value && "sha256" in value;
}

/** The end of the story: the current work, or the interrupted work. */
export function lastLines(state: RunState, status: RunStatus, { terms, texts }: StoryView): Line[] {
  const view = viewOf(state);
  const words = view.words(terms);
  const { openTurn } = state;
  if (status === "running") {
    const doing = view.doing(state, words) ?? underWay(state, words, texts);
    return doing === null ? [] : [{ text: `~ ${doing}`, tone: "busy" }];
  }
  if (status === "interrupted" && openTurn && !openTurn.lost && state.stopped === null)
    return [{ text: `! ${words.turnCutOff(iterationOf(state, openTurn.attempt))}`, tone: "warn" }];
  return [];
}

const PHASES = { worker: "agent", reviewer: "review", main: "main" } as const;

function underWay(state: RunState, words: TerminalTexts, texts: StoryView["texts"]): string | null {
  const attempt = lastAttempt(state);
  if (!attempt) return null;
  if (state.openTurn) return phaseText(PHASES[state.openTurn.role], attempt.index, state, words);
  return viewOf(state).isOver(attempt, state)
    ? null
    : `${viewOf(state).place(state, attempt.index)} ${texts.testsUnderWay}`;
}

function dayOf(at: string): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
