import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { placeOf, scanJson } from "../../src/text/json/json-text.ts";

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON with parts removed, inserted or replaced. */
const nearJson = fc
  .tuple(
    fc.json(),
    fc.nat(),
    fc.nat(3),
    fc.constantFrom("", ...Array.from("{}[]:,\"\\ \t\n\r0-+.eEu/'tfn"), "\\u", "\0"),
  )
  .map(([json, at, cut, put]) => {
    const from = at % (json.length + 1);
    return json.slice(0, from) + put + json.slice(from + cut);
  });
const noise = fc.string({
  unit: fc.constantFrom(...Array.from("{}[]:,\"\\ \n\r\t01.-+eEuanrsltf'"), "true", "null", '"a":', "\0"),
});

describe("the JSON scanner", () => {
  test("accepts exactly what JSON.parse accepts", () => {
    for (const text of [fc.json(), nearJson, noise, fc.string({ unit: "binary" })]) {
      fc.assert(
        fc.property(text, (json) => {
          expect("kind" in scanJson(json), JSON.stringify(json)).toBe(parses(json));
        }),
        { numRuns: 3000 },
      );
    }
  });

  test.each([
    "",
    " ",
    "\ufeff{}",
    "{}",
    "[]",
    "0",
    "-0",
    "-",
    "01",
    "1.",
    ".5",
    "1.5",
    "1e5",
    "1E+05",
    "1e",
    "1e+",
    "+1",
    "NaN",
    "tru",
    "truex",
    "null",
    "nul",
    '"',
    '"a',
    '"\\',
    '"\\"',
    '"\\u12"',
    '"\\u12aF"',
    '"\\U12af"',
    '"\\N"',
    '"\\n"',
    '"\\x41"',
    '"\t"',
    '"\u007f"',
    '"\u2028"',
    '"\ud800"',
    "'a'",
    "[1,]",
    "[,]",
    "[1 2]",
    "[",
    "]",
    "[[]",
    "{]",
    "[}",
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '{,"a":1}',
    "{a:1}",
    '{"a":1 "b":2}',
    "{} {}",
    "[] x",
    "\u00a01",
    "1\u00a0",
    "\v1",
    "// c\n1",
    "1e400",
    "12345678901234567890",
    '{"a":{"b":[{}]},"a":[]}',
    '"\\ud83d"',
  ])("and of the tricky ones: %j", (json) => {
    expect("kind" in scanJson(json)).toBe(parses(json));
  });

  test("returns the positions of members in their order, the last of a key like JSON.parse", () => {
    const keys = fc.constantFrom(
      "a",
      "b",
      "10",
      "2",
      "__proto__",
      "constructor",
      "\u{1f600}",
      "\ud800",
      "a b",
      '"',
    );
    const members = fc.array(fc.tuple(keys, fc.json(), fc.constantFrom("", " ", "\r\n\t")));
    fc.assert(
      fc.property(members, (list) => {
        const json = `{${list.map(([key, value, space]) => `${space}${JSON.stringify(key)}${space}:${space}${value}${space}`).join(",")}}`;
        const scanned = scanJson(json);
        if ("fault" in scanned) throw new Error(scanned.fault);
        expect(scanned.children.map(({ key }) => key?.name)).toEqual(list.map(([key]) => key));
        expect(scanned.children.map(({ start, end }) => json.slice(start, end))).toEqual(
          list.map(([, value]) => value.trim()),
        );
        for (const { key } of scanned.children) {
          expect(JSON.parse(json.slice(key?.start, key?.end))).toBe(key?.name);
        }
        const last = new Map(
          scanned.children.map(({ key, start, end }) => [key?.name, json.slice(start, end)]),
        );
        const parsed = JSON.parse(json) as object;
        expect(new Set(Object.keys(parsed))).toEqual(new Set(last.keys()));
        for (const [key, value] of Object.entries(parsed)) {
          expect(JSON.parse(last.get(key) ?? ""), key).toEqual(value);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("gives the places of elements", () => {
    const scanned = scanJson(' [1, [2, {"a": 3}], {} ,"x"] ');
    expect(scanned).toEqual({
      kind: "array",
      start: 1,
      end: 28,
      children: [
        { key: null, start: 2, end: 3 },
        { key: null, start: 5, end: 18 },
        { key: null, start: 20, end: 22 },
        { key: null, start: 24, end: 27 },
      ],
    });
  });

  test.each([
    ['{"a": 1', "unfinished", 7],
    ['{"a": "', "unfinished", 7],
    ["", "unfinished", 0],
    ['{"a": x}', "value_expected", 6],
    ["{a: 1}", "key_expected", 1],
    ['{"a": 1,}', "key_expected", 8],
    ['{"a" 1}', "colon_expected", 5],
    ['{"a": 1 "b": 2}', "comma_expected", 8],
    ['{"a": "\n"}', "bad_string", 7],
    ['{"a": "\\x"}', "bad_string", 8],
    ['{"a": -x}', "bad_number", 7],
    ['{"a": 1.x}', "bad_number", 8],
    ["{} {", "more_after", 3],
  ])("reports the first error: %j", (json, fault, offset) => {
    expect(scanJson(json)).toEqual({ fault, offset });
  });

  test("takes 1000 levels and refuses more, however many", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(scanJson(nested(1000))).toMatchObject({ kind: "array" });
    expect(scanJson(nested(1001))).toEqual({ fault: "too_deep", offset: 1000 });
    expect(scanJson('{"a":'.repeat(500_000))).toEqual({ fault: "too_deep", offset: 5000 });
    expect(scanJson(nested(2).repeat(500).replaceAll("][", "],["))).toMatchObject({ fault: "more_after" });
  });

  test("refuses exactly the control characters in strings", () => {
    for (let code = 0; code < 0x100; code++) {
      const json = `"${String.fromCharCode(code)}"`;
      expect("kind" in scanJson(json), json).toBe(parses(json));
    }
  });

  test("takes long strings and numbers", () => {
    const long = JSON.stringify({ a: "\\\n\u{1f600}".repeat(300_000), b: 1 });
    expect(scanJson(long)).toMatchObject({ end: long.length });
    expect(scanJson("9".repeat(1_000_000))).toMatchObject({ end: 1_000_000 });
  });
});

describe("a place in a text", () => {
  test.each([
    ["abc", 0, 1, 1],
    ["abc", 2, 1, 3],
    ["a\nbc", 2, 2, 1],
    ["a\r\nbc", 4, 2, 2],
    ["a\rbc", 2, 2, 1],
    ["a\n\nb", 3, 3, 1],
    ["\ufeff{x", 2, 1, 2],
    ["\ufeff{\nx", 3, 2, 1],
  ])("%j at %i", (text, offset, line, column) => {
    expect(placeOf(text, offset)).toEqual({ line, column });
  });
});
