import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ScanOptions } from "../../src/core/claim/scanner.ts";
import { CORPUS, documentOf, INSTRUCTIONS, long, piece } from "./documents.ts";
import { reference } from "./reference.ts";
import { scanPieces, withoutArrival } from "./scan.ts";

function scanned(pieces: readonly Buffer[], options: ScanOptions): unknown {
  return withoutArrival(scanPieces(pieces, options));
}

function cutAt(document: Buffer, points: readonly number[]): Buffer[] {
  const inside = points.map((point) => point % (document.length + 1)).sort((a, b) => a - b);
  const bounds = [0, ...inside, document.length];
  return bounds.slice(1).map((end, index) => document.subarray(bounds[index], end));
}

const cuts = fc.array(fc.nat(), { maxLength: 8 });
const nonces = fc.constantFrom({}, {}, {}, { nonce: "n1" });

describe("S9 chunk splits of a corpus", () => {
  it.each(CORPUS.map((document) => [JSON.stringify(document.toString()), document] as const))(
    "S9 %s",
    (_name, document) => {
      const expected = reference(document, INSTRUCTIONS);
      for (let at = 0; at <= document.length; at += 1) {
        const halves = [document.subarray(0, at), document.subarray(at)];
        expect(scanned(halves, { instructions: INSTRUCTIONS })).toEqual(expected);
      }
      const bytes = Array.from(document, (_byte, at) => document.subarray(at, at + 1));
      expect(scanned(bytes, { instructions: INSTRUCTIONS })).toEqual(expected);
    },
  );
});

describe("S9 generated documents under random splits", () => {
  it("S9 agrees with the reference on short documents", () => {
    fc.assert(
      fc.property(documentOf(piece, 14), cuts, nonces, (document, points, nonce) => {
        const options: ScanOptions = { instructions: INSTRUCTIONS, ...nonce };
        const expected = reference(document, INSTRUCTIONS, options.nonce);
        expect(scanned(cutAt(document, points), options)).toEqual(expected);
      }),
      { numRuns: 6_000 },
    );
  });

  it("S9 agrees with the reference on generated instructions", () => {
    const texts = fc.array(documentOf(piece, 4), { maxLength: 2 });
    fc.assert(
      fc.property(documentOf(piece, 8), texts, cuts, (document, generated, points) => {
        const excerpt = document.toString().split("\n").slice(1, 4).join("\n");
        const instructions = [...generated.map(String), excerpt];
        const expected = reference(document, instructions);
        expect(scanned(cutAt(document, points), { instructions })).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it("S9 agrees with the reference on documents with long lines and long silences", () => {
    const parts = fc.oneof({ weight: 3, arbitrary: piece }, { weight: 1, arbitrary: long });
    const instructions = [...INSTRUCTIONS, `${"x".repeat(17_000)}\nGA_STATUS=DONE`];
    fc.assert(
      fc.property(documentOf(parts, 12), cuts, (document, points) => {
        const expected = reference(document, instructions);
        expect(scanned(cutAt(document, points), { instructions })).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
