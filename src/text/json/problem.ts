import type { JsonFaultCode } from "./json-tokens.ts";
import { codes, count, foreign, nullable, object, optional, type TypeOf } from "../shape.ts";
import { oneLine } from "./values.ts";

/** The value that a field expects; the `words` folders have the texts. */
const expected = codes([
  "object",
  "list",
  "text",
  "texts",
  "filled_text",
  "shorter_text",
  "command",
  "step_id",
  "status",
  "step_list",
  "item_list",
  "yes_or_no",
  "usable_name",
  "item_number",
  "item_once",
  "pass_or_fail",
]);
export type Expected = TypeOf<typeof expected>;

/** A field with an unexpected value. */
export const fieldFault = object({
  /** `verification[1].type` */
  field: foreign(),
  expected,
  /** The start of the value; null: it is missing. */
  found: nullable(foreign()),
  /** In characters, if it is too long. */
  limit: optional(count),
});
export type FieldFault = TypeOf<typeof fieldFault>;

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Why a step file cannot be used. */
export type StepProblem = { readonly file: string } & (
  | { readonly kind: "gone" | "not_a_file" | "not_utf8" | "empty" }
  | { readonly kind: "unreadable" | "read_only"; readonly why: string }
  | { readonly kind: "too_large"; readonly limit: number }
  | ({ readonly kind: "not_json"; readonly fault: JsonFaultCode } & Place)
  | ({ readonly kind: "not_an_object"; readonly found: string } & Place)
  /** `misspelt`: the key that was probably meant to be the missing one. */
  | ({ readonly kind: "field"; readonly misspelt?: string } & FieldFault & Place)
  | ({ readonly kind: "duplicate_field"; readonly field: string } & Place)
  | { readonly kind: "duplicate_id"; readonly id: string; readonly other: string }
  | { readonly kind: "duplicate_number"; readonly number: string; readonly other: string }
);

export type StepWarning =
  | {
      readonly kind: "id_mismatch";
      readonly file: string;
      readonly id: string;
      readonly number: string;
    }
  /** A long number and a short one: their files sort in an unexpected order. */
  | { readonly kind: "number_lengths"; readonly file: string; readonly other: string };

const MAX_SHOWN = 60;

export function shown(text: string): string {
  return oneLine(text, MAX_SHOWN);
}

/** Of a parsed value. */
export function shownValue(value: unknown): string | null {
  return value === undefined ? null : shown(JSON.stringify(value));
}
