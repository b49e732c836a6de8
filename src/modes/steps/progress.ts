import { relative } from "node:path";
import type { Lang, StepsSettings } from "../../core/settings.ts";
import { attemptMs } from "../../core/run-time.ts";
import type { Attempt, RunState, StepState } from "../../core/state.ts";
import type { StepStatus } from "../../core/step.ts";
import { listed, splitLines, visible } from "../../text/text.ts";
import { duration, localTime } from "../../text/time-text.ts";
import { progressTexts, type ProgressTexts } from "./words/progress.ts";
import { resumeCommand } from "../../ui/shell-command.ts";
import {
  countOutcomes,
  firstFailure,
  stepOutcomes,
  type StepCounts,
  type StepOutcome,
  type StepResult,
} from "./step-outcome.ts";

const MAX_SUMMARY = 60;
const MAX_ERROR = 300;

/** A step in the progress file; null: unknown, because its file is unreadable. */
export interface ProgressRow {
  readonly number: string;
  readonly file: string;
  readonly id: string | null;
  readonly before: StepStatus | null;
  readonly after: StepStatus | null;
  readonly summary: string;
  /** The number of attempts and their duration; null: none. */
  readonly attempts: number | null;
  readonly timeMs: number | null;
  readonly result: StepResult;
  readonly remark: string;
}

/** run-progress.md, which people read in git: a pure rendering. */
export function progressMarkdown(state: RunState, settings: StepsSettings): string {
  const texts = progressTexts[settings.lang];
  const outcomes = stepOutcomes(state);
  return render({
    texts,
    runId: state.runId,
    dir: relative(settings.calledFrom, settings.stepsDir) || ".",
    started: localTime(state.startedAt),
    ended: endOf(state, texts),
    lines: outcomes.map((outcome) => knownLine(outcome, texts)),
    counts: countOutcomes(outcomes),
    failure: firstFailure(outcomes)?.state.step,
  });
}

/** The progress if no run began because files in the directory are unusable. */
export function refusedMarkdown(
  rows: readonly ProgressRow[],
  about: { readonly dir: string; readonly at: string; readonly lang: Lang },
): string {
  const texts = progressTexts[about.lang];
  const { dir } = about;
  const at = localTime(about.at);
  const failed = rows.filter(({ result }) => result === "failed");
  const counts = {
    ...{ total: rows.length, passed: 0, failed: failed.length },
    ...{ underWay: 0, notRun: rows.length - failed.length, alreadyDone: 0 },
  };
  return render({
    texts,
    runId: null,
    dir,
    started: at,
    ended: at,
    lines: rows.map((row) => lineOf(row, texts)),
    counts,
    failure: failed[0],
  });
}

interface Page {
  readonly texts: ProgressTexts;
  readonly runId: string | null;
  readonly dir: string;
  readonly started: string;
  readonly ended: string;
  /** Of the table, one a step. */
  readonly lines: readonly string[];
  readonly counts: StepCounts;
  /** The first step that failed. */
  readonly failure: Pick<ProgressRow, "file" | "id"> | undefined;
}

function render({ texts, runId, dir, started, ended, lines: rows, counts, failure }: Page): string {
  const { total, passed, failed, underWay, notRun, alreadyDone } = counts;
  const skipped = alreadyDone > 0 ? texts.alreadyDone(alreadyDone) : "";
  const first = failure && `${cell(failure.file)} (${cell(failure.id ?? texts.unknown)})`;
  return [
    `# ${texts.title}`,
    "",
    ...(runId === null ? [] : [`- ${texts.run}: ${runId}`]),
    `- ${texts.dir}: ${cell(dir)}`,
    `- ${texts.started}: ${started}`,
    `- ${texts.ended}: ${ended}`,
    `- ${texts.total}: ${total}`,
    `- ${texts.passed}: ${passed}`,
    `- ${texts.failed}: ${failed}`,
    ...(underWay === 0 ? [] : [`- ${texts.stepUnderWay}: ${underWay}`]),
    `- ${texts.notRun}: ${notRun}${skipped}`,
    ...(first === undefined ? [] : [`- ${texts.firstFailure}: ${first}`]),
    "",
    tableRow(texts.columns),
    tableRow(texts.columns.map(() => "---")),
    ...rows,
    "",
  ].join("\n");
}

const lines = new WeakMap<StepState, { readonly says: string; readonly line: string }>();

/** Cached, because only one of a thousand steps changes at a time. */
function knownLine(outcome: StepOutcome, texts: ProgressTexts): string {
  const { state, attempts, ...facts } = outcome;
  const says = JSON.stringify([texts.title, facts, attempts.length, timeOf(attempts)]);
  const known = lines.get(state);
  if (known?.says === says) return known.line;
  const line = lineOf(rowOf(outcome, texts), texts);
  lines.set(state, { says, line });
  return line;
}

function lineOf(row: ProgressRow, texts: ProgressTexts): string {
  return tableRow([
    row.number,
    cell(row.file),
    cell(row.id ?? texts.unknown),
    row.before ?? texts.unknown,
    row.after ?? texts.unknown,
    cell(row.summary),
    row.attempts === null ? texts.unknown : String(row.attempts),
    row.timeMs === null ? texts.unknown : duration(row.timeMs),
    texts.result[row.result],
    cell(row.remark),
  ]);
}

function rowOf(outcome: StepOutcome, texts: ProgressTexts): ProgressRow {
  const { state, attempts, result, note, error, stuck, redone, markedByPerson, meddledWith } = outcome;
  const { number, file, id, description, status } = state.step;
  const remarks = [
    error === null ? null : cut(error, MAX_ERROR),
    note && texts.note[note],
    markedByPerson && note !== "marked_by_person" ? texts.markedBefore : null,
    redone ? texts.redone : null,
    stuck && error !== null ? texts.stuck : null,
    meddledWith.length > 0 && error === null ? texts.meddled(listed(meddledWith)) : null,
    state.edited && !state.refused ? texts.edited : null,
  ];
  return {
    number,
    file,
    id,
    before: status,
    after: state.status,
    summary: summaryOf(description),
    attempts: attempts.length === 0 ? null : attempts.filter(({ index }) => index > 0).length,
    timeMs: attempts.length === 0 ? null : timeOf(attempts),
    result,
    remark: remarks.filter((remark) => remark !== null).join("; "),
  };
}

function timeOf(attempts: readonly Attempt[]): number {
  return attempts.reduce((sum, attempt) => sum + attemptMs(attempt), 0);
}

export function summaryOf(description: string): string {
  const [first = ""] = splitLines(description.trim());
  return cut(first, MAX_SUMMARY);
}

function endOf(state: RunState, texts: ProgressTexts): string {
  if (state.ended) return localTime(state.ended.at);
  if (state.question) return texts.notEnded(`agent-foreman decide ${state.runId}`);
  const resume = resumeCommand(state);
  return state.stopped === null ? texts.underWay(resume) : texts.notEnded(resume);
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Foreign text in a table: it can neither end its cell nor become markup. */
function cell(text: string): string {
  return visible(text.replaceAll(/\s+/g, " "))
    .replaceAll(/[\\`*_{}[\]<>|#~]/g, (mark) => `\\${mark}`)
    .trim();
}

/** By characters, never through one. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = Array.from(text);
  return characters.length <= length ? text : `${characters.slice(0, length - 3).join("")}...`;
}
