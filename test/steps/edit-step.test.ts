import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DOING, DONE, STEP_STATUSES, TODO, type UnitTest } from "../../src/core/step.ts";
import { withStatus, withUnitTest } from "../../src/modes/steps/edit-step.ts";

const PRETTY = `{
  "id": "step-001",
  "description": "caf\\u00e9 \\/ \\ud83d",
  "status": "${TODO}",
  "10": 1e400, "2": 12345678901234567890,
  "verification": [ {"type":"unit",  "description": "x"} ]
}
`;

describe("a new status", () => {
  test.each([
    ["pretty", PRETTY],
    ["CRLF", PRETTY.replaceAll("\n", "\r\n")],
    ["tabs", PRETTY.replaceAll("  ", "\t")],
    ["no line end at the end", PRETTY.trimEnd()],
    ["one line", PRETTY.replace(/\n */g, " ")],
    ["byte order mark", `\ufeff${PRETTY}`],
    ["space around it", `\n\n ${PRETTY}\n\n`],
    ["a status within another member", PRETTY.replace("10", '10": {"status": "mine"}, "n')],
    [
      "__proto__ and constructor",
      PRETTY.replace('"10"', '"__proto__": {"status": 1}, "constructor": 2, "10"'),
    ],
  ])("changes nothing else: %s", (_, text) => {
    expect(withStatus(text, DONE)).toBe(text.replace(TODO, DONE));
    expect(text).toContain(TODO);
  });

  test("goes to the last of two", () => {
    expect(withStatus(`{"status": "${TODO}", "status": "${TODO}"}`, DOING)).toBe(
      `{"status": "${TODO}", "status": "${DOING}"}`,
    );
  });

  test("leaves one that is spelled in another way and says the same", () => {
    const text = '{"status":"\\ud83d\\udd34 \\u5f85\\u5b8c\\u6210"}';
    expect(withStatus(text, TODO)).toBe(text);
    expect(withStatus(text, DONE)).toBe(`{"status":"${DONE}"}`);
  });

  test("keeps every other byte of any object", () => {
    const members = fc.array(fc.tuple(fc.string(), fc.json()).filter(([key]) => key !== "status"));
    const space = fc.constantFrom("", " ", "\n  ", "\r\n\t", "\r");
    fc.assert(
      fc.property(
        members,
        members,
        space,
        fc.constantFrom(...STEP_STATUSES),
        (before, after, gap, status) => {
          const written = (now: string): string =>
            `{${[...before, ["status", JSON.stringify(now)] as const, ...after]
              .map(([key, value]) => `${gap}${JSON.stringify(key)}${gap}:${gap}${value}`)
              .join(",")}${gap}}`;
          expect(withStatus(written("old"), status)).toBe(written(status));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

const UNIT_TEST: UnitTest = { command: "npm test", files: ["a.ts", "b.ts"], notes: 'say "x"' };

describe("a new unit test", () => {
  test.each([
    [
      "two spaces",
      '{\n  "id": 1,\n  "x": 2\n}\n',
      '{\n  "id": 1,\n  "x": 2,\n  "unit_test": {\n    "command": "npm test",\n    "files": [\n      "a.ts",\n      "b.ts"\n    ],\n    "notes": "say \\"x\\""\n  }\n}\n',
    ],
    [
      "tabs and CRLF",
      '{\r\n\t"id": 1\r\n}',
      '{\r\n\t"id": 1,\r\n\t"unit_test": {\r\n\t\t"command": "npm test",\r\n\t\t"files": [\r\n\t\t\t"a.ts",\r\n\t\t\t"b.ts"\r\n\t\t],\r\n\t\t"notes": "say \\"x\\""\r\n\t}\r\n}',
    ],
    [
      "no indentation",
      '{\n"id":1\n}',
      '{\n"id":1,\n"unit_test":{\n"command":"npm test",\n"files":[\n"a.ts",\n"b.ts"\n],\n"notes":"say \\"x\\""\n}\n}',
    ],
    [
      "one line",
      '{"id": 1, "x": 2}\n',
      '{"id": 1, "x": 2, "unit_test": {"command": "npm test", "files": ["a.ts", "b.ts"], "notes": "say \\"x\\""}}\n',
    ],
    [
      "one dense line",
      '{"id":1,"x":2}',
      '{"id":1,"x":2,"unit_test":{"command":"npm test","files":["a.ts","b.ts"],"notes":"say \\"x\\""}}',
    ],
    [
      "blank lines, and a last value of several lines",
      '{\n\n  "id": 1,\n\n  "x": {\n    "y": 1\n  }\n\n}',
      '{\n\n  "id": 1,\n\n  "x": {\n    "y": 1\n  },\n  "unit_test": {\n    "command": "npm test",\n    "files": [\n      "a.ts",\n      "b.ts"\n    ],\n    "notes": "say \\"x\\""\n  }\n\n}',
    ],
  ])("is put after the last member, in the file's own layout: %s", (_, before, after) => {
    expect(withUnitTest(before, UNIT_TEST)).toBe(after);
  });

  test("is written like JSON.stringify would write it", () => {
    for (const unitTest of [UNIT_TEST, { command: "x" }, { command: "x", files: [] }]) {
      const step = { id: 1, verification: [{ type: "a" }] };
      expect(withUnitTest(JSON.stringify(step, null, 4), unitTest)).toBe(
        JSON.stringify({ ...step, unit_test: unitTest }, null, 4),
      );
      expect(withUnitTest(JSON.stringify(step), unitTest)).toBe(
        JSON.stringify({ ...step, unit_test: unitTest }),
      );
    }
  });
});

describe("a unit test that replaces another", () => {
  const old = `{\n  "unit_test": {\n    "by": "me", "command": "old",\n    "files": ["c.ts"],\n    "n": 1e400\n  },\n  "z": 1\n}`;

  test("leaves its other content", () => {
    expect(withUnitTest(old, { command: "new", files: ["d.ts"] })).toBe(
      old.replace("old", "new").replace('["c.ts"]', '[\n      "d.ts"\n    ]'),
    );
  });

  test("removes missing fields", () => {
    expect(withUnitTest(old, { command: "new" })).toBe(
      old.replace("old", "new").replace(',\n    "files": ["c.ts"]', ""),
    );
    expect(withUnitTest('{"unit_test": {"notes": "a", "command": "b"}}', { command: "b" })).toBe(
      '{"unit_test": {"command": "b"}}',
    );
    expect(
      withUnitTest('{"unit_test": {"notes": 1, "command": "b", "notes": 2, "notes": 3}}', { command: "b" }),
    ).toBe('{"unit_test": {"command": "b"}}');
  });

  test("takes out any number of them", () => {
    const notes = '"notes": 1, '.repeat(50_000);
    expect(withUnitTest(`{"unit_test": { ${notes}"a": 1, ${notes}"command": "b"}}`, { command: "b" })).toBe(
      '{"unit_test": { "a": 1, "command": "b"}}',
    );
  });

  test("adds new fields", () => {
    expect(withUnitTest('{"unit_test": {"command": "b"}}', { command: "b", notes: "c" })).toBe(
      '{"unit_test": {"command": "b", "notes": "c"}}',
    );
  });

  test("is left as it is when it says the same", () => {
    const text = '{"unit_test": {"command": "\\u0062",   "files":[ "c" ]}}';
    expect(withUnitTest(text, { command: "b", files: ["c"] })).toBe(text);
  });

  test("goes to the last of two", () => {
    const text = '{"unit_test": {"command": "a"}, "unit_test": {"command": "a"}}';
    expect(withUnitTest(text, { command: "b" })).toBe(
      '{"unit_test": {"command": "a"}, "unit_test": {"command": "b"}}',
    );
  });
});

test("any unit test reads back from any step, and all else is unchanged", () => {
  const unitTests = fc.record(
    {
      command: fc.string(),
      files: fc.array(fc.string({ unit: "binary" })),
      notes: fc.string({ unit: "binary" }),
    },
    { requiredKeys: ["command"], noNullPrototype: true },
  );
  const others = fc.dictionary(
    fc.string().filter((key) => !["unit_test", "__proto__"].includes(key)),
    fc.jsonValue(),
    { minKeys: 1 },
  );
  const steps = fc.oneof(
    others,
    fc
      .tuple(others, unitTests, others)
      .map(([rest, command, more]) => ({ ...rest, unit_test: { ...more, ...command } })),
  );
  fc.assert(
    fc.property(steps, unitTests, fc.constantFrom("", " ", "\t", "    "), (step, unitTest, indent) => {
      const text = JSON.stringify(step, null, indent);
      const now = JSON.parse(withUnitTest(text, unitTest)) as Record<string, unknown>;
      const { command, files, notes } = now["unit_test"] as Record<string, unknown>;
      expect({ command, files, notes }).toEqual({ files: undefined, notes: undefined, ...unitTest });
      const { unit_test: added, ...rest } = now;
      const { unit_test: removed, ...before } = JSON.parse(text) as Record<string, unknown>;
      expect(added).toBeDefined();
      expect(rest).toEqual(before);
      expect({ ...(removed as object), ...unitTest }).toMatchObject(unitTest);
    }),
    { numRuns: 500 },
  );
});

test("a text that is no object is a mistake of the caller", () => {
  for (const text of ["", "[]", "{", "1"]) expect(() => withStatus(text, DONE)).toThrow("valid step");
});
