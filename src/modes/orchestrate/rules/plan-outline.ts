import { oneLine } from "../../../text/json/values.ts";
import { bare, bodyOfLine, fieldOf, headingOf, type Line } from "../../../text/lines.ts";
import type { BoardProblem } from "../../../core/board/problem.ts";
import { withoutCode } from "../../../text/without-code.ts";

export const TASK_FIELDS = ["status", "acceptance", "evidence", "depends"] as const;
export type TaskField = (typeof TASK_FIELDS)[number];

/** The text of a field: the rest of its line after the colon, and the lines below. */
export interface FieldText {
  readonly line: number;
  readonly value: string;
  readonly below: readonly Line[];
}
export interface TaskText {
  readonly id: string;
  readonly milestone: number;
  readonly number: number;
  readonly title: string;
  readonly line: number;
  readonly fields: ReadonlyMap<TaskField, FieldText>;
}
export interface MilestoneText {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly line: number;
  readonly tasks: readonly TaskText[];
}

const KEYS: ReadonlyMap<string, TaskField> = new Map<string, TaskField>([
  ...TASK_FIELDS.map((field) => [field, field] as const),
  ["depends_on", "depends"],
]);
/** These fields define a task. */
const TASKS_OWN: ReadonlySet<TaskField> = new Set<TaskField>(["status", "acceptance", "evidence"]);
const MAX_TITLE = 200;
const MAX_ABOUT = 80;
/** Deeper headings are free for a person's own use. */
const MILESTONE_LEVEL = 4;
/** A task without a heading ends at any heading. */
const NO_HEADING = 7;
const NAMED = /^[*_`]{0,6}([Mm])(\d{1,9})(?:-([Tt])(\d{1,9}))?(?!\w)(.*)$/s;

/** The beginnings of lists, quotes, tables and bold lines. */
const MARKED = /^\s*(?:[^\p{L}\p{N}\s]|\d{1,4}[.)、])/u;

interface Name {
  readonly written: string;
  readonly milestone: number;
  /** Null: a milestone. */
  readonly task: number | null;
  readonly rest: string;
}

/**
 * Finds milestones, tasks and their fields by lines, and lines that only resemble them. A task that is taken for prose would be lost. Other
 * functions report the problems of each part.
 */
export function outlineOf(lines: readonly Line[]): {
  readonly milestones: readonly MilestoneText[];
  readonly problems: readonly BoardProblem[];
} {
  const milestones: (MilestoneText & { readonly tasks: TaskText[] })[] = [];
  const problems: BoardProblem[] = [];
  const named: { readonly id: string; readonly line: Line }[] = [];
  const note = (kind: BoardProblem["kind"], line: Line, about: string): void => {
    problems.push({ kind, line: line.number, about: oneLine(about, MAX_ABOUT) });
  };
  let task: (TaskText & { readonly fields: Map<TaskField, FieldText> }) | null = null;
  let level = NO_HEADING;
  let below: Line[] = [];
  for (const line of lines) {
    if (line.fenced) continue;
    const heading = headingOf(line.text);
    const name = nameIn(line.text, heading?.level ?? null);
    if (name !== null) {
      const { milestone, task: number, written } = name;
      const id = number === null ? `M${milestone}` : `M${milestone}-T${number}`;
      if (id !== written) note("value_wrong", line, `${written}${name.rest.slice(0, 20)}`);
      const place = { id, title: titleOf(name.rest), line: line.number };
      below = [];
      if (number === null) {
        task = null;
        milestones.push({ ...place, number: milestone, tasks: [] });
      } else {
        task = { ...place, milestone, number, fields: new Map<TaskField, FieldText>() };
        level = heading?.level ?? NO_HEADING;
        const within = milestones.at(-1);
        if (within) within.tasks.push(task);
        else note("task_outside_milestone", line, id);
      }
    } else if (heading !== null) {
      below = [];
      if (heading.level <= level) task = null;
      const isClose = heading.level <= MILESTONE_LEVEL && looksLikeMilestone(heading.title);
      if (isClose || lookAlikeIn(heading.title) !== null) note("line_unclear", line, line.text);
    } else {
      const field = fieldOf(line.text);
      const key = field === null ? undefined : KEYS.get(field.key);
      if (field === null || key === undefined) {
        below.push(line);
        const meant = lookAlikeIn(line.text);
        if (meant !== null && (meant.at === 0 || MARKED.test(line.text))) named.push({ id: meant.id, line });
      } else {
        below = [];
        if (task === null) {
          if (TASKS_OWN.has(key)) note("field_outside_task", line, line.text);
        } else if (task.fields.has(key)) note("field_repeated", line, `${task.id} ${key}`);
        else task.fields.set(key, { line: line.number, value: field.value, below });
      }
    }
  }
  const ids = new Set(milestones.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  // Text may refer to existing tasks.
  for (const { id, line } of named) if (!ids.has(id)) note("line_unclear", line, line.text);
  return { milestones, problems };
}

/** Outside headings a colon is required, because a line may begin by referring to a task. */
function nameIn(line: string, level: number | null): Name | null {
  const [, m, milestone, t, task, rest] = NAMED.exec(bodyOfLine(line)) ?? [];
  if (m === undefined || milestone === undefined || rest === undefined) return null;
  const isTask = t !== undefined && task !== undefined;
  if (level === null && !(isTask && /^[*_`]{0,6}\s{0,4}[:：]/.test(rest))) return null;
  if (level !== null && !(isTask || level <= MILESTONE_LEVEL)) return null;
  if (!/^(?:$|[*_`\s:：.–—-])/.test(rest)) return null;
  // `M1–T2` is not a milestone.
  if (!isTask && lookAlikeIn(`${m}${milestone}${rest}`)?.at === 0) return null;
  const written = isTask ? `${m}${milestone}-${t}${task}` : `${m}${milestone}`;
  return { written, milestone: Number(milestone), task: isTask ? Number(task) : null, rest };
}

function titleOf(rest: string): string {
  return oneLine(bare(rest.replace(/^[*_`\s:：.–—-]+/, "")), MAX_TITLE);
}

/** Letters of other alphabets that look like those of an id. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { М: "M", м: "m", Т: "T", т: "t", Μ: "M", Τ: "T" };
const ID = /(?<!\w)M(\d{1,9})\s?[-_.]\s?T(\d{1,9})/i;
const MILESTONE = /^[*_`]{0,6}(?:M|milestone |里程碑 ?)\d{1,9}(?!\w)/i;

/** Normalises text to what a reader sees: wide letters, other dashes, and characters without width. */
function normalized(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Pd}\u2212]/gu, "-")
    .replace(/[МмТтΜΤ]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}

/** Text that looks like the id of a task, with the id it means and its position. Ids within code do not count. */
function lookAlikeIn(text: string): { readonly id: string; readonly at: number } | null {
  const found = ID.exec(normalized(withoutCode(text)).trim());
  return found && { id: `M${Number(found[1])}-T${Number(found[2])}`, at: found.index };
}

/** A title that looks like that of a milestone. */
function looksLikeMilestone(title: string): boolean {
  return MILESTONE.test(normalized(title).trim());
}
