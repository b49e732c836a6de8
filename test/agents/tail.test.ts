import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Tail } from "../../src/agents/gather.ts";

test("keeps the end of the stream, in any pieces", () => {
  const pieces = fc.array(fc.string({ unit: "grapheme-ascii", maxLength: 30 }), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, fc.integer({ min: 1, max: 20 }), (chunks, limit) => {
      const tail = new Tail(limit);
      for (const chunk of chunks) tail.push(Buffer.from(chunk));
      expect(tail.text).toBe(chunks.join("").slice(-limit));
    }),
  );
});
