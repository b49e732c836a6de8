import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Needles } from "../../src/text/multi-pattern-search.ts";

test("needles are found as a plain search finds them", () => {
  const bytes = fc.array(fc.constantFrom(97, 98, 99), { maxLength: 60 }).map((list) => Uint8Array.from(list));
  const needle = fc
    .array(fc.constantFrom(97, 98, 99), { minLength: 2, maxLength: 6 })
    .map((list) => Uint8Array.from(list));
  fc.assert(
    fc.property(fc.array(needle, { maxLength: 5 }), bytes, fc.nat(10), (list, hay, from) => {
      const text = Buffer.from(hay);
      const expected = list
        .map((wanted) => ({ start: text.indexOf(wanted, from), length: wanted.length }))
        .filter(({ start }) => start >= 0)
        .sort((x, y) => x.start - y.start || y.length - x.length)[0];
      const found = new Needles(list.map((wanted) => ({ bytes: wanted, meaning: wanted }))).find(hay, from);
      expect(found && { start: found.start, length: found.end - found.start }).toEqual(expected);
      expect(found?.meaning.length).toBe(expected?.length);
    }),
    { numRuns: 2000 },
  );
});
