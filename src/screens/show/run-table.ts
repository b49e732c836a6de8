import stringWidth from "fast-string-width";
import { totalTokens } from "../../core/agent-turn.ts";
import { runTime, type RunTime } from "../../core/run-time.ts";
import type { RunState } from "../../core/state.ts";
import { splitLines, visible } from "../../text/text.ts";
import type { CommandTexts } from "../../ui/words/commands.ts";
import { duration } from "../../text/time-text.ts";
import { cutToWidth, padToWidth, widestOf } from "../../ui/format.ts";
import { dollars, reportedUsage } from "../../ui/money.ts";
import { listedRun } from "../../core/report/listed-run.ts";
import { viewOf } from "../../modes/registry.ts";
import type { Line, Tone } from "../../ui/page.ts";
import { currentAttempt, SHORTEST_WAIT_MS } from "../../ui/wording.ts";
import { problemReport } from "../../core/report/problem-report.ts";
import { STATUS_SIGNS, type RunEntry } from "./run-status.ts";
import type { RunStatus } from "../../core/run-status.ts";

const GAP = "  ";
const NONE = "-";
/** All columns but the last, which takes the remaining width. */
const BOUNDED = ["run", "mode", "state", "at", "time", "waited", "cost"] as const;
/** Left out in this order if there is no room; `show` has them. */
const DISPENSABLE: readonly string[] = ["waited", "cost", "time"];
const MIN_TASK_WIDTH = 10;

/** Runs that ask the person come first, then running ones, then the rest in their order. */
export function byUrgency(entries: readonly RunEntry[]): readonly RunEntry[] {
  const urgent = (status: RunStatus): readonly RunEntry[] =>
    entries.filter((entry) => entry.status === status);
  const first: readonly RunStatus[] = ["asks_you", "running", "waiting"];
  const rest = entries.filter(({ status }) => !first.includes(status));
  return [...first.flatMap(urgent), ...rest];
}

export interface TableView {
  readonly texts: CommandTexts["runs"];
  readonly now: number;
  /** Null: no terminal, and nothing is cut. */
  readonly columns: number | null;
}

export function runTable(entries: readonly RunEntry[], view: TableView): Line[] {
  const { header } = view.texts;
  const rows = entries.map((entry) => ({
    cells: cellsOf(entry, view),
    tone: STATUS_SIGNS[entry.status].tone,
  }));
  const all = [header, ...rows.map(({ cells }) => cells)];
  const isShown = (name: (typeof BOUNDED)[number]): boolean =>
    name !== "waited" || rows.some(({ cells }) => cells.waited !== NONE);
  const columns = fittingColumns(
    BOUNDED.filter(isShown).map((name) => ({
      name,
      width: Math.max(...all.map((cells) => stringWidth(cells[name]))),
    })),
    view,
  );
  const line = (cells: Cells, tone: Tone): Line & { lead: string } => {
    const padded = columns.map(({ name, width }) => padToWidth(cells[name], width) + GAP);
    const [run = "", mode = "", ...facts] = padded;
    const task = fitted(cells.task, widestOf(padded.join("")), view);
    return { lead: run + mode, text: facts.join("") + task, tone };
  };
  const head = line(header, "faint");
  return [
    { text: head.lead + head.text, tone: "faint" },
    ...rows.map(({ cells, tone }) => line(cells, tone)),
  ];
}

type Cells = Readonly<Record<(typeof BOUNDED)[number] | "task", string>>;

function cellsOf(entry: RunEntry, { texts, now }: TableView): Cells {
  const run = entry.runId;
  const isHeld = entry.status === "asks_you" && entry.state.question?.about === "protected";
  const later = entry.status === "superseded" ? entry.supersededBy : undefined;
  const standing =
    later !== undefined ? texts.supersededBy(later) : isHeld ? texts.held : texts.status[entry.status];
  const state = `${STATUS_SIGNS[entry.status].sign} ${standing}`;
  if (entry.status === "damaged") {
    const { code, line } = problemReport(entry.problem);
    const unknown = { mode: NONE, at: NONE, time: NONE, waited: NONE, cost: NONE };
    return { ...unknown, run, state, task: texts.problem(code, line) };
  }
  const { settings } = entry.state;
  const { workedMs, waitedMs } = timeSoFar(entry.state, entry.live, now);
  return {
    run,
    mode: settings.mode,
    state,
    at: viewOf(entry.state).place(entry.state, currentAttempt(entry.state)),
    time: duration(workedMs),
    waited: waitedMs < SHORTEST_WAIT_MS ? NONE : duration(waitedMs),
    cost: costOf(entry.state),
    task: oneLine(entry.asked ?? settings.task),
  };
}

function costOf({ spent }: RunState): string {
  const { costUsd } = reportedUsage(spent);
  return costUsd === null ? NONE : dollars(costUsd);
}

/** The time of a live run counts up to now, also while its question is open. */
export function timeSoFar(state: RunState, live: boolean, now: number): RunTime {
  return runTime(state, live ? now - Date.parse(state.updatedAt) : 0);
}

export function oneLine(text: string): string {
  return splitLines(text)
    .map((line) => visible(line).replaceAll("\t", " ").trim())
    .filter((line) => line !== "")
    .join(" ");
}

interface Column {
  readonly name: (typeof BOUNDED)[number];
  readonly width: number;
}

function fittingColumns(all: readonly Column[], { columns }: Pick<TableView, "columns">): readonly Column[] {
  const used = all.reduce((sum, { width }) => sum + width + GAP.length, 0);
  const next = DISPENSABLE.find((name) => all.some((column) => column.name === name));
  if (columns === null || next === undefined || used + MIN_TASK_WIDTH < columns) return all;
  return fittingColumns(
    all.filter(({ name }) => name !== next),
    { columns },
  );
}

/** One cell is kept free: some terminals wrap a line that fills the last one. */
function fitted(task: string, used: number, { columns }: TableView): string {
  return columns === null ? task : cutToWidth(task, Math.max(0, columns - 1 - used));
}

/** A run in `runs --json`. */
export function runListed(entry: RunEntry, now: number) {
  const { runId, status } = entry;
  if (entry.status === "damaged") {
    const listed = listedRun({ runId, status, state: null, time: null, problem: entry.problem });
    return { ...listed, attempt: null, cost_usd: null, tokens: null };
  }
  const { state, supersededBy, asked } = entry;
  const time = timeSoFar(state, entry.live, now);
  return {
    ...listedRun({ runId, status, supersededBy, state, time, problem: null }),
    task: asked ?? state.settings.task,
    ...viewOf(state).listed(state),
    attempt: currentAttempt(state),
    /** Null: not reported by any agent. */
    cost_usd: state.spent.usage.costUsd,
    tokens: totalTokens(state.spent.usage),
  };
}
