import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lastObjectWith, objectsIn } from "../../src/text/json/json-in-text.ts";

const GOOD = '{"k": {"n": 1}}';
const is = (n: number): object => ({ k: { n } });

function found(text: string, key = "k"): object | null {
  const said = lastObjectWith(text, key);
  return said.kind === "object" ? said.object : null;
}

describe("the last object with a key", () => {
  test.each([
    ["nothing", "", null],
    ["no object", "all done, k: 1", null],
    ["bare", GOOD, is(1)],
    ["after words", `done.\n\n${GOOD}\n`, is(1)],
    ["before words", `${GOOD}\nThat is the "k" I meant.`, is(1)],
    ["amid a line", `the answer ${GOOD} is this`, is(1)],
    ["in a fence", `\`\`\`json\n${GOOD}\n\`\`\``, is(1)],
    ["over lines", '{\r\n  "k": {\r\n    "n": 1\r\n  }\r\n}', is(1)],
    ["the last of two", `${GOOD}\n{"k": {"n": 2}}`, is(2)],
    ["the last of two on one line", `${GOOD}{"k": {"n": 2}}`, is(2)],
    ["another object follows", `${GOOD}\n{"other": 1}`, is(1)],
    ["not nested in another", `${GOOD}\n{"outer": {"k": 2}}`, is(1)],
    ["only nested", '{"outer": {"k": 2}}', null],
    ["braces in strings", '{"k": {"n": 1}, "s": "}{\\"}"}', { ...is(1), s: '}{"}' }],
    ["a key that is escaped", '{"\\u006b": {"n": 1}}', is(1)],
    ["code before it", `function f() { return {}; }\n${GOOD}`, is(1)],
    ["a broken one without the key after it", `${GOOD}\n{"other": `, is(1)],
    ["a broken one before it", `{"k": oops}\n${GOOD}`, is(1)],
    ["a cut off one before it", `{"k": "oops\n${GOOD}`, is(1)],
    ["a broken one after it", `${GOOD}\n{"k": {"n": 2},}`, null],
    ["a cut off one after it", `${GOOD}\n{"k": {"n": 2}`, null],
    ["one cut off in its key", `${GOOD}\n{ "k"`, null],
    ["one cut off before its value", `${GOOD}\n{"a": 1, "k"`, null],
    ["one broken before the key", `${GOOD}\n{"a":: 1, "k" : {"n": 2}}`, null],
    ["one with a comma for a colon", `${GOOD}\n{"k", {"n": 2}}`, null],
    ["one without a colon", `${GOOD}\n{"k" {"n": 2}}`, null],
    ["one with a line break in a string", `${GOOD}\n{"k": {"n": "a\nb"}}`, null],
    ["one in single quotes inside a broken one", `${GOOD}\n{'x': {"k": 1}}`, { k: 1 }],
    ["one that lies in a broken one", '{"a": 1, {"k": {"n": 1}}', is(1)],
  ])("%s", (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test("a missing one is like a broken one", () => {
    expect(lastObjectWith("no object", "k")).toEqual({ kind: "none" });
    expect(lastObjectWith('{"outer": {"k": 1}}', "k")).toEqual({ kind: "none" });
    expect(lastObjectWith('{"k": {"n": ', "k")).toEqual({ kind: "broken" });
    expect(lastObjectWith(`${GOOD}\n{"k": {"n": `, "k")).toEqual({ kind: "broken" });
  });

  test.each([
    ["the key twice", '{"k": 1, "k": {"n": 1}}', "k"],
    ["another key twice", '{"a": 1, "k": 1, "a": 1}', "a"],
    ["a key twice in an object in it", '{"k": {"n": 1, "n": 1}}', "n"],
    ["a key twice in a list in it", '{"k": [{"n": 1}, [{"m": 1, "m": 2}]]}', "m"],
    ["a key twice behind an object in it", '{"k": {"a": {"b": 1}, "a": 2}}', "a"],
    ["a key twice around a brace in a text", '{"k": {"n": 1, "s": "{", "n": 2}}', "n"],
    ["a key twice in two spellings", '{"k": {"\\u006e" : 1, "n": 2}}', "n"],
  ])("is ambiguous with %s", (_, text, key) => {
    expect(lastObjectWith(`${GOOD}\n${text}`, "k")).toEqual({ kind: "ambiguous", key });
    expect(found(`${text}\n${GOOD}`)).toEqual(is(1));
  });

  test("is not ambiguous with one key in several objects, or in a text", () => {
    const text = '{"k": [{"n": 1}, {"n": {"n": 2}}, "n", "n", "{\\"n\\":1,\\"n\\":1}"], "n": ":"}';
    expect(found(text)).toEqual(JSON.parse(text));
  });

  test("keys that every object inherits", () => {
    expect(found("{}", "constructor")).toBeNull();
    expect(found('{"a": 1}', "__proto__")).toBeNull();
    const object = found('{"__proto__": {"polluted": 1}}', "__proto__");
    expect(Object.keys(object ?? {})).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("a key with characters that are special in a pattern", () => {
    expect(found('{"a.*(": 1} {"a.*(": ', "a.*(")).toBeNull();
    expect(found('{"a.*(": 1} {"axx(": ', "a.*(")).toEqual({ "a.*(": 1 });
  });

  test("earlier text never replaces an unreadable last word", () => {
    const object = JSON.stringify({ k: { n: 2, list: ["}", 1], text: '"{' } });
    for (let cut = '{"k"'.length; cut < object.length; cut++) {
      expect(found(`${GOOD}\n${object.slice(0, cut)}`), object.slice(0, cut)).toBeNull();
    }
    expect(found(`${GOOD}\n${object}`)).toMatchObject({ k: { n: 2 } });
  });
});

describe("no text makes the search read a character twice", () => {
  /** A scan reads the part that it returns and one more character. */
  const areApart = (text: string): boolean => {
    let end = 0;
    for (const object of objectsIn(text)) {
      if (object.start < end || object.end <= object.start) return false;
      end = object.end;
    }
    return end <= text.length;
  };

  test("any text", () => {
    const text = fc.string({ unit: fc.constantFrom(...Array.from('{}[]:," \\an1\n'), '{"a":', '{"a":1}') });
    fc.assert(
      fc.property(text, (any) => {
        expect(areApart(any)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    "{",
    "}",
    "{{}",
    "{ ",
    '{"',
    '{"a":',
    '{"a":[',
    '{"a":1,',
    '{"a":"',
    '[{"k":',
    '{"k"',
    '{"k" ',
    '"k" ',
    '{"a":{"k":1},',
    "\\",
    '{"a":"{",',
    "{}",
    '{"k":1}',
  ])("a megabyte of %j", (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(areApart(text)).toBe(true);
    expect(found(text)).toEqual(unit === '{"k":1}' ? { k: 1 } : null);
  });
});
