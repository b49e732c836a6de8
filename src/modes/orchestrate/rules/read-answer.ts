import { objectsIn } from "../../../text/json/json-in-text.ts";
import { repeatedKey } from "../../../text/json/json-keys.ts";
import { scanJson } from "../../../text/json/json-text.ts";
import { shown } from "../../../text/json/problem.ts";
import { isFilled, isRecord, isText } from "../../../text/json/values.ts";
import {
  isBoardRole,
  isSameAgent,
  NEXT_AGENTS,
  type MainAnswer,
  type NextAgent,
  type UserOption,
  type UserQuestion,
} from "../../../core/board/answer.ts";
import { linesOf } from "../../../text/lines.ts";
import type { BoardRule, Broken } from "../../../core/board/rule.ts";

const LIMITS = {
  reason: 2000,
  history_append: 8000,
  task: 32_000,
  dev_plan_next: 64_000,
  decision_title: 200,
  question: 8000,
  description: 1000,
} as const;
const MAX_OPTIONS = 9;
const OPTION_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
/** The number of faults that an agent can fix in one go. */
const MAX_BROKEN = 30;
const FIELDS = new Set(["next_agent", "reason", "history_append", "task", "dev_plan_next"]);
const USER_FIELDS = new Set(["decision_title", "question", "options", "recommended_option_id"]);
const OPTION_FIELDS = new Set(["option_id", "description"]);

type Fields = Readonly<Record<string, unknown>>;
type Note = (rule: BoardRule, about: string) => void;

/** MAIN's answer, or all that is wrong with its form. */
export function readAnswer(
  text: string,
): { readonly answer: MainAnswer } | { readonly broken: readonly Broken[] } {
  const line = objectLine(text.trim());
  if (typeof line === "string") return { broken: [{ rule: "not_one_json_line", about: line }] };
  const broken: Broken[] = [];
  const note: Note = (rule, about) => {
    if (broken.length < MAX_BROKEN) broken.push({ rule, about: shown(about) });
  };
  const nextAgent = readNextAgent(line["next_agent"], note);
  for (const key of Object.keys(line)) if (!isExpected(key, line[key], nextAgent)) note("unknown_field", key);
  const reason = readRequired(line, "reason", note);
  const historyAppend = readRequired(line, "history_append", note);
  const task = readTask(line, nextAgent, note);
  const devPlanNext = readNullable(line, "dev_plan_next", note);
  const question = nextAgent === "USER" ? readQuestion(line, note) : null;
  if (broken.length > 0 || nextAgent === null) return { broken };
  return { answer: { nextAgent, reason: reason.trim(), historyAppend, task, devPlanNext, question } };
}

/** The object that makes up the whole text, or why there is none. */
function objectLine(text: string): Fields | string {
  if (text === "") return "empty";
  const value = scanJson(text);
  if ("fault" in value) return whyNotJson(text);
  if (value.kind !== "object") return "not_an_object";
  if (/[\r\n]/.test(text)) return "several_lines";
  if (repeatedKey(text, value) !== null) return "repeated_key";
  return JSON.parse(text) as Fields;
}

function whyNotJson(text: string): string {
  const objects = [];
  for (const value of objectsIn(text)) {
    objects.push(value);
    // Within a broken object others may be found that are parts of it.
    if (value.kind === "broken" || objects.length === 2) break;
  }
  const [first, second] = objects;
  const begins = first?.start === 0;
  if (text.startsWith("[") || (begins && first.kind === "broken")) return "not_json";
  // A fence within JSON is part of a string, so a leading JSON value is skipped.
  const fenced = linesOf(text.slice(begins ? first.end : 0)).some((line) => line.fenced);
  if (fenced) return "fence";
  if (!first) return "no_object";
  return second?.kind === "object" ? "several_objects" : "prose";
}

/** The fields of a question have no meaning for other agents, and null is as good as leaving them out. */
function isExpected(key: string, value: unknown, nextAgent: NextAgent | null): boolean {
  if (FIELDS.has(key)) return true;
  return USER_FIELDS.has(key) && (nextAgent === "USER" || nextAgent === null || value === null);
}

