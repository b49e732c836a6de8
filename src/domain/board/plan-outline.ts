import { oneLine } from "../steps/values.ts";
import { bare, bodyOfLine, fieldOf, headingOf, type Line } from "./lines.ts";
import type { BoardProblem } from "./problem.ts";

export const TASK_FIELDS = ["status", "acceptance", "evidence", "depends"] as const;
export type TaskField = (typeof TASK_FIELDS)[number];

/** A field as it stands: what follows its colon, and the lines below. */
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
const MAX_TITLE = 200;
/** Deeper headings are a person's own. */
const MILESTONE_LEVEL = 4;
/** A task that is no heading ends at any heading. */
const NO_HEADING = 7;
const NAMED = /^[*_`]{0,6}([Mm])(\d{1,9})(?:-([Tt])(\d{1,9}))?(?!\w)(.*)$/s;

interface Name {
  readonly written: string;
  readonly milestone: number;
  /** Null: of a milestone. */
  readonly task: number | null;
  readonly rest: string;
}

/** Milestones, tasks and their fields by the lines they stand in; what is wrong with them one by one is said elsewhere. */
export function outlineOf(lines: readonly Line[]): {
  readonly milestones: readonly MilestoneText[];
  readonly problems: readonly BoardProblem[];
} {
  const milestones: (MilestoneText & { readonly tasks: TaskText[] })[] = [];
  const problems: BoardProblem[] = [];
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
      if (id !== written || /^-[Tt]\d/.test(name.rest))
        problems.push({
          kind: "value_wrong",
          line: line.number,
          about: `${written}${name.rest.slice(0, 20)}`,
        });
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
        else problems.push({ kind: "task_outside_milestone", line: line.number, about: id });
      }
    } else if (heading !== null) {
      below = [];
      if (heading.level <= level) task = null;
    } else if (task !== null) {
      const field = fieldOf(line.text);
      const key = field === null ? undefined : KEYS.get(field.key);
      if (field === null || key === undefined) below.push(line);
      else {
        below = [];
        if (task.fields.has(key))
          problems.push({ kind: "field_repeated", line: line.number, about: `${task.id} ${key}` });
        else task.fields.set(key, { line: line.number, value: field.value, below });
      }
    }
  }
  return { milestones, problems };
}

/** Outside headings it takes a colon: a task may be spoken of at the beginning of a line. */
function nameIn(line: string, level: number | null): Name | null {
  const [, m, milestone, t, task, rest] = NAMED.exec(bodyOfLine(line)) ?? [];
  if (m === undefined || milestone === undefined || rest === undefined) return null;
  const isTask = t !== undefined && task !== undefined;
  if (level === null && !(isTask && /^[*_`]{0,6}\s{0,4}[:：]/.test(rest))) return null;
  if (level !== null && !(isTask || level <= MILESTONE_LEVEL)) return null;
  if (!/^(?:$|[*_`\s:：.–—-])/.test(rest)) return null;
  const written = isTask ? `${m}${milestone}-${t}${task}` : `${m}${milestone}`;
  return { written, milestone: Number(milestone), task: isTask ? Number(task) : null, rest };
}

function titleOf(rest: string): string {
  return oneLine(bare(rest.replace(/^[*_`\s:：.–—-]+/, "")), MAX_TITLE);
}
