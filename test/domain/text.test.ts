import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeJson, splitLines, visible } from "../../src/text/text.ts";

const DANGEROUS =
  /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u00ad\u200b-\u200d\u2028\u2029\u2060-\u2064\ufeff]|\p{Bidi_Control}/u;
const anyText = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
});

describe("visible", () => {
  test.each([
    ["plain text, 中文, emoji 👩🏽 and tabs\tstay", "plain text, 中文, emoji 👩🏽 and tabs\tstay"],
    ["👩\u200d👧", "👩\\u200d👧"],
    ["\u001b[1;31mred\u001b[0m", "red"],
    ["\u001b[38:2:1:2:3mred\u001b[m", "red"],
    ["\u001b]0;owned\u0007", "\\x1b]0;owned\\x07"],
    ["\u001b[2J\u001b[H", "\\x1b[2J\\x1b[H"],
    ["\u001b]8;;http://a\u001b\\link", "\\x1b]8;;http://a\\x1b\\link"],
    ["\u001b\u001b[0m[31mjoined by what is removed", "\\x1b[31mjoined by what is removed"],
    ["\u009b31m", "\\x9b31m"],
    ["over\rwritten", "over\\x0dwritten"],
    ["two\nlines", "two\\x0alines"],
    ["\u202eesrever", "\\u202eesrever"],
    ["\u061carabic mark", "\\u061carabic mark"],
    ["\u2028line", "\\u2028line"],
    ["zero\u200bwidth", "zero\\u200bwidth"],
    ["joi\u200dned", "joi\\u200dned"],
    ["soft\u00adhyphen", "soft\\xadhyphen"],
    ["\ufeffBOM", "\\ufeffBOM"],
    ["nul\u0000 del\u007f", "nul\\x00 del\\x7f"],
  ])("%j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test("contains nothing that controls, hides or reorders", () => {
    fc.assert(
      fc.property(anyText, (text) => !DANGEROUS.test(visible(text))),
      { numRuns: 3000 },
    );
    for (let code = 0; code <= 0xffff; code++) {
      const char = String.fromCharCode(code);
      expect(DANGEROUS.test(visible(`a${char}b`)), `U+${code.toString(16)}`).toBe(false);
    }
  });

  test("is the same when done twice", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(visible(visible(text))).toBe(visible(text));
      }),
    );
  });
});

describe("safeJson", () => {
  test("says the same in characters that are safe to show", () => {
    fc.assert(
      fc.property(fc.jsonValue(), anyText, (value, text) => {
        const json = safeJson(JSON.stringify({ value, text }));
        expect(json).not.toMatch(DANGEROUS);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("splitLines", () => {
  test.each([
    ["", []],
    ["one", ["one"]],
    ["one\n", ["one"]],
    ["one\n\n", ["one", ""]],
    ["one\r\ntwo\r\n", ["one", "two"]],
    ["a\rb\n", ["a\rb"]],
    ["a\u2028b\u0085c\n", ["a\u2028b\u0085c"]],
  ])("%j", (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });

  test("leaves no LF in a line and loses nothing else", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string().map((text) => text.replaceAll(/[\r\n]/g, "")),
          { minLength: 1 },
        ),
        (lines) => {
          expect(splitLines(`${lines.join("\n")}\n`)).toEqual(lines);
        },
      ),
    );
  });
});