function readNextAgent(value: unknown, note: Note): NextAgent | null {
  const known = (isText(value) && NEXT_AGENTS.find((agent) => isSameAgent(value, agent))) || null;
  if (value === undefined) note("field_missing", "next_agent");
  else if (!isText(value)) note("field_wrong_type", "next_agent");
  else if (known === null) note("unknown_next_agent", value);
  return known;
}

function readRequired(line: Fields, key: "reason" | "history_append", note: Note): string {
  const value = line[key];
  if (value === undefined || (isText(value) && !isFilled(value))) note("field_missing", key);
  else if (!isText(value)) note("field_wrong_type", key);
  else noteLength(value, key, LIMITS[key], note);
  return isText(value) ? fromFirstLine(value) : "";
}

function readNullable(line: Fields, key: "task" | "dev_plan_next", note: Note): string | null {
  const value = line[key];
  if (value === undefined) note("field_missing", key);
  else if (value !== null && !isText(value)) note("field_wrong_type", key);
  else if (value !== null) noteLength(value, key, LIMITS[key], note);
  return isText(value) ? fromFirstLine(value) : null;
}

/** Empty lines before the first one do no harm. */
function fromFirstLine(text: string): string {
  return text.replace(/^\s*[\r\n]/, "");
}

function readTask(line: Fields, nextAgent: NextAgent | null, note: Note): string | null {
  const task = readNullable(line, "task", note);
  if (nextAgent === null || line["task"] === undefined) return task;
  if (!isBoardRole(nextAgent)) {
    if (line["task"] !== null) note("task_not_null", nextAgent);
  } else if (line["task"] === null || task?.trim() === "") note("task_missing", nextAgent);
  return task;
}

function readQuestion(line: Fields, note: Note): UserQuestion {
  const title = readAsked(line, "decision_title", LIMITS.decision_title, note);
  const question = readAsked(line, "question", LIMITS.question, note);
  const recommended = readAsked(line, "recommended_option_id", LIMITS.description, note);
  const options = readOptions(line["options"], note);
  const isKnown = options.some(({ id }) => id === recommended);
  if (recommended !== "" && options.length > 0 && !isKnown) note("recommended_unknown", recommended);
  return { title, question, options, recommended };
}

function readAsked(line: Fields, key: string, limit: number, note: Note): string {
  const value = line[key] ?? "";
  if (!isText(value)) {
    note("field_wrong_type", key);
    return "";
  }
  if (value.trim() === "") note("question_incomplete", key);
  noteLength(value, key, limit, note);
  return value.trim();
}

function readOptions(value: unknown, note: Note): UserOption[] {
  const list: unknown = value ?? [];
  if (!Array.isArray(list)) {
    note("field_wrong_type", "options");
    return [];
  }
  if (list.length === 0) note("question_incomplete", "options");
  if (list.length > MAX_OPTIONS) note("option_invalid", `options ${list.length} > ${MAX_OPTIONS}`);
  const ids = new Set<string>();
  return list.slice(0, MAX_OPTIONS).flatMap((one: unknown, index) => {
    const place = `options[${index}]`;
    if (!isRecord(one)) {
      note("option_invalid", place);
      return [];
    }
    for (const key of Object.keys(one)) if (!OPTION_FIELDS.has(key)) note("unknown_field", `${place}.${key}`);
    const id = one["option_id"];
    const description = one["description"];
    if (!isFilled(description)) note("option_invalid", `${place}.description`);
    else noteLength(description, `${place}.description`, LIMITS.description, note);
    if (!isText(id) || !OPTION_ID.test(id)) note("option_invalid", `${place}.option_id`);
    else if (ids.has(id)) note("option_invalid", id);
    else {
      ids.add(id);
      return [{ id, description: isText(description) ? description.trim() : "" }];
    }
    return [];
  });
}

function noteLength(value: string, field: string, limit: number, note: Note): void {
  if (value.length > limit) note("field_too_long", `${field} ${value.length} > ${limit}`);
}
