import type { ReviewProblem } from "../../core/events/answer-problem.ts";
import type { ReviewItem } from "../../core/step.ts";
import { objectsIn, saidIn, type Said } from "../../text/json/json-in-text.ts";
import { memberOf, type Span } from "../../text/json/json-text.ts";
import { shownValue, type Expected } from "../../text/json/problem.ts";
import { isFilled, isRecord, oneLine } from "../../text/json/values.ts";

export type { ReviewProblem };

const MAX_EVIDENCE = 500;
const FENCE_OR_NOTHING = /^(?:(?:`{3,}|~{3,})[\w-]*)?$/;
const CLOSED_FENCE_OR_NOTHING = /^(?:`{3,}|~{3,})?$/;

/** A reviewer's verdict on a list of `count` items. Missing parts are not filled in. */
export function readReview(
  output: string,
  count: number,
): { readonly items: readonly ReviewItem[] } | { readonly problem: ReviewProblem } {
  const answer = lastWord(output);
  if (answer.kind !== "object") return { problem: answer };
  const list = answer.object["verification"];
  if (!Array.isArray(list)) return malformed("verification", "list", list);
  const items = new Map<number, ReviewItem>();
  for (const [index, one] of list.entries()) {
    const field = `verification[${index}]`;
    if (!isRecord(one)) return malformed(field, "object", one);
    const item = one["item"];
    const result = one["result"];
    const evidence = one["evidence"];
    if (!isItem(item, count)) return malformed(`${field}.item`, "item_number", item);
    if (items.has(item)) return malformed(`${field}.item`, "item_once", item);
    if (result !== "pass" && result !== "fail") return malformed(`${field}.result`, "pass_or_fail", result);
    if (!isFilled(evidence)) return malformed(`${field}.evidence`, "filled_text", evidence);
    items.set(item, { item, passed: result === "pass", evidence: oneLine(evidence, MAX_EVIDENCE) });
  }
  const absent = Array.from({ length: count }, (_, index) => index + 1).filter((item) => !items.has(item));
  if (absent.length > 0) return { problem: { kind: "incomplete", items: absent } };
  return { items: [...items.values()].sort((one, other) => one.item - other.item) };
}

/** The verdict at the end of a message. Prose beside it would need interpretation, so it is not a verdict. */
function lastWord(output: string): Said | { readonly kind: "missing" | "amid_text" } {
  let last: Span | null = null;
  for (const value of objectsIn(output))
    if (value.kind !== "broken" && memberOf(value, "verification")) last = value;
  if (last === null) return { kind: "missing" };
  const line =
    output
      .slice(0, last.start)
      .split(/[\r\n]/)
      .at(-1) ?? "";
  const stands =
    FENCE_OR_NOTHING.test(line.trim()) && CLOSED_FENCE_OR_NOTHING.test(output.slice(last.end).trim());
  return stands ? saidIn(output, last) : { kind: "amid_text" };
}

function isItem(value: unknown, count: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= count;
}

function malformed(field: string, expected: Expected, value: unknown): { readonly problem: ReviewProblem } {
  return { problem: { kind: "malformed", fault: { field, expected, found: shownValue(value) } } };
}
