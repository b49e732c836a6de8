import {
  STEP_STATUSES,
  type Step,
  type StepStatus,
  type UnitTest,
  type VerificationItem,
} from "../../core/step.ts";
import { closest } from "../../text/closest.ts";
import { repeatedKeys } from "../../text/json/json-keys.ts";
import {
  memberOf,
  placeOf,
  scanJson,
  scanValue,
  type JsonChild,
  type JsonValue,
} from "../../text/json/json-text.ts";
import { shown, type Expected, type StepProblem } from "../../text/json/problem.ts";
import { isFilled, isText, isTexts } from "../../text/json/values.ts";

const STEP_NAME = /^(\d{3,})-.+\.json$/s;
/** More problems would not help, and a hostile file could have a million. */
const MAX_PROBLEMS = 50;
const MAX_ID = 200;
const FIELDS = new Set([
  "id",
  "description",
  "status",
  "verification",
  "type",
  "unit_test",
  "command",
  "files",
  "notes",
]);
const CONTROL = /[\u0000-\u001f\u007f]/;

export function looksLikeStep(name: string): boolean {
  return STEP_NAME.test(name);
}

/** As written: `002`. Empty if the name is not that of a step. */
export function numberOf(name: string): string {
  return STEP_NAME.exec(name)?.[1] ?? "";
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly problems: StepProblem[];
}
/** An object in the text, and the path of fields that leads to it. */
interface At {
  readonly source: Source;
  readonly object: JsonValue;
  readonly path: string;
}

export function readStep(
  file: string,
  text: string,
  sha256: string,
): { readonly step: Step } | { readonly problems: readonly StepProblem[] } {
  const begin = text.startsWith("\ufeff") ? 1 : 0;
  if (text.trim() === "") return { problems: [{ kind: "empty", file }] };
  const object = scanJson(text, begin);
  if ("fault" in object) {
    return { problems: [{ kind: "not_json", file, fault: object.fault, ...placeOf(text, object.offset) }] };
  }
  if (object.kind !== "object") {
    const found = shown(text.slice(object.start, object.end));
    return { problems: [{ kind: "not_an_object", file, found, ...placeOf(text, object.start) }] };
  }
  const source: Source = { file, text, problems: [] };
  const at: At = { source, object, path: "" };
  noteRepeated(at);
  const id = takeId(at);
  const description = take(at, "description", "filled_text", isFilled);
  const status = take(at, "status", "status", isStatus);
  const verification = takeVerification(at);
  const unitTest = takeUnitTest(at);
  const { problems } = source;
  if (id === null || description === null || status === null || problems.length > 0) return { problems };
  return { step: { file, number: numberOf(file), id, description, status, verification, unitTest, sha256 } };
}

function takeId(at: At): string | null {
  const id = take(at, "id", "filled_text", isFilled);
  return id === null ? null : take(at, "id", "step_id", isStepId);
}

function takeVerification(at: At): VerificationItem[] {
  const items: VerificationItem[] = [];
  const member = memberOf(at.object, "verification");
  const list = member && scanValue(at.source.text, member.start);
  const isList = list && "kind" in list && list.kind === "array";
  if (!isList) note(at, "verification", "list", member);
  for (const [index, child] of (isList ? list.children : []).entries()) {
    const item = objectAt(at, child, `verification[${index}]`);
    const type = item && take(item, "type", "text", isText);
    const description = item && take(item, "description", "filled_text", isFilled);
    if (type !== null && description !== null) items.push({ type, description });
  }
  return items;
}

function takeUnitTest(at: At): UnitTest | null {
  const member = memberOf(at.object, "unit_test");
  const object = member ? objectAt(at, member, "unit_test") : null;
  if (object === null) return null;
  const command = take(object, "command", "command", isCommand);
  const files = memberOf(object.object, "files") && take(object, "files", "texts", isTexts);
  const notes = memberOf(object.object, "notes") && take(object, "notes", "text", isText);
  if (command === null) return null;
  return { command, ...(files && { files }), ...(typeof notes === "string" && { notes }) };
}

/** The value of a member, or null and a problem. */
function take<T>(
  at: At,
  name: string,
  expected: Expected,
  accepts: (value: unknown) => value is T,
): T | null {
  const member = memberOf(at.object, name);
  const value: unknown = member && JSON.parse(at.source.text.slice(member.start, member.end));
  if (accepts(value)) return value;
  note(at, fieldOf(at, name), expected, member);
  return null;
}

function fieldOf({ path }: At, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function objectAt(at: At, child: JsonChild, path: string): At | null {
  const object = scanValue(at.source.text, child.start);
  if (!("kind" in object) || object.kind !== "object") {
    note(at, path, "object", child);
    return null;
  }
  const found = { source: at.source, object, path };
  noteRepeated(found);
  return found;
}

/** Two equal keys are an error, because a person may read the first one while the last one counts. */
function noteRepeated(at: At): void {
  const { file, text, problems } = at.source;
  for (const { name, start } of repeatedKeys(at.object)) {
    if (problems.length === MAX_PROBLEMS) return;
    problems.push({
      kind: "duplicate_field",
      file,
      field: shown(fieldOf(at, name)),
      ...placeOf(text, start),
    });
  }
}

/** A missing field is reported with the place of the object that lacks it. */
function note({ source, object }: At, field: string, expected: Expected, found: JsonChild | undefined): void {
  const { file, text, problems } = source;
  if (problems.length === MAX_PROBLEMS) return;
  problems.push({
    kind: "field",
    file,
    field,
    expected,
    found: found ? shown(text.slice(found.start, found.end)) : null,
    ...(found ? {} : misspelt(object, field)),
    ...placeOf(text, found?.start ?? object.start),
  });
}

/** An unknown key of the object that probably means the missing one. */
function misspelt(object: JsonValue, field: string): { readonly misspelt?: string } {
  const name = field.slice(field.lastIndexOf(".") + 1);
  const keys = object.children.flatMap((child) => (child.key === null ? [] : [child.key.name]));
  const key = closest(
    name,
    keys.filter((one) => !FIELDS.has(one)),
  );
  return key === null ? {} : { misspelt: shown(key) };
}

function isStatus(value: unknown): value is StepStatus {
  return STEP_STATUSES.some((status) => status === value);
}

/** Agents get it in an environment variable, which takes no NUL and has a limited length. People read it in a line. */
function isStepId(value: unknown): value is string {
  return isFilled(value) && value.length <= MAX_ID && !CONTROL.test(value);
}

/** A program's arguments cannot contain a NUL. */
function isCommand(value: unknown): value is string {
  return isFilled(value) && !value.includes("\0");
}
