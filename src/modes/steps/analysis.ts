import type { AnalysisProblem } from "../../core/events/answer-problem.ts";
import type { VerificationItem } from "../../core/step.ts";
import { lastObjectWith } from "../../text/json/json-in-text.ts";
import { shownValue, type Expected, type FieldFault } from "../../text/json/problem.ts";
import { cleanName } from "./step-names.ts";
import { isFilled, isRecord, isText, isTexts } from "../../text/json/values.ts";

export interface AnalysedStep {
  readonly slug: string | null;
  readonly title: string | null;
  readonly description: string;
  readonly done: boolean;
  readonly verification: readonly VerificationItem[];
  /** Ids of requirements; null: not stated. */
  readonly covers: readonly string[] | null;
}
export interface Analysis {
  /** Clean and short. */
  readonly name: string;
  readonly steps: readonly AnalysedStep[];
}
export type { AnalysisProblem };

const MAX_STEPS = 999;
/** These limits keep a step's file below the size that is read. */
const MAX_ITEMS = 50;
const MAX_DESCRIPTION = 8000;
const MAX_ITEM = 2000;
const MAX_COVERS = 500;
const MAX_TYPE = 100;
/** The number of faults that an agent can fix in one go. */
const MAX_FAULTS = 20;

type Note = (field: string, expected: Expected, value: unknown, limit?: number) => void;

export function readAnalysis(output: string): Analysis | { readonly problem: AnalysisProblem } {
  const said = lastObjectWith(output, "steps");
  if (said.kind === "ambiguous") return { problem: said };
  if (said.kind !== "object") return { problem: { kind: "missing" } };
  const answer = said.object;
  const faults: FieldFault[] = [];
  const note: Note = (field, expected, value, limit) => {
    if (faults.length === MAX_FAULTS) return;
    faults.push({ field, expected, found: shownValue(value), ...(limit !== undefined && { limit }) });
  };
  const given = answer["name"];
  const name = isText(given) ? cleanName(given) : "";
  if (name === "") note("name", "usable_name", given);
  const list = answer["steps"];
  if (!isList(list, MAX_STEPS)) note("steps", "step_list", list);
  const read = isList(list, MAX_STEPS) ? list.map((step, at) => readOne(step, `steps[${at}]`, note)) : [];
  const steps = read.filter((step) => step !== null);
  return faults.length > 0 ? { problem: { kind: "malformed", faults } } : { name, steps };
}

function readOne(step: unknown, place: string, note: Note): AnalysedStep | null {
  if (!isRecord(step)) {
    note(place, "object", step);
    return null;
  }
  const description = readText(step, "description", MAX_DESCRIPTION, place, note);
  const done = step["done"] ?? false;
  if (typeof done !== "boolean") note(`${place}.done`, "yes_or_no", done);
  const list = step["verification"];
  if (!isList(list, MAX_ITEMS)) note(`${place}.verification`, "item_list", list);
  const items = isList(list, MAX_ITEMS) ? list : [];
  const verification = items.map((item, at) => readItem(item, `${place}.verification[${at}]`, note));
  // A file name can always be derived, so a wrong one is no reason to ask again.
  const [slug, title] = [step["slug"], step["title"]].map((text) => (isText(text) ? text : null));
  // Nor is a missing or wrong list of covered requirements. It appears as not stated.
  const given = step["covers"];
  const covers = isTexts(given) ? given.slice(0, MAX_COVERS).map((id) => id.trim()) : null;
  return { slug: slug ?? null, title: title ?? null, description, done: done === true, verification, covers };
}

function readItem(item: unknown, place: string, note: Note): VerificationItem {
  if (!isRecord(item)) note(place, "object", item);
  const fields = isRecord(item) ? item : null;
  return {
    type: fields ? readText(fields, "type", MAX_TYPE, place, note) : "",
    description: fields ? readText(fields, "description", MAX_ITEM, place, note) : "",
  };
}

function readText(
  from: Readonly<Record<string, unknown>>,
  key: string,
  max: number,
  place: string,
  note: Note,
): string {
  const value = from[key];
  if (isFilled(value) && value.trim().length <= max) return value.trim();
  if (isFilled(value)) note(`${place}.${key}`, "shorter_text", value, max);
  else note(`${place}.${key}`, "filled_text", value);
  return "";
}

function isList(value: unknown, max: number): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.length <= max;
}
