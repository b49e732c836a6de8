import type { ReviewItem } from "../step.ts";
import { objectsIn, saidIn, type Said } from "./json-in-text.ts";
import { memberOf, type Span } from "./json-text.ts";
import { shownValue, type Expected, type FieldFault } from "./step-problem.ts";
import { isFilled, isRecord, oneLine } from "./values.ts";

/** Why an answer is not a verdict. */
export type ReviewProblem =
  | { readonly kind: "missing" }
  /** There is one, but it does not begin a line, or does not end the message: who goes on may take it back. */
  | { readonly kind: "amid_text" }
  /** Somebody changed what the reviewer was told while it was asked. */
  | { readonly kind: "misled" }
  /** It has this key twice. */
  | { readonly kind: "ambiguous"; readonly key: string }
  | { readonly kind: "malformed"; readonly fault: FieldFault }
  | { readonly kind: "incomplete"; readonly items: readonly number[] };

const MAX_EVIDENCE = 500;
const FENCE_OR_NOTHING = /^(?:(?:`{3,}|~{3,})[\w-]*)?$/;
const CLOSED_FENCE_OR_NOTHING = /^(?:`{3,}|~{3,})?$/;

/** The verdict of a reviewer on a list of `count` items: nothing is filled in for what it does not say. */
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

/** The verdict that ends a message. Words beside it would have to be understood, and prose is no verdict. */
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
