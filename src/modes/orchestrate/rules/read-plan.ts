import { oneLine } from "../../../text/json/values.ts";
import { bare, linesOf, saysNothing, type Line } from "../../../text/lines.ts";
import { outlineOf, TASK_FIELDS, type FieldText, type MilestoneText, type TaskText } from "./plan-outline.ts";
import {
  TASK_STATUSES,
  type Acceptance,
  type DevPlan,
  type PlanTask,
  type TaskStatus,
} from "../../../core/board/plan.ts";
import type { BoardProblem, BoardProblemKind } from "../../../core/board/problem.ts";
import { readAcceptance } from "./read-acceptance.ts";

export const MAX_PLAN_CHARS = 64_000;
export const MAX_TASKS = 60;
const MAX_COMMANDS = 10;
/** More problems would not help. */
const MAX_PROBLEMS = 50;
const MAX_ABOUT = 80;

type Note = (kind: BoardProblemKind, line: number | null, about: string) => void;

/** The plan, or all its problems, in the order of its lines. */
export function readPlan(
  text: string,
): { readonly plan: DevPlan } | { readonly problems: readonly BoardProblem[] } {
  if (text.trim() === "") return { problems: [{ kind: "empty", line: null, about: "" }] };
  if (text.length > MAX_PLAN_CHARS)
    return { problems: [{ kind: "too_large", line: null, about: `${text.length} > ${MAX_PLAN_CHARS}` }] };
  // The added empty line is within a code block if the last block was not closed.
  const lines = linesOf(`${text}\n`);
  const outline = outlineOf(lines);
  const problems = [...outline.problems];
  const note: Note = (kind, line, about) => {
    problems.push({ kind, line, about: oneLine(about, MAX_ABOUT) });
  };
  if (lines.at(-1)?.fenced) note("fence_open", lastFence(lines), "");
  if (outline.milestones.length === 0) note("no_milestone", null, "");
  noteOrder(outline.milestones, note);
  const all = outline.milestones.flatMap(({ tasks }) => tasks);
  const beyond = all[MAX_TASKS];
  if (beyond) note("too_many_tasks", beyond.line, `${all.length} > ${MAX_TASKS}`);
  const ids = new Set(all.map(({ id }) => id));
  const milestones = outline.milestones.map(({ id, title, line, tasks }) => ({
    id,
    title,
    line,
    tasks: tasks.map((task) => readTask(task, ids, note)),
  }));
  if (problems.length === 0) return { plan: { milestones } };
  return { problems: problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)).slice(0, MAX_PROBLEMS) };
}

/** The first line of a code block that continues to the end. */
function lastFence(lines: readonly Line[]): number {
  return (lines.findLast(({ fenced }) => !fenced)?.number ?? 0) + 1;
}

function noteOrder(milestones: readonly MilestoneText[], note: Note): void {
  const seen = new Set<string>();
  const place = (kind: "milestone" | "task", id: string, line: number, inOrder: boolean): void => {
    if (seen.has(id)) note(`${kind}_repeated`, line, id);
    else if (!inOrder) note(`${kind}_out_of_order`, line, id);
    seen.add(id);
  };
  for (const [index, { id, number, line, tasks }] of milestones.entries()) {
    place("milestone", id, line, number > (milestones[index - 1]?.number ?? -1));
    if (tasks.length === 0) note("milestone_empty", line, id);
    for (const [at, task] of tasks.entries()) {
      if (task.milestone !== number) note("task_in_other_milestone", task.line, task.id);
      else place("task", task.id, task.line, task.number > (tasks[at - 1]?.number ?? -1));
    }
  }
}

function readTask(task: TaskText, ids: ReadonlySet<string>, note: Note): PlanTask {
  const { id, title, line, fields } = task;
  for (const field of TASK_FIELDS)
    if (field !== "depends" && !fields.has(field)) note("field_missing", line, `${id} ${field}`);
  const [status, acceptance, evidence, depends] = TASK_FIELDS.map((field) => fields.get(field));
  return {
    id,
    title,
    line,
    status: status ? readStatus(status, note) : "TODO",
    acceptance: acceptance ? readCommands(id, acceptance, note) : [],
    evidence: evidence ? readEvidence(evidence) : "",
    depends: depends ? readDepends(id, depends, ids, note) : [],
  };
}

function readStatus({ value, line }: FieldText, note: Note): TaskStatus {
  const status = TASK_STATUSES.find((one) => one === bare(value));
  if (status === undefined) note("status_unknown", line, value);
  return status ?? "TODO";
}

function readCommands(id: string, { value, line, below }: FieldText, note: Note): readonly Acceptance[] {
  // Text on the field's own line is an item too, unless it only introduces the list.
  const own = value.includes("`") ? [{ number: line, text: `1. ${value}`, fenced: false }] : [];
  const { items, problems } = readAcceptance([...own, ...below]);
  for (const problem of problems) note(problem.kind, problem.line, problem.about);
  if (items.length === 0 && problems.length === 0) note("acceptance_without_command", line, value || id);
  if (items.length > MAX_COMMANDS) note("too_many_commands", line, `${id} ${items.length} > ${MAX_COMMANDS}`);
  return items;
}

/** Empty if the text says that there is none. */
function readEvidence({ value, below }: FieldText): string {
  const text = [value, ...below.map((line) => line.text)].join("\n").trim();
  return saysNothing(text) ? "" : text;
}

function readDepends(id: string, field: FieldText, ids: ReadonlySet<string>, note: Note): readonly string[] {
  if (saysNothing(field.value)) return [];
  const named = field.value.split(/[\s,，、;；]+/).map((one) => bare(one));
  const depends = [...new Set(named)].filter((one) => one !== "");
  for (const one of depends) {
    if (one === id) note("depends_on_itself", field.line, id);
    else if (!ids.has(one)) note("depends_unknown", field.line, one);
  }
  return depends;
}
