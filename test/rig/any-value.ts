import * as fc from "fast-check";
import type { Shape } from "../../src/text/shape.ts";

const DIGEST = "0123456789abcdef".repeat(4);
const MOMENT = "2026-11-18T20:00:00Z";

/** Any value of a shape. Every text that must be redacted begins with `foreign`; no other text does. */
export function anyValue(shape: Shape, isRecorded = false): fc.Arbitrary<unknown> {
  switch (shape.is) {
    case "text":
      if (shape.format instanceof RegExp) return fc.constant(DIGEST);
      if (shape.format === "date-time") return fc.constant(MOMENT);
      return fc.nat(99).map((n) => `${shape.foreign && !isRecorded ? "foreign" : "ours"} ${n}`);
    case "number":
      return fc.integer({ min: shape.min ?? -9, max: 99 });
    case "flag":
      return fc.boolean();
    case "true":
      return fc.constant(true);
    case "codes":
      return fc.constantFrom(...shape.codes);
    case "list":
      return fc.array(anyValue(shape.item, isRecorded), { maxLength: 2 });
    case "record":
      return fc.dictionary(fc.constantFrom("a", "b"), anyValue(shape.item, isRecorded));
    case "nullable":
      return fc.option(anyValue(shape.of, isRecorded));
    case "about":
      return anyValue(shape.of, isRecorded);
    case "recorded":
      return anyValue(shape.of, true);
    case "choice":
      return fc.oneof(...shape.options.map((option) => anyValue(option, isRecorded)));
    case "object": {
      const fields = Object.entries(shape.fields);
      const optional = new Set(fields.filter(([, field]) => field.is === "optional").map(([name]) => name));
      const values = fields.map(
        ([name, field]) => [name, anyValue(field.is === "optional" ? field.of : field, isRecorded)] as const,
      );
      return fc
        .tuple(fc.record(Object.fromEntries(values)), fc.subarray([...optional]))
        .map(([value, absent]) =>
          Object.fromEntries(Object.entries(value).filter(([name]) => !absent.includes(name))),
        );
    }
  }
}
